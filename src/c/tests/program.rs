//! A program in C against the header and the static library, compiled and run.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The library that was built for this test: it lies beside it, under a name that Cargo chose.
fn newest_library() -> PathBuf {
    let test = std::env::current_exe().expect("the test has a path");
    let deps = test.parent().expect("it lies in a directory");
    let files = deps.read_dir().expect("which can be read");
    let mut libraries: Vec<_> = files
        .filter_map(|file| {
            let file = file.ok()?;
            let name = file.file_name().into_string().ok()?;
            let is_ours = name.starts_with("libkirin_c") && name.ends_with(".a");
            let changed = file.metadata().ok()?.modified().ok()?;
            is_ours.then(|| (changed, file.path()))
        })
        .collect();
    libraries.sort();
    libraries.pop().expect("the library is there").1
}

#[test]
fn a_program_in_c_plays() {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    if Command::new(&compiler).arg("--version").output().is_err() {
        println!("skipped: there is no C compiler");
        return;
    }
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = newest_library();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("game");
    let output = Command::new(&compiler)
        .args([
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pedantic",
            "-O1",
        ])
        .arg("-I")
        .arg(package)
        .arg(package.join("tests/game.c"))
        .arg(&library)
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program)
        .output()
        .expect("the compiler runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let output = Command::new(&program).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("tables, "), "{said}");
}

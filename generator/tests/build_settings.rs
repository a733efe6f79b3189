//! The engine is built as its users build it: with settings good and bad, in odd places, offline, as a dependency.
//!
//! Each test works on a copy of the workspace in a directory of its own and takes up to a minute, so all of them are
//! ignored in ordinary runs. All at once: `cargo test -p kirin-generator --test build_settings -- --ignored`

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use kirin_generator::{generate, Layout, Settings};

/// A directory that goes away with its owner.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("{name} {}", std::process::id()));
        // What an earlier run of the same number left behind.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory for temporary files");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("left for inspection: {}", self.0.display());
        } else {
            make_writable(&self.0);
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

fn make_writable(directory: &Path) {
    #[cfg(unix)]
    let _ = Command::new("chmod")
        .args(["-R", "u+w"])
        .arg(directory)
        .status();
    #[cfg(not(unix))]
    let _ = directory;
}

/// The workspace that these tests belong to.
fn workspace() -> &'static Path {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("generator/ is within the workspace");
    assert!(
        root.join("build.rs").exists(),
        "these tests need the whole workspace, not the packaged generator"
    );
    root
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a directory");
    for entry in fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry");
        let name = entry.file_name();
        if name == "target" || name.to_string_lossy().starts_with('.') {
            continue;
        }
        if entry.path().is_dir() {
            copy_tree(&entry.path(), &to.join(name));
        } else {
            fs::copy(entry.path(), to.join(name)).expect("can be copied");
        }
    }
}

/// All files below a directory, with their contents.
fn snapshot(directory: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            snapshot(&path, files);
        } else {
            files.insert(path.clone(), fs::read(&path).expect("can be read"));
        }
    }
}

/// A copy of the workspace, and a target directory apart from it.
struct Copy {
    source: PathBuf,
    target: PathBuf,
    _scratch: Scratch,
}

impl Copy {
    fn new(name: &str) -> Copy {
        let scratch = Scratch::new(name);
        let source = scratch.0.join("source");
        copy_tree(workspace(), &source);
        Copy {
            source,
            target: scratch.0.join("target"),
            _scratch: scratch,
        }
    }

    /// Cargo as a user has it, without what the cargo that runs this test has set.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            let kept = ["CARGO_HOME", "CARGO_BUILD_JOBS", "CARGO_NET_OFFLINE"];
            if name.starts_with("KIRIN_") || name.starts_with("CARGO_") && !kept.contains(&&*name) {
                command.env_remove(name);
            }
        }
        command
            .current_dir(&self.source)
            .env("CARGO_TARGET_DIR", &self.target);
        command
    }

    fn build(&self, variables: &[(&str, &OsStr)]) -> Build {
        let mut command = self.command(env!("CARGO"));
        command.args([
            "build",
            "-v",
            "-p",
            "kirin-chess",
            "--lib",
            "--message-format=json",
        ]);
        for (name, value) in variables {
            command.env(name, value);
        }
        Build::of(command.output().expect("cargo runs"))
    }

    fn build_with(&self, seed: &str, layout: &str) -> Build {
        self.build(&[
            ("KIRIN_SEED", OsStr::new(seed)),
            ("KIRIN_LAYOUT", OsStr::new(layout)),
        ])
    }
}

/// What a build said.
struct Build {
    good: bool,
    messages: String,
    report: String,
}

impl Build {
    fn of(output: Output) -> Build {
        Build {
            good: output.status.success(),
            messages: String::from_utf8_lossy(&output.stdout).into_owned(),
            report: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    fn ran_the_script(&self) -> bool {
        self.report.contains("build-script-build`")
    }

    /// The text that the build included.
    fn tables(&self) -> String {
        assert!(self.good, "{}", self.report);
        let line = self
            .messages
            .lines()
            .find(|line| line.contains("build-script-executed") && line.contains("kirin-chess"))
            .expect("cargo says where the script wrote");
        let (_, rest) = line
            .split_once("\"out_dir\":\"")
            .expect("cargo says where the script wrote");
        let directory = rest.split('"').next().expect("a quoted path");
        fs::read_to_string(Path::new(directory).join("tables.rs")).expect("the script wrote it")
    }

    /// The lines that report errors, cargo's own summary left out.
    fn errors(&self) -> Vec<&str> {
        assert!(!self.good, "this should have failed");
        self.report
            .lines()
            .filter(|line| line.starts_with("error: kirin-chess@"))
            .collect()
    }
}

fn expected(seed: u64, layout: Layout) -> String {
    generate(&Settings { seed, layout })
        .expect("any seed works")
        .to_rust()
}

#[test]
#[ignore = "builds the engine several times: a minute"]
fn settings_are_obeyed_and_builds_are_repeated_only_for_them() {
    let copy = Copy::new("kirin settings");
    let mut before = BTreeMap::new();
    snapshot(&copy.source, &mut before);
    let default = Settings::default();

    let first = copy.build(&[]);
    assert!(first.ran_the_script());
    let default_text = expected(default.seed, default.layout);
    assert!(first.tables() == default_text);
    let again = copy.build(&[]);
    assert!(
        again.good && !again.ran_the_script(),
        "nothing changed: {}",
        again.report
    );
    // Empty means the default, and the same text means nothing more to compile.
    assert!(copy.build_with("", "").tables() == default_text);

    for (seed, value) in [
        ("0", 0),
        ("18446744073709551615", u64::MAX),
        ("0x10", 16),
        ("0X1F", 31),
    ] {
        let build = copy.build_with(seed, "plain");
        assert!(
            build.ran_the_script(),
            "a changed setting: {}",
            build.report
        );
        assert!(build.tables() == expected(value, Layout::Plain));
        assert!(!copy.build_with(seed, "plain").ran_the_script());
    }
    assert!(
        copy.build(&[]).tables() == default_text,
        "unset again: the default again"
    );

    for (seed, layout, name, value) in [
        ("12z", "", "KIRIN_SEED", "\"12z\""),
        ("-1", "plain", "KIRIN_SEED", "\"-1\""),
        (
            "18446744073709551616",
            "",
            "KIRIN_SEED",
            "\"18446744073709551616\"",
        ),
        ("1\n2", "", "KIRIN_SEED", "\"1\\n2\""),
        ("0X", "", "KIRIN_SEED", "\"0X\""),
        ("1", "fancier", "KIRIN_LAYOUT", "\"fancier\""),
    ] {
        let build = copy.build_with(seed, layout);
        let errors = build.errors();
        assert_eq!(errors.len(), 1, "{}", build.report);
        let allowed = match name {
            "KIRIN_SEED" => "a whole number from 0 to 18446744073709551615",
            _ => "one of plain, fancy, overlapped, folded, compact, tiny",
        };
        for part in [name, value, "must be", allowed] {
            assert!(errors[0].contains(part), "{errors:?}");
        }
        assert!(!build.report.contains("panicked"), "{}", build.report);
    }
    // A backend is forced where the target has what it needs, and this one says by itself what it has.
    let with_flags = |backend: &str, flags: &str| {
        copy.build(&[
            ("KIRIN_BACKEND", OsStr::new(backend)),
            ("RUSTFLAGS", OsStr::new(flags)),
        ])
    };
    if cfg!(target_arch = "x86_64") {
        let build = with_flags("pext", "");
        let errors = build.errors();
        assert_eq!(errors.len(), 1, "{}", build.report);
        for part in [
            "KIRIN_BACKEND",
            "\"pext\"",
            "must be one of auto, table: ",
            "x86_64",
        ] {
            assert!(errors[0].contains(part), "{errors:?}");
        }
        for (backend, flags, served) in [
            ("", "", "table"),
            ("pext16", "-Ctarget-feature=+bmi2", "pext16"),
            ("", "-Ctarget-feature=+avx2", "table"),
            ("avx2", "-Ctarget-feature=+avx2", "avx2"),
            ("auto", "-Ctarget-cpu=x86-64-v3", "pext"),
        ] {
            let build = with_flags(backend, flags);
            assert!(
                build.tables() == default_text,
                "the layout's tables are the same for all"
            );
            let cfg = format!("kirin_backend=\\\"{served}\\\"");
            assert!(
                build.messages.contains(&cfg),
                "{backend} {flags}: {}",
                build.messages
            );
        }
        // Who asks for a layout is served by it, by variable or by feature.
        let build = copy.build(&[
            ("KIRIN_LAYOUT", OsStr::new("tiny")),
            ("RUSTFLAGS", OsStr::new("-Ctarget-cpu=x86-64-v3")),
        ]);
        assert!(build.tables() == expected(default.seed, Layout::Tiny));
        assert!(build.messages.contains("kirin_backend=\\\"table\\\""));
    }
    let mut command = copy.command(env!("CARGO"));
    command.args(["build", "-v", "-p", "kirin-chess", "--lib"]);
    command.args(["--features", "compact", "--message-format=json"]);
    let build = Build::of(command.output().expect("cargo runs"));
    assert!(build.tables() == expected(default.seed, Layout::Compact));
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let build = copy.build(&[("KIRIN_SEED", OsStr::from_bytes(b"\xff1"))]);
        assert_eq!(build.errors().len(), 1, "{}", build.report);
    }

    let mut after = BTreeMap::new();
    snapshot(&copy.source, &mut after);
    assert!(
        before == after,
        "something was written outside of the target directory"
    );
}

/// A path with spaces, sources that cannot be written (which a superuser could, so they are compared too), and a stack
/// of 1 MiB: the text is the same as anywhere.
#[test]
#[cfg(unix)]
#[ignore = "builds the engine: half a minute"]
fn place_permissions_and_stack_do_not_matter() {
    let copy = Copy::new("kirin in a path with spaces");
    let mut before = BTreeMap::new();
    snapshot(&copy.source, &mut before);
    let status = Command::new("chmod")
        .args(["-R", "a-w"])
        .arg(&copy.source)
        .status();
    assert!(status.expect("chmod runs").success());
    let mut command = copy.command("sh");
    command
        .args(["-c", "ulimit -s 1024 && exec \"$@\"", "sh", env!("CARGO")])
        .args(["build", "-v", "-p", "kirin-chess", "--lib", "--locked"])
        .arg("--message-format=json");
    let build = Build::of(command.output().expect("sh runs"));
    let default = Settings::default();
    assert!(build.tables() == expected(default.seed, default.layout));
    let mut after = BTreeMap::new();
    snapshot(&copy.source, &mut after);
    assert!(before == after);
}

/// Only `cargo vendor` may look at the network. The build gets an empty cargo home, where nothing lies in store.
#[test]
#[ignore = "fetches the dependencies and builds the engine: half a minute"]
fn vendored_and_offline() {
    let copy = Copy::new("kirin vendored");
    let output = copy
        .command(env!("CARGO"))
        .args(["vendor", "--locked", "vendor"])
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    fs::create_dir(copy.source.join(".cargo")).expect("a directory");
    fs::write(copy.source.join(".cargo/config.toml"), &output.stdout).expect("can be written");
    let mut command = copy.command(env!("CARGO"));
    command
        .args(["build", "-v", "-p", "kirin-chess", "--lib", "--frozen"])
        .arg("--message-format=json")
        .env("CARGO_HOME", copy.target.join("home"));
    let build = Build::of(command.output().expect("cargo runs"));
    let default = Settings::default();
    assert!(build.tables() == expected(default.seed, default.layout));
}

/// The library's own walk through every square and every subset of the full rays, and a million boards besides, with the
/// tables and the look-up of each layout, which must compile without a warning too.
#[test]
#[ignore = "builds the library's tests once a layout: a minute"]
fn every_layout_serves_the_library() {
    let copy = Copy::new("kirin layouts");
    for layout in Layout::ALL {
        let mut command = copy.command(env!("CARGO"));
        command
            .args(["test", "-p", "kirin-chess", "--lib", "tables"])
            .env("KIRIN_LAYOUT", layout.name());
        let start = Instant::now();
        let output = command.output().expect("cargo runs");
        let build = Build::of(output);
        println!("{}: {:.1} s", layout.name(), start.elapsed().as_secs_f64());
        assert!(
            build.good
                && build
                    .messages
                    .contains("look_ups_are_right_for_every_subset"),
            "{layout:?}: {}{}",
            build.messages,
            build.report
        );
        assert!(!build.report.contains("warning"), "{}", build.report);
    }
}

/// A dependant's profiles are its own, and cargo does not optimise build scripts in any of them.
#[test]
#[ignore = "builds the engine twice: a minute"]
fn dependants_build_quickly() {
    let copy = Copy::new("kirin dependant");
    let dependant = copy.source.join("../dependant");
    fs::create_dir_all(dependant.join("src")).expect("a directory");
    let manifest = "[package]\nname = \"dependant\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
                    [dependencies]\nkirin-chess = { path = \"../source\" }\n[workspace]\nresolver = \"2\"\n";
    fs::write(dependant.join("Cargo.toml"), manifest).expect("can be written");
    let code = "pub fn layout() -> &'static str {\n    kirin::generated::LAYOUT\n}\n";
    fs::write(dependant.join("src/lib.rs"), code).expect("can be written");
    for profile in ["dev", "release"] {
        let mut command = copy.command(env!("CARGO"));
        command
            .args(["build", "-v", "--message-format=json", "--profile", profile])
            .current_dir(&dependant);
        let start = Instant::now();
        let build = Build::of(command.output().expect("cargo runs"));
        let time = start.elapsed();
        let default = Settings::default();
        assert!(build.tables() == expected(default.seed, default.layout));
        println!(
            "{profile}: {:.1} s, everything included",
            time.as_secs_f64()
        );
        assert!(time.as_secs() < 60, "{profile}: {time:?}");
    }
}

#[test]
#[ignore = "asks cargo for the contents of both packages"]
fn packages_hold_what_they_need() {
    let list = |package: &str| {
        let output = Command::new(env!("CARGO"))
            .args(["package", "--list", "--allow-dirty", "-p", package])
            .current_dir(workspace())
            .output()
            .expect("cargo runs");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("text")
    };
    for (package, files) in [
        (
            "kirin-generator",
            &[
                "README.md",
                "data/evaluation.txt",
                "data/network.txt",
                "src/lib.rs",
            ][..],
        ),
        ("kirin-chess", &["build.rs", "src/lib.rs"]),
    ] {
        let list = list(package);
        for file in files.iter().chain(&["LICENSE-MIT", "LICENSE-APACHE"]) {
            assert!(
                list.lines().any(|line| line == *file),
                "{package} lacks {file}:\n{list}"
            );
        }
    }
}

/// The generator's package has its own copies of the licences, so that it does not depend on symbolic links.
#[test]
fn licences_are_the_same_in_both_packages() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.join("..");
    if !root.join("build.rs").exists() {
        return;
    }
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let read = |directory: &Path| fs::read(directory.join(name)).expect(name);
        assert!(read(here) == read(&root), "{name}");
    }
}

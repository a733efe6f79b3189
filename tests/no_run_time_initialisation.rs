//! Nothing is initialised at run time: no source file holds a cell that is filled when first
//! asked for, and no static that can be written.

use std::fs;
use std::path::Path;

/// What fills a table late, or lets it be changed.
const FORBIDDEN: [&str; 10] = [
    "OnceLock",
    "OnceCell",
    "LazyLock",
    "LazyCell",
    "lazy_static",
    "once_cell",
    "sync::Once",
    "static mut",
    "thread_local!",
    "ctor",
];

fn visit(directory: &Path, check: &mut impl FnMut(&Path, &str)) {
    let entries = fs::read_dir(directory).expect("the crate's sources can be read");
    for entry in entries {
        let path = entry.expect("an entry of a directory").path();
        if path.is_dir() {
            visit(&path, check);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("sources are UTF-8");
            check(&path, &text);
        }
    }
}

/// The user's endgame tables are opened when they are first asked, never without `SyzygyPath`.
const ALLOWED: [(&str, &str); 1] = [("bin/kirin/tables.rs", "OnceLock")];

/// Does `text` hold `words`, and not as a part of longer names or of a lifetime?
fn holds(text: &str, words: &str) -> bool {
    let in_name = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    text.match_indices(words).any(|(at, _)| {
        !text[..at].ends_with(in_name) && !text[at + words.len()..].starts_with(in_name)
    })
}

#[test]
fn sources_initialise_nothing_late() {
    let mut files = 0;
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    visit(&source, &mut |path, text| {
        for (number, line) in text.lines().enumerate() {
            // Comments may speak of what the code must not do.
            let code = line.split("//").next().unwrap_or(line);
            for forbidden in FORBIDDEN {
                if ALLOWED
                    .iter()
                    .any(|(file, words)| path.ends_with(file) && *words == forbidden)
                {
                    continue;
                }
                let place = format!("{}:{}", path.display(), number + 1);
                assert!(!holds(code, forbidden), "{place}: {forbidden}");
            }
        }
        files += 1;
    });
    assert!(files > 20, "{files}");
}

#[test]
fn library_is_no_std() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let text = fs::read_to_string(path).expect("the library's root can be read");
    assert!(text.lines().any(|line| line == "#![no_std]"));
    for line in text.lines() {
        assert!(!line.contains("extern crate std"), "{line}");
        assert!(!line.contains("extern crate alloc"), "{line}");
    }
}

//! What the documents promise to list is held against the sources.

use kirin::uci::{OptionKind, OPTIONS};
use std::fs;
use std::path::{Path, PathBuf};

const README: &str = include_str!("../README.md");
const UCI: &str = include_str!("../docs/uci.md");
const SAFETY: &str = include_str!("../docs/safety.md");

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory of the sources") {
        let path = entry.expect("readable").path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_unsafe_is_listed_and_argued() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for directory in ["src", "generator", "tests", "benches"] {
        sources(&root.join(directory), &mut files);
    }
    let is_unsafe = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        // In two pieces, so that this line is not found.
        ["{", "impl", "fn"]
            .iter()
            .any(|what| code.contains(&format!("{} {what}", "unsafe")))
    };
    let mut with_unsafe = 0;
    for file in &files {
        let text = fs::read_to_string(file).expect("a source");
        let lines: Vec<&str> = text.lines().collect();
        let places: Vec<usize> = (0..lines.len())
            .filter(|&at| is_unsafe(lines[at]))
            .collect();
        if places.is_empty() {
            continue;
        }
        with_unsafe += 1;
        let name = file
            .strip_prefix(root)
            .expect("below the root")
            .to_string_lossy();
        assert!(
            SAFETY.contains(&format!("`{name}`")),
            "{name} is not listed"
        );
        for at in places {
            let before = &lines[at.saturating_sub(12)..at];
            assert!(
                before
                    .iter()
                    .any(|line| line.contains("SAFETY:") || line.contains("# Safety")),
                "{name}:{}: no reason is given",
                at + 1
            );
        }
    }
    let listed = SAFETY.lines().filter(|line| line.starts_with("| `"));
    let listed: usize = listed
        .filter_map(|line| line.split('|').nth(1))
        .map(|cell| cell.matches(".rs`").count())
        .sum();
    assert_eq!(listed, with_unsafe, "docs/safety.md lists what is no more");
}

#[test]
fn every_option_is_in_the_tables_with_its_range() {
    for option in &OPTIONS {
        let row = |table: &'static str| {
            let begin = format!("| `{}` |", option.name);
            table
                .lines()
                .find(|line| line.starts_with(&begin))
                .unwrap_or_else(|| panic!("no row {begin}"))
        };
        let (readme, peers) = (row(README), row(UCI));
        if let OptionKind::Spin { default, min, max } = option.kind {
            assert!(
                readme.contains(&format!("| spin | {default} | {min} to {max} |")),
                "{readme}"
            );
            let own = peers.split('|').nth(2).expect("our column");
            assert!(own.contains(&format!("{min} to {max}")), "{own}");
            assert!(own.contains(&format!("default {default}")), "{own}");
        }
    }
}

/// No cell of ours is empty or a mere dash.
#[test]
fn our_column_is_full() {
    let rows = UCI.lines().filter(|line| line.starts_with("| "));
    let mut count = 0;
    for row in rows {
        let cells: Vec<&str> = row.split(" | ").map(str::trim).collect();
        assert_eq!(cells.len(), 4, "{row}");
        assert!(cells[1].len() > 2 && cells[1] != "-", "{row}");
        count += 1;
    }
    assert!(count > 40);
}

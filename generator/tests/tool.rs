//! The tool as a user meets it: outputs, exit status, and one line for each error.

use std::process::{Command, Output};

use kirin_generator::{generate, Layout, Settings};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kirin-generator"))
        .args(arguments)
        .output()
        .expect("the tool runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

#[test]
fn generate_writes_what_the_library_makes() {
    let expected = generate(&Settings {
        seed: 42,
        layout: Layout::Plain,
    })
    .expect("any seed works")
    .to_rust();
    let output = run(&["generate", "--seed", "0x2a", "--layout", "plain"]);
    assert!(output.status.success());
    assert!(text(&output.stdout) == expected);
    let path = std::env::temp_dir().join(format!("kirin generator test {}.rs", std::process::id()));
    let output = run(&[
        "generate",
        "--layout",
        "plain",
        "--out",
        path.to_str().expect("text"),
        "--seed",
        "42",
    ]);
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty());
    let written = std::fs::read_to_string(&path).expect("was written");
    std::fs::remove_file(&path).expect("was there");
    assert!(written == expected);
}

#[test]
fn stats_has_a_line_for_each_layout() {
    let output = run(&["stats", "--seed", "3", "--timings"]);
    let report = text(&output.stdout);
    assert!(output.status.success());
    for layout in Layout::ALL {
        let lines = report
            .lines()
            .filter(|line| line.split(' ').next() == Some(layout.name()));
        // One of sizes, and the heading of the stages.
        assert_eq!(lines.count(), 2, "{report}");
    }
    assert!(
        report.contains("107648") && report.contains(" ms"),
        "{report}"
    );
}

#[test]
fn help_and_version_are_given() {
    for arguments in [&["--help"][..], &["-h"], &["stats", "--help"]] {
        let output = run(arguments);
        assert!(output.status.success() && text(&output.stdout).contains("Usage:"));
    }
    let output = run(&["--version"]);
    assert_eq!(
        text(&output.stdout),
        format!("kirin-generator {}\n", kirin_generator::VERSION)
    );
}

#[test]
fn wrong_usage_ends_with_status_2_and_one_line() {
    for (arguments, part) in [
        (&[][..], "--help"),
        (&["paint"], "\"paint\" is not a command"),
        (&["generate", "--seed"], "--seed needs a value"),
        (&["generate", "--seed", "x"], "--seed is \"x\", but must be"),
        (
            &["generate", "--seed", "1", "--seed", "2"],
            "--seed is given twice",
        ),
        (
            &["generate", "--layout", "dense"],
            "--layout is \"dense\", but must be one of",
        ),
        (
            &["generate", "--squares", "h1"],
            "--squares is \"h1\", but must be one of a8, a1",
        ),
        (&["verify"], "verify needs a FILE"),
        (&["verify", "a", "b"], "FILE is given twice"),
        (&["show", "--piece", "rook"], "show needs --square"),
        (&["show", "--piece", "pawn"], "--piece is \"pawn\""),
        (
            &["show", "--piece", "king", "--square", "e9"],
            "--square is \"e9\"",
        ),
        (
            &["generate", "--colour", "red"],
            "\"--colour\" is not an option of generate",
        ),
        (
            &["stats", "--out", "x"],
            "\"--out\" is not an option of stats",
        ),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let line = text(&output.stderr);
        assert!(
            line.contains(part) && line.lines().count() == 1 && output.stdout.is_empty(),
            "{line}"
        );
    }
}

#[test]
fn what_was_generated_can_be_verified() {
    let path = std::env::temp_dir().join(format!("kirin verify {}", std::process::id()));
    let path = path.to_str().expect("text");
    for language in ["rust", "c", "json", "list"] {
        let written = run(&[
            "generate",
            "--lang",
            language,
            "--squares",
            "a1",
            "--out",
            path,
        ]);
        assert!(written.status.success());
        let output = run(&["verify", path]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).starts_with("proven: "));
    }
    let list = std::fs::read_to_string(path).expect("was written");
    std::fs::write(path, list.replace("rook e4 0x0", "rook e4 0x1")).expect("can be written");
    let output = run(&["verify", path]);
    std::fs::remove_file(path).expect("was there");
    assert_eq!(output.status.code(), Some(1));
    let line = text(&output.stderr);
    assert!(
        line.contains("corrupted") && line.lines().count() == 1,
        "{line}"
    );
}

#[test]
fn show_draws_boards() {
    let output = run(&[
        "show",
        "--piece",
        "rook",
        "--square",
        "a1",
        "--occupied",
        "0x0001000000000000",
    ]);
    let drawing = text(&output.stdout);
    assert!(output.status.success());
    // The rook, a neighbour that it attacks and that blocks it, and its row.
    for line in [
        "2 x . . . . . . .       2 x . . . . . . .       2 x . . . . . . .",
        "3 x . . . . . . .       3 . . . . . . . .       3 . . . . . . . .",
        "1 O x x x x x x .       1 O . . . . . . .       1 O x x x x x x x",
    ] {
        assert!(drawing.contains(line), "{drawing}");
    }
    // The same square by its number from the other end.
    let other = run(&[
        "show",
        "--piece",
        "rook",
        "--square",
        "a8",
        "--squares",
        "a1",
        "--occupied",
        "0x0001000000000000",
    ]);
    assert!(text(&other.stdout).contains("number 56 from a1 = 0"));
    let king = run(&["show", "--piece", "king", "--square", "h1"]);
    assert!(text(&king.stdout).contains("attacks, 3"));
}

#[test]
fn failed_work_ends_with_status_1_and_one_line() {
    let output = run(&["generate", "--out", "/no such directory/tables.rs"]);
    assert_eq!(output.status.code(), Some(1));
    let line = text(&output.stderr);
    assert!(
        line.contains("cannot write --out") && line.lines().count() == 1,
        "{line}"
    );
}

/// One search whole; the same over threads; in shards, joined; and interrupted and taken up again.
#[test]
fn searches_are_the_same_however_they_are_cut() {
    let directory = std::env::temp_dir().join(format!("kirin search {}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let path = |name: &str| directory.join(name).to_str().expect("text").to_owned();
    let search = |name: &str, more: &[&str]| {
        let out = path(name);
        let mut arguments = vec!["search", "--out", &out, "--seed", "3", "--piece", "bishop"];
        arguments.extend(["--square", "b2"]);
        arguments.extend(more);
        let output = run(&arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        std::fs::read_to_string(path(name)).expect("was written")
    };
    let budget = ["--budget", "6M"];
    let whole = search("whole", &[&budget[..], &["--threads", "1"]].concat());
    assert!(whole.contains("bishop b2 0x"), "{whole}");
    assert_eq!(
        search("threads", &[&budget[..], &["--threads", "3"]].concat()),
        whole
    );
    for shard in ["1/3", "2/3", "3/3"] {
        search(
            &shard[..1],
            &[&budget[..], &["--shard", shard, "--threads", "1"]].concat(),
        );
    }
    let output = run(&[
        "merge",
        &path("1"),
        &path("2"),
        &path("3"),
        "--out",
        &path("joined"),
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let joined = std::fs::read_to_string(path("joined")).expect("was written");
    assert_eq!(joined, whole);
    search("again", &["--budget", "1M", "--threads", "1"]);
    assert_eq!(search("again", &budget), whole);

    // A file of another search is not overwritten.
    let out = path("whole");
    let output = run(&["search", "--out", &out, "--seed", "4", "--budget", "1K"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("belongs to another search"));
    let output = run(&["records", &path("whole")]);
    assert!(output.status.success() && text(&output.stdout).contains("slots used in all"));
    for (arguments, part) in [
        (&["search"][..], "search needs --out"),
        (
            &["search", "--out", "x", "--budget", "0"],
            "--budget is \"0\"",
        ),
        (
            &["search", "--out", "x", "--shard", "3/2"],
            "--shard is \"3/2\"",
        ),
        (&["merge", "--out", "x"], "merge needs a FILE"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(part));
    }
    let _ = std::fs::remove_dir_all(&directory);
}

/// The dense magics that the crate holds are found again by the command that found them.
#[test]
#[ignore = "for optimised builds: ten seconds there"]
fn the_committed_search_is_repeated() {
    let path = std::env::temp_dir().join(format!("kirin dense {}", std::process::id()));
    let path = path.to_str().expect("text");
    let output = run(&[
        "search", "--out", path, "--seed", "1", "--piece", "bishop", "--budget", "300M",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found = std::fs::read_to_string(path).expect("was written");
    std::fs::remove_file(path).expect("was there");
    assert!(found == include_str!("../data/dense.txt"));
}

/// So is a key of one bit less than the mask: the rook's on d2.
#[test]
#[ignore = "for optimised builds: ten seconds there"]
fn a_committed_short_key_is_found_again() {
    let path = std::env::temp_dir().join(format!("kirin short {}", std::process::id()));
    let path = path.to_str().expect("text");
    let output = run(&[
        "search", "--out", path, "--seed", "1", "--keys", "short", "--piece", "rook", "--square",
        "d2", "--budget", "1",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found = std::fs::read_to_string(path).expect("was written");
    std::fs::remove_file(path).expect("was there");
    let best = found
        .lines()
        .find(|line| line.starts_with("rook d2 "))
        .expect("one");
    assert!(include_str!("../data/chosen.txt").contains(best));
}

/// Packing as a command: the same seed and budget give the same file, and another budget a shorter table.
#[test]
fn magics_are_chosen_and_packed() {
    let directory = std::env::temp_dir().join(format!("kirin choose {}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("can be made");
    let path = |name: &str| directory.join(name).to_str().expect("text").to_owned();
    let found = path("found");
    // What the crate holds, as a file that a search might have left.
    let head = "# Dense magics, found by kirin-generator 0: search --seed 0x1\n\
                # plan 0x0, shard 1/1, 7 jobs done, 0 slots used by the densest of each square\n";
    let mut list = head.to_owned();
    for candidate in kirin_generator::dense::known().list() {
        let mut one = kirin_generator::dense::Best::default();
        one.add(*candidate);
        list.push_str(&one.to_text());
    }
    std::fs::write(&found, list).expect("can be written");
    let choose = |out: &str, more: &[&str]| {
        let out = path(out);
        let mut arguments = vec!["choose", &found, "--layout", "folded", "--out", &out];
        arguments.extend(more);
        let output = run(&arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let said = text(&output.stdout);
        let slots: usize = said
            .split_whitespace()
            .rev()
            .nth(1)
            .and_then(|word| word.parse().ok())
            .expect("a size at the end");
        (std::fs::read_to_string(&out).expect("is written"), slots)
    };
    let first = choose("first", &["--seed", "5", "--budget", "20"]);
    assert_eq!(choose("again", &["--seed", "5", "--budget", "20"]), first);
    let longer = choose("longer", &["--seed", "5", "--budget", "300"]);
    assert!(longer.1 < first.1);
    assert!(longer
        .0
        .contains("--seed 0x5 and 300 of\n# --budget 300 moves"));
    let chosen = kirin_generator::dense::Chosen::parse(&longer.0).expect("can be read");
    assert_eq!(chosen.list().len(), 64);
    for (arguments, part) in [
        (&["choose", &found][..], "choose needs --out"),
        (
            &["choose", &found, "--out", "x", "--layout", "fancy"],
            "--layout of choose must be overlapped or folded",
        ),
        (
            &["choose", "--out", "x"],
            "no file has a magic for the bishop on a8",
        ),
    ] {
        let output = run(arguments);
        assert!(!output.status.success());
        assert!(text(&output.stderr).contains(part), "{part}");
    }
    std::fs::remove_dir_all(&directory).expect("was there");
}

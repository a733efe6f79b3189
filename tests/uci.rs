//! Conversations with the real program: what a GUI sends, what a script pipes in, and what
//! nobody should. Waiting times are generous; what counts is who says what, and how often.

mod common;

use common::engine::{count, nodes_of_last_info, pipe, Engine, PATIENCE};
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const STARTPOS_MOVES: usize = 20;

#[test]
fn the_handshake_is_complete_and_not_unasked_for() {
    let mut engine = Engine::start();
    engine.sync();
    engine.send("uci");
    engine.expect("uciok");
    engine.send("ucinewgame");
    engine.send("uci");
    engine.expect("uciok");
    let heard = engine.quit();
    assert_eq!(heard[0], "readyok");
    assert_eq!(count(&heard, "id name Kirin"), 2);
    assert_eq!(count(&heard, "id author"), 2);
    assert_eq!(
        count(&heard, "option name Hash type spin default 16 min 1 max"),
        2
    );
    assert_eq!(
        count(&heard, "option name Threads type spin default 1 min 1 max"),
        2
    );
    assert_eq!(count(&heard, "info"), 0);
}

#[test]
fn go_and_stop_race() {
    let mut engine = Engine::start();
    for round in 1..=20 {
        engine.send("go infinite\nstop");
        engine.expect("bestmove ");
        assert_eq!(count(&engine.heard, "bestmove "), round);
    }
    // And without waiting for the answers.
    for _ in 0..20 {
        engine.send("go infinite\nstop\ngo ponder wtime 1000 btime 1000\nstop");
    }
    engine.sync();
    let heard = engine.quit();
    assert_eq!(count(&heard, "bestmove "), 60);
    assert_eq!(count(&heard, "info string"), 0);
}

#[test]
fn isready_is_answered_during_a_search() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.expect("info depth 1 ");
    engine.sync();
    engine.sync();
    engine.send("stop");
    engine.expect("bestmove ");
    let heard = engine.quit();
    let best = heard.iter().position(|line| line.starts_with("bestmove "));
    let ready = heard.iter().rposition(|line| line == "readyok");
    assert!(ready < best, "{heard:#?}");
}

#[test]
fn a_refused_position_leaves_the_old_one() {
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4");
    assert_eq!(engine.fen(), after_e4);
    for bad in [
        &b"position"[..],
        b"position fen",
        b"position fen 4k3/8/8/8/8/8/8/8 w - - 0 1",
        b"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        b"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 -5",
        b"position fen rnbq\xffbnr/pppppppp /(",
        b"position startpos moves e2e5",
        b"position startpos moves e2e4 e7e5 e4e5",
        b"position startpos moves 0000",
        b"position startpos moves e2e4 zz99 \xc3\xa92\xc3\xa94",
    ] {
        let before = engine.heard.len();
        engine.send_bytes(bad);
        engine.send_bytes(b"\n");
        engine.sync();
        let said = &engine.heard[before..];
        assert_eq!(count(said, "info string error: "), 1, "{said:?}");
        assert_eq!(said.len(), 2, "{said:?}");
        assert_eq!(engine.fen(), after_e4);
    }
    assert!(engine
        .heard
        .iter()
        .any(|line| { line == "info string error: illegal move 'e4e5' (move 3 of the list)" }));
    engine.quit();
}

#[test]
fn a_position_during_a_search_is_for_the_next() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.expect("info depth 1 ");
    // After these moves black is in check and has few answers, none of them white's.
    engine.send("position startpos moves e2e4 f7f6 d2d4 g7g5 d1h5");
    engine.send("stop");
    let best = engine.expect("bestmove ");
    assert!(matches!(best.as_bytes()[10], b'1' | b'2'), "{best}");
    engine.send("go depth 3");
    assert_eq!(engine.expect("bestmove "), "bestmove (none)");
    engine.quit();
}

#[test]
fn a_second_go_is_refused() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.expect("info depth 1 ");
    engine.send("go depth 1");
    engine.expect("info string error: 'go'");
    engine.send("stop");
    engine.expect("bestmove ");
    engine.send("go depth 1");
    engine.expect("bestmove ");
    assert_eq!(count(&engine.quit(), "bestmove "), 2);
}

#[test]
fn each_go_has_one_answer() {
    let mut engine = Engine::start();
    let mut due = 0;
    // These end by themselves.
    for go in [
        "go depth 1",
        "go depth 0",
        "go nodes 1",
        "go nodes 0",
        "go movetime 0",
        "go movetime -1",
        "go movetime 20",
        "go wtime 0 btime 0",
        "go wtime 0 btime 0 winc 0 binc 0",
        "go wtime -5 btime -5 movestogo -5",
        "go wtime 50 btime 50 movestogo 0",
        "go btime 50",
        "go wtime 20 btime 20 winc 99999999999999999999 binc 10",
        "go mate 1 depth 2",
        "go searchmoves a2a3 h2h3 depth 2",
        "go depth 2 searchmoves a1a2 e2e5",
        "go blah depth 1 blah",
        "go movetime depth 2",
    ] {
        engine.send(go);
        engine.expect("bestmove ");
        due += 1;
        assert_eq!(count(&engine.heard, "bestmove "), due, "{go}");
    }
    // These wait.
    for go in [
        "go",
        "go infinite",
        "go infinite depth 1",
        "go mate",
        "go depth",
        "go movetime abc",
        "go depth 99999999999999999999",
        "go ponder",
        "go ponder wtime 10 btime 10",
        "go ponder depth 1",
    ] {
        engine.send(go);
        engine.expect("info ");
        engine.sync();
        assert_eq!(count(&engine.heard, "bestmove "), due, "{go}");
        engine.send("stop");
        engine.expect("bestmove ");
        due += 1;
    }
    engine.send("stop\nponderhit\nstop");
    engine.sync();
    let heard = engine.quit();
    assert_eq!(count(&heard, "bestmove "), due);
    for field in ["movetime", "mate", "depth"] {
        assert_eq!(
            count(&heard, &format!("info string error: go {field}: ")),
            {
                if field == "movetime" {
                    2
                } else {
                    1
                }
            }
        );
    }
}

#[test]
fn an_infinite_search_that_has_ended_holds_its_answer() {
    let mut engine = Engine::start();
    for fen in [
        "8/5kR1/8/3K4/8/8/8/8 b - - 0 143",
        "k7/8/1K6/1R6/8/8/8/8 w - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send("go infinite");
        let said = engine.listen(Duration::from_millis(400));
        assert_eq!(count(&said, "bestmove "), 0, "{fen}");
        engine.send("stop");
        engine.expect("bestmove ");
    }
    assert_eq!(count(&engine.quit(), "bestmove "), 3);
}

#[test]
fn pondering_ends_by_ponderhit_or_stop() {
    let mut engine = Engine::start();
    engine.send("go ponder movetime 100");
    let said = engine.listen(Duration::from_millis(400));
    assert_eq!(count(&said, "bestmove "), 0);
    let hit = Instant::now();
    engine.send("ponderhit");
    engine.expect("bestmove ");
    // The clock ran from ponderhit: the time was not already over.
    assert!(hit.elapsed() > Duration::from_millis(50));
    // A search that had nothing left to look at answers at once.
    engine.send("go ponder depth 1");
    engine.expect("info depth 1 ");
    engine.send("ponderhit");
    engine.expect("bestmove ");
    assert_eq!(count(&engine.quit(), "bestmove "), 2);
}

#[test]
fn mate_and_stalemate_have_no_move() {
    let mut engine = Engine::start();
    for (fen, score) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
    ] {
        engine.send(&format!("position fen {fen}"));
        for go in ["go depth 3", "go movetime 50", "go wtime 100 btime 100"] {
            engine.send(go);
            assert!(engine.expect("info depth 0 score ").ends_with(score));
            assert_eq!(engine.expect("bestmove "), "bestmove (none)");
        }
    }
    engine.quit();
}

#[test]
fn the_end_of_input_ends_the_program() {
    // What is bounded is answered in full.
    let heard = pipe(b"go depth 5\n");
    assert_eq!(count(&heard, "bestmove "), 1);
    assert!(heard.iter().any(|line| line.starts_with("info depth 5 ")));
    // What is not is stopped.
    assert_eq!(count(&pipe(b"go infinite\n"), "bestmove "), 1);
    assert_eq!(count(&pipe(b"go ponder depth 2\n"), "bestmove "), 1);
    // A last line without its end counts.
    assert_eq!(pipe(b"isready"), ["readyok"]);
    assert!(pipe(b"").is_empty());
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.expect("info depth 1 ");
    engine.close_input();
    assert!(engine.end().0.success());
}

#[test]
fn quit_is_heard_during_a_search() {
    for go in ["go infinite", "go depth 120", "go perft 20", "bench 100"] {
        let mut engine = Engine::start();
        engine.send(go);
        engine.sync();
        thread::sleep(Duration::from_millis(50));
        let begun = Instant::now();
        let heard = engine.quit();
        assert!(begun.elapsed() < Duration::from_secs(10), "{go}");
        // A count that isn't whole is not shown as if it were.
        let broken = ["Bench: ", "Nodes searched"].map(|prefix| count(&heard, prefix));
        assert_eq!(broken, [0, 0], "{go}");
        let stopped = ["info string bench was stopped", "info string perft"];
        let said: usize = stopped.iter().map(|prefix| count(&heard, prefix)).sum();
        assert_eq!(
            said,
            usize::from(!go.starts_with("go infinite") && !go.contains("depth"))
        );
    }
}

#[test]
fn odd_lines_do_no_harm() {
    let heard = pipe(b"\r\n  \t \n\xef\xbb\xbfisready\r\n\xff\xfe\x00\x01\n  isready  \njoho debug on\n\
          position startpos moves e2e4\r\nisready\r\nsetoption\nregister later\n\x1b[A\nd\n# quit\n");
    assert_eq!(count(&heard, "readyok"), 3);
    assert_eq!(count(&heard, "info string error: "), 3, "{heard:#?}");
    assert_eq!(count(&heard, "Fen: rnbqkbnr/pppppppp/8/8/4P3/"), 1);
}

#[test]
fn a_line_may_be_long() {
    let mut line = b"position startpos moves".to_vec();
    for _ in 0..20_000 {
        line.extend_from_slice(b" g1f3 g8f6 f3g1 f6g8");
    }
    line.extend_from_slice(b" e2e4\nd\ngo depth 2\n");
    let heard = pipe(&line);
    assert_eq!(
        count(
            &heard,
            "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"
        ),
        1
    );
    assert_eq!(count(&heard, "bestmove "), 1);
    let mut junk = vec![b'x'; 3_000_000];
    junk.extend_from_slice(b"\nisready\n");
    let heard = pipe(&junk);
    assert_eq!(count(&heard, "readyok"), 1);
    assert!(heard.iter().all(|line| line.len() < 200));
}

#[test]
fn a_closed_output_ends_the_program_quietly() {
    for input in ["uci\n", "go depth 30\n"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kirin"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("piped");
        stdin
            .write_all(input.as_bytes())
            .expect("the program reads");
        // A child of another test may hold the pipe open for a moment, so one line may get out.
        let deadline = Instant::now() + PATIENCE;
        while child.try_wait().expect("it can be waited for").is_none() {
            assert!(Instant::now() < deadline, "it doesn't end");
            let _ = stdin.write_all(b"isready\n");
            thread::sleep(Duration::from_millis(5));
        }
        let output = child.wait_with_output().expect("it has ended");
        assert!(output.status.success(), "{}", output.status);
        assert!(
            output.stderr.is_empty(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn options_are_set_or_refused_in_words() {
    let mut engine = Engine::start();
    for (line, errors) in [
        ("setoption name Hash value 1", 0),
        ("setoption name hash value 7", 0),
        ("setoption name HASH value 7", 0),
        ("setoption name Clear Hash", 0),
        ("setoption name Move Overhead value 100", 0),
        ("setoption name Ponder value true", 0),
        ("setoption name Threads value 1", 0),
        ("setoption name MultiPV value 256", 0),
        ("setoption name UCI_ShowWDL value true", 0),
        ("setoption name UCI_ShowWDL value false", 0),
        ("setoption name UCI_ShowWDL value yes", 1),
        ("setoption name UCI_ShowWDL", 1),
        ("setoption name UCI_AnalyseMode value true", 0),
        ("setoption name UCI_AnalyseMode value", 1),
        ("setoption name UCI_EngineAbout value anything", 0),
        ("setoption name Debug Log File", 0),
        ("setoption name Debug Log File value <empty>", 0),
        ("setoption name Debug Log File value .", 1),
        (
            "setoption name Debug Log File value no/such/directory/log",
            1,
        ),
        ("setoption name multipv value 1", 0),
        ("setoption name Hash value 0", 1),
        ("setoption name Hash value -1", 1),
        ("setoption name Hash value 99999999999", 1),
        ("setoption name Hash value abc", 1),
        ("setoption name Hash value", 1),
        ("setoption name Hash", 1),
        ("setoption name", 1),
        ("setoption", 1),
        ("setoption value 3", 1),
        ("setoption name NoSuchThing value 3", 1),
        ("setoption name Threads value 0", 1),
        ("setoption name Threads value 257", 1),
        ("setoption name MultiPV value 0", 1),
        ("setoption name MultiPV value 257", 1),
        ("setoption name OwnBook value true", 0),
        ("setoption name OwnBook value maybe", 1),
        ("setoption name Book File", 0),
        ("setoption name Book File value no/such/book", 1),
        ("setoption name SyzygyPath", 0),
        ("setoption name SyzygyPath value <empty>", 0),
        ("setoption name SyzygyProbeDepth value 0", 1),
        ("setoption name SyzygyProbeDepth value 101", 1),
        ("setoption name SyzygyProbeLimit value 0", 0),
        ("setoption name SyzygyProbeLimit value 8", 1),
        ("setoption name Syzygy50MoveRule value false", 0),
    ] {
        let before = engine.heard.len();
        engine.send(line);
        engine.sync();
        let said = &engine.heard[before..];
        assert_eq!(
            count(said, "info string error: setoption"),
            errors,
            "{line}: {said:?}"
        );
        assert_eq!(said.len(), errors + 1, "{line}: {said:?}");
    }
    engine.send("go depth 3");
    engine.expect("bestmove ");
    // During a search a change waits, and nothing hangs.
    engine.send("go infinite");
    engine.expect("info depth 1 ");
    for line in [
        "setoption name Hash value 8",
        "setoption name Clear Hash",
        "ucinewgame",
    ] {
        engine.send(line);
        engine.expect("info string ");
        engine.sync();
    }
    engine.send("stop");
    engine.expect("bestmove ");
    engine.send("go depth 3");
    engine.expect("bestmove ");
    assert_eq!(count(&engine.quit(), "bestmove "), 3);
}

#[test]
fn a_new_game_forgets_the_old() {
    let mut engine = Engine::start();
    let mut counts = Vec::new();
    for game in ["startpos", "startpos moves e2e4 e7e5 g1f3", "startpos"] {
        engine.send("ucinewgame");
        engine.send(&format!("position {game}"));
        engine.send("go depth 6");
        engine.expect("bestmove ");
        counts.push(nodes_of_last_info(&engine.heard));
    }
    assert_eq!(counts[0], counts[2]);
    engine.quit();
}

#[test]
fn perft_counts_and_can_be_stopped() {
    let heard = pipe(b"position startpos moves e2e4\ngo perft 3\n");
    assert_eq!(
        heard.iter().filter(|line| line.contains(": ")).count(),
        STARTPOS_MOVES + 1
    );
    assert_eq!(
        heard.last().map(String::as_str),
        Some("Nodes searched: 13160")
    );
    let mut engine = Engine::start();
    engine.send("go perft 15");
    engine.sync();
    engine.send("stop");
    engine.expect("info string perft");
    engine.send("go depth 1");
    engine.expect("bestmove ");
    let heard = engine.quit();
    assert_eq!(count(&heard, "bestmove "), 1);
    assert_eq!(count(&heard, "Nodes searched"), 0);
}

fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_kirin"))
        .args(args)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("our text is UTF-8");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn bench_is_the_same_under_uci_and_on_the_command_line() {
    let signature = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        assert!(
            matches!(words[..], ["Bench:", _, "nodes", nps, "nps"] if nps.parse::<u64>().is_ok()),
            "{line}"
        );
        words[1].parse::<u64>().expect("a number")
    };
    let (status, output, errors) = run(&["bench", "3"]);
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    let expected = signature(output.lines().last().expect("a last line"));
    assert!(expected > 0);
    let mut engine = Engine::start();
    // What was searched before must not show.
    engine.send("go depth 5");
    engine.expect("bestmove ");
    engine.send("bench 3");
    assert_eq!(signature(&engine.expect("Bench: ")), expected);
    assert_eq!(count(&engine.quit(), "bestmove "), 1);
}

#[test]
fn the_command_line_keeps_its_contract() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for args in [&["perft", "2", kiwipete][..], &["perft", "2", kiwipete, ""]] {
        let (status, output, _) = run(args);
        assert_eq!(status, Some(0));
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines.len(), 48 + 3);
        assert!(lines.contains(&"e1g1: 43"), "{output}");
        assert_eq!(lines[49], "Nodes searched: 2039");
        assert!(lines[50].starts_with("seconds: 0."));
    }
    // Threads and a table change nothing that is printed, the time apart.
    let untimed = |args: &[&str]| {
        let (status, output, errors) = run(args);
        assert_eq!((status, errors.as_str()), (Some(0), ""), "{args:?}");
        output
            .lines()
            .filter(|line| !line.starts_with("seconds"))
            .map(String::from)
            .collect()
    };
    let plain: Vec<String> = untimed(&["perft", "3", kiwipete]);
    let quick = ["perft", "3", "--threads", "3", kiwipete, "--hash", "4"];
    assert_eq!(untimed(&quick), plain);
    let pieces: Vec<&str> = ["perft", "1"]
        .into_iter()
        .chain(kiwipete.split(' '))
        .collect();
    assert!(run(&pieces).1.contains("Nodes searched: 48\n"));
    let (status, output, _) = run(&["--version"]);
    assert_eq!(
        (status, output),
        (Some(0), format!("Kirin {}\n", env!("CARGO_PKG_VERSION")))
    );
    for args in [
        &["--help"][..],
        &["-h"],
        &["perft", "--help"],
        &["tables"],
        &["eval"],
    ] {
        let (status, output, errors) = run(args);
        assert_eq!((status, errors.as_str()), (Some(0), ""), "{args:?}");
        assert!(output.ends_with('\n'), "{args:?}");
    }
    for args in [
        &["nonsense"][..],
        &["perft"],
        &["perft", "1", "8/8"],
        &["bench", "-3"],
    ] {
        let (status, output, errors) = run(args);
        assert_eq!((status, output.as_str()), (Some(2), ""), "{args:?}");
        assert_eq!(errors.lines().count(), 1, "{args:?}: {errors}");
    }
}

/// A small stack, as some shells and supervisors set it, is the main thread's alone.
#[cfg(unix)]
#[test]
fn a_small_stack_is_enough() {
    let mut command = Command::new("sh");
    let script = format!("ulimit -s 512 && exec '{}'", env!("CARGO_BIN_EXE_kirin"));
    let mut engine = Engine::of(command.args(["-c", &script]));
    engine.send("ucinewgame");
    engine.send("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -");
    engine.send("go movetime 300");
    engine.expect("bestmove ");
    engine.send("bench 4");
    engine.expect("Bench: ");
    engine.send("go perft 4");
    engine.expect("Nodes searched: 4085603");
    engine.quit();
}

/// A table of perft that can't be had is an error; and so are threads, with nothing counted.
#[cfg(target_os = "linux")]
#[test]
fn perft_says_what_can_not_be_had() {
    for (options, expected) in [
        (
            "--hash 1000",
            "kirin: perft: --hash: 1000 MiB of memory can't be had\n",
        ),
        (
            "--threads 200",
            "kirin: perft: --threads: no thread can be had: ",
        ),
    ] {
        let kirin = env!("CARGO_BIN_EXE_kirin");
        let script = format!("ulimit -v 200000 && exec '{kirin}' perft 30 {options}");
        let output = Command::new("sh")
            .args(["-c", &script])
            .output()
            .expect("sh runs");
        let errors = String::from_utf8(output.stderr).expect("text");
        assert!(
            errors.starts_with(expected) && errors.lines().count() == 1,
            "{errors}"
        );
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    }
}

/// Where neither a thread nor a hash table can be had there is still a move.
#[cfg(target_os = "linux")]
#[test]
fn little_memory_is_enough_to_move() {
    let script = format!("ulimit -v 9000 && exec '{}'", env!("CARGO_BIN_EXE_kirin"));
    let mut engine = Engine::of(Command::new("sh").args(["-c", &script]));
    engine.send("setoption name Hash value 1000");
    engine.expect("info string error: setoption Hash: 1000 MiB");
    engine.send("go depth 2");
    engine.expect("bestmove ");
    engine.send("go infinite");
    engine.expect("bestmove ");
    assert_eq!(count(&engine.quit(), "bestmove "), 2);
}

#[test]
fn a_go_during_a_bounded_search_waits_for_its_turn() {
    let said = pipe(
        b"position startpos\ngo depth 10\nposition startpos moves e2e4\ngo depth 10\n\
          ucinewgame\nposition startpos\ngo depth 10\ngo perft 3\n",
    );
    let best: Vec<&String> = said
        .iter()
        .filter(|line| line.starts_with("bestmove"))
        .collect();
    assert_eq!(best.len(), 3, "{said:#?}");
    // The second is black's, and the third, after `ucinewgame`, is the first once more.
    assert!(
        best[1].as_bytes()[10] >= b'7' && best[1].as_bytes()[10] <= b'8',
        "{}",
        best[1]
    );
    assert_eq!(best[0], best[2]);
    assert_eq!(
        said.last().map(String::as_str),
        Some("Nodes searched: 8902")
    );
}

#[test]
fn stop_ends_what_waits_too() {
    let mut engine = Engine::start();
    engine.send("go depth 127");
    engine.send("go movetime 600000");
    engine.send("go depth 127");
    engine.sync();
    engine.send("stop");
    for _ in 0..3 {
        engine.expect("bestmove");
    }
    assert_eq!(count(&engine.quit(), "bestmove"), 3);
}

#[test]
fn a_waiting_search_counts_its_time_from_its_own_beginning() {
    let mut engine = Engine::start();
    engine.send("go movetime 300");
    engine.send("go movetime 300");
    engine.sync();
    engine.expect("bestmove");
    let begun = Instant::now();
    engine.expect("bestmove");
    assert!(begun.elapsed() >= Duration::from_millis(200));
    engine.quit();
}

#[test]
fn perft_beyond_all_counting_is_refused() {
    for depth in ["65", "10000", "99999999999", "x", ""] {
        let said = pipe(format!("go perft {depth}\nisready\n").as_bytes());
        assert_eq!(count(&said, "info string error: go perft"), 1, "{said:#?}");
        assert_eq!(count(&said, "bestmove"), 0, "{said:#?}");
        assert_eq!(count(&said, "readyok"), 1, "{said:#?}");
    }
    assert_eq!(run(&["perft", "1000000"]).0, Some(2));
}

/// Pages that no search has touched stay untouched, and input is not held up.
#[test]
#[cfg(target_os = "linux")]
fn a_large_table_is_cleared_without_being_written() {
    let resident_kib = |engine: &Engine| -> u64 {
        let path = format!("/proc/{}/status", engine.child.id());
        let status = std::fs::read_to_string(path).expect("Linux tells");
        let line = status
            .lines()
            .find(|line| line.starts_with("VmRSS:"))
            .expect("it is there");
        line.split_whitespace()
            .nth(1)
            .and_then(|kib| kib.parse().ok())
            .expect("a number")
    };
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 512");
    engine.send("go depth 5");
    engine.expect("bestmove");
    for line in ["ucinewgame", "setoption name Clear Hash", "go depth 5"] {
        engine.send(line);
        engine.sync();
    }
    engine.expect("bestmove");
    assert!(
        resident_kib(&engine) < 100_000,
        "{} KiB",
        resident_kib(&engine)
    );
    engine.quit();
}

/// A client that dies in the middle of a search of its own making leaves no orphan behind.
#[test]
fn a_search_for_nobody_ends() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kirin"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    // Two moves from the start no mate is to be found.
    input
        .write_all(b"position startpos\ngo mate 2\n")
        .expect("the program reads");
    drop(child.stdout.take());
    drop(input);
    let deadline = Instant::now() + PATIENCE;
    while child.try_wait().expect("it can be waited for").is_none() {
        assert!(Instant::now() < deadline, "it works for nobody");
        thread::sleep(Duration::from_millis(10));
    }
}

/// The move of the last line reported is the one that is played.
fn assert_consistent(lines: &[String]) {
    let best = lines
        .iter()
        .rfind(|line| line.starts_with("bestmove "))
        .expect("an answer");
    let info = lines
        .iter()
        .rfind(|line| line.contains(" multipv 1 ") && line.contains(" pv "))
        .expect("a line");
    let (_, pv) = info.split_once(" pv ").expect("checked");
    assert_eq!(best.split(' ').nth(1), pv.split(' ').next(), "{lines:#?}");
}

#[test]
fn several_threads_answer_like_one() {
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 8");
    engine.send("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -");
    for (due, go) in [
        "go depth 7",
        "go movetime 100",
        "go nodes 30000",
        "go wtime 500 btime 500",
        "go wtime 0 btime 0",
        "go mate 1 depth 3",
        "go depth 5 searchmoves a2a3 h1g1",
        "go movetime 50 searchmoves a2a3 h1g1",
    ]
    .into_iter()
    .enumerate()
    {
        let before = engine.heard.len();
        engine.send(go);
        engine.expect("bestmove ");
        assert_consistent(&engine.heard[before..]);
        assert_eq!(count(&engine.heard, "bestmove "), due + 1, "{go}");
    }
    // After what ends by itself, what doesn't.
    for end in ["stop", "stop", "ponderhit"] {
        let before = engine.heard.len();
        engine.send(if end == "stop" {
            "go infinite"
        } else {
            "go ponder movetime 100"
        });
        engine.expect("info depth 1 ");
        engine.sync();
        assert_eq!(count(&engine.heard[before..], "bestmove "), 0);
        engine.send(end);
        engine.expect("bestmove ");
        assert_consistent(&engine.heard[before..]);
    }
    // Without a move there is nothing to help with.
    engine.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo movetime 50");
    assert_eq!(engine.expect("bestmove "), "bestmove (none)");
    assert_eq!(count(&engine.quit(), "info string"), 0);
}

#[test]
fn the_nodes_of_all_threads_count() {
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 4");
    for (nodes, slack) in [(1_u64, 8_192), (100_000, 8_192)] {
        engine.send(&format!("go nodes {nodes}"));
        engine.expect("bestmove ");
        let counted = nodes_of_last_info(&engine.heard);
        assert!(counted <= nodes + slack, "{counted} of {nodes}");
    }
    // One thread alone counts every node.
    engine.send("setoption name Threads value 1\nucinewgame\ngo nodes 5000");
    engine.expect("bestmove ");
    assert!(nodes_of_last_info(&engine.heard) <= 5_000);
    engine.quit();
}

#[test]
fn threads_start_and_stop_at_any_moment() {
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 8");
    for round in 1..=50 {
        engine.send("go infinite\nstop");
        engine.expect("bestmove ");
        assert_eq!(count(&engine.heard, "bestmove "), round);
    }
    // Settings during a search wait for its end.
    engine.send("go infinite");
    engine.expect("info depth 1 ");
    for line in [
        "setoption name Threads value 3",
        "setoption name Threads value 2",
        "setoption name Hash value 8",
        "ucinewgame",
        "position startpos moves e2e4",
    ] {
        engine.send(line);
        engine.sync();
    }
    assert_eq!(
        count(&engine.heard, "info string Threads waits for the search"),
        2
    );
    engine.send("stop");
    engine.expect("bestmove ");
    engine.send("go movetime 30");
    assert!(engine.expect("bestmove ").as_bytes()[10] >= b'7');
    for end in ["quit", ""] {
        let mut engine = Engine::start();
        engine.send("setoption name Threads value 8\ngo infinite");
        engine.expect("info depth 1 ");
        if end.is_empty() {
            engine.close_input();
        } else {
            engine.send(end);
        }
        let (status, heard) = engine.end();
        assert!(status.success(), "{status}");
        assert_eq!(count(&heard, "bestmove "), 1);
    }
    engine.quit();
    let said =
        pipe(b"setoption name Threads value 8\ngo movetime 50\ngo nodes 20000\ngo depth 6\n");
    assert_eq!(count(&said, "bestmove "), 3);
}

/// More threads than there is memory for are refused, and those that were there stay.
#[cfg(target_os = "linux")]
#[test]
fn threads_need_memory() {
    let script = format!("ulimit -v 60000 && exec '{}'", env!("CARGO_BIN_EXE_kirin"));
    let mut engine = Engine::of(Command::new("sh").args(["-c", &script]));
    engine.send("setoption name Threads value 256");
    engine.expect("info string error: setoption Threads: ");
    engine.send("go depth 3");
    engine.expect("bestmove ");
    assert_eq!(count(&engine.heard, "info string"), 1);
    // Here the searchers can be had, but not all stacks.
    engine.send("setoption name Threads value 9");
    engine.sync();
    engine.send("go nodes 10000");
    engine.expect("bestmove ");
    assert_eq!(count(&engine.heard, "info string error: only "), 1);
    engine.quit();
}

#[test]
fn several_lines_are_shown() {
    let mut engine = Engine::start();
    for threads in [1, 4] {
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send("setoption name MultiPV value 3");
        let before = engine.heard.len();
        engine.send("position startpos\ngo depth 5");
        engine.expect("bestmove ");
        let said = &engine.heard[before..];
        for multipv in 1..=3 {
            let lines = said
                .iter()
                .filter(|line| line.contains(&format!(" multipv {multipv} ")))
                .count();
            assert_eq!(lines, 5, "{said:#?}");
        }
        assert_consistent(said);
        // Not more lines than moves.
        let before = engine.heard.len();
        engine.send("go movetime 50 searchmoves a2a3 h2h3");
        engine.expect("bestmove ");
        let said = &engine.heard[before..];
        assert!(said.iter().any(|line| line.contains(" multipv 2 ")));
        assert!(!said.iter().any(|line| line.contains(" multipv 3 ")));
        assert_consistent(said);
        engine.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 3");
        assert_eq!(engine.expect("bestmove "), "bestmove (none)");
    }
    // It holds until it is set back, also through `ucinewgame`.
    engine.send("setoption name MultiPV value 1\nucinewgame\nposition startpos\ngo depth 4");
    engine.expect("info depth 4 ");
    let before = engine.heard.len();
    engine.send("go depth 4");
    engine.expect("info depth 4 ");
    let said = &engine.heard[before..];
    assert!(!said.iter().any(|line| line.contains(" multipv 2 ")));
    engine.quit();
}

#[test]
fn chances_are_shown_when_wanted() {
    let mut engine = Engine::start();
    engine.send("go depth 3");
    engine.expect("bestmove ");
    assert!(!engine.heard.iter().any(|line| line.contains(" wdl ")));
    engine.send("setoption name UCI_ShowWDL value true\nsetoption name MultiPV value 2");
    let before = engine.heard.len();
    engine.send("go depth 3");
    engine.expect("bestmove ");
    let said = &engine.heard[before..];
    assert_eq!(said.len(), 7, "{said:#?}");
    for line in &said[..6] {
        let (_, wdl) = line.split_once(" wdl ").expect("chances");
        let sum: u32 = wdl
            .split(' ')
            .take(3)
            .map(|number| number.parse::<u32>().expect("a number"))
            .sum();
        assert_eq!(sum, 1_000, "{line}");
    }
    engine.send("position fen k7/8/1K6/1R6/8/8/8/8 w - - 0 1\ngo depth 6");
    engine.expect("info depth 6 ");
    let mate = engine.heard.last().expect("a line");
    assert!(mate.contains("score mate 2 wdl 1000 0 0 nodes "), "{mate}");
    engine.quit();
}

#[test]
fn flip_exchanges_the_colours() {
    let mut engine = Engine::start();
    for (fen, flipped) in [
        (
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "rnbqkbnr/pppp1ppp/8/8/3PpP2/8/PPP1P1PP/RNBQKBNR b KQkq f3 0 3",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 7 30",
            "r3k2r/8/8/8/8/8/8/R3K2R w Qk - 7 30",
        ),
        (
            "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1",
            "4k3/4Q3/8/8/8/8/8/4K3 b - - 0 1",
        ),
    ] {
        engine.send(&format!("position fen {fen}\nflip"));
        assert_eq!(engine.fen(), flipped);
        engine.send("flip");
        assert_eq!(engine.fen(), fen);
    }
    assert_eq!(count(&engine.quit(), "info string"), 0);
}

#[test]
fn eval_shows_the_board_and_the_terms() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4\neval");
    let last = engine.expect("Evaluation: ");
    assert!(last.ends_with("cp for white)"), "{last}");
    for line in [
        "8  r n b q",
        "Fen: ",
        "pieces, places ",
        "mobility ",
        "tempo ",
        "Phase: 24 of 24",
    ] {
        assert_eq!(count(&engine.heard, line), 1, "{line}: {:#?}", engine.heard);
    }
    engine.quit();
}

#[test]
fn the_debug_log_holds_both_sides() {
    let path = std::env::temp_dir().join(format!("kirin debug log {}.txt", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let mut engine = Engine::start();
    engine.send("position startpos");
    engine.sync();
    assert!(!path.exists());
    engine.send(&format!(
        "setoption name Debug Log File value {}",
        path.display()
    ));
    engine.send("go depth 2\nd");
    engine.expect("bestmove ");
    engine.sync();
    engine.send("setoption name Debug Log File value <empty>");
    engine.sync();
    let before = engine.heard.clone();
    engine.send("d");
    engine.quit();
    let log = std::fs::read_to_string(&path).expect("a log");
    std::fs::remove_file(&path).expect("it can be removed");
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines[0], ">> go depth 2");
    assert!(lines.contains(&">> d") && lines.contains(&">> isready"));
    assert_eq!(
        lines.last(),
        Some(&">> setoption name Debug Log File value <empty>")
    );
    // All that was said meanwhile, and nothing else.
    let said = lines.iter().filter(|line| line.starts_with("<< "));
    assert_eq!(said.count(), before.len() - 2, "{log}");
    assert!(lines.iter().any(|line| line.starts_with("<< bestmove ")));
    assert!(lines
        .iter()
        .all(|line| line.starts_with(">> ") || line.starts_with("<< ")));
}

/// To open a pipe that nobody reads would wait for ever; and a full disk is no reason to end.
#[cfg(target_os = "linux")]
#[test]
fn a_debug_log_that_cannot_be_written_is_said_so() {
    let mut engine = Engine::start();
    for path in ["/dev/full", "/dev/stdin", "/proc/self/nothing"] {
        engine.send(&format!("setoption name Debug Log File value {path}"));
        engine.expect(&format!(
            "info string error: setoption Debug Log File: '{path}': "
        ));
    }
    engine.send_bytes(b"setoption name Debug Log File value \xff\xfe\n");
    engine.expect("info string error: setoption Debug Log File: '??': its name is not UTF-8");
    engine.send("go depth 1");
    engine.expect("bestmove ");
    engine.quit();
}

/// Hundreds of threads on a few processors would hold up each other, and the answer to `stop`.
#[test]
fn no_more_threads_search_than_serve() {
    let cores = std::thread::available_parallelism().map_or(256, std::num::NonZero::get);
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 256");
    engine.sync();
    let said = format!("info string Threads: {} search at once", 16 * cores);
    assert_eq!(
        count(&engine.heard, &said),
        usize::from(16 * cores < 256),
        "{:?}",
        engine.heard
    );
    engine.send("setoption name Threads value 2");
    engine.send("go nodes 20000");
    engine.expect("bestmove ");
    assert_eq!(
        count(&engine.quit(), "info string Threads: "),
        usize::from(16 * cores < 256)
    );
}

/// Castling is written as the variant has it, and each `position` is read as it was then.
#[test]
fn chess960_is_an_option() {
    let mut engine = Engine::start();
    engine.send("position fen 4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1");
    let refused = engine.expect("info string error");
    assert!(refused.contains("UCI_Chess960 is off"), "{refused}");
    engine.send("setoption name UCI_Chess960 value true");
    engine.send("position fen 4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1");
    engine.send("go perft 1");
    engine.expect("e1b1: 1");
    engine.expect("Nodes searched: 26");
    engine.send("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1");
    engine.send("go depth 1 searchmoves e8a8");
    engine.expect("bestmove e8a8");
    engine.send("setoption name UCI_Chess960 value false");
    engine.send("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    engine.send("go depth 1 searchmoves e1c1");
    engine.expect("bestmove e1c1");
    engine.quit();
}

/// A directory of this test's own, empty, and gone with it.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("kirin-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a directory for what the test writes");
        Scratch(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("a file");
        path.to_str().expect("UTF-8").to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// An entry of a Polyglot book: a move between squares of which a1 is 0.
fn book_entry(fen: &str, source: u16, target: u16) -> Vec<u8> {
    let board = kirin::Board::from_fen(fen).expect("a position");
    let mut bytes = kirin::book::key(&board).to_be_bytes().to_vec();
    bytes.extend((source << 6 | target).to_be_bytes());
    bytes.extend([0, 1, 0, 0, 0, 0]);
    bytes
}

#[test]
fn moves_are_taken_from_the_book() {
    const CASTLES: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let scratch = Scratch::new("book");
    let mut entries = [
        book_entry(kirin::Board::STARTPOS_FEN, 8, 16),
        book_entry(CASTLES, 4, 7),
    ];
    entries.sort();
    let book = scratch.write("a book.bin", &entries.concat());
    let mut engine = Engine::start();
    engine.send(&format!("setoption name Book File value {book}"));
    // Named, but not switched on.
    engine.send("go nodes 50");
    assert_ne!(engine.expect("bestmove "), "bestmove a2a3");
    engine.send("setoption name OwnBook value true");
    for go in ["go depth 3", "go wtime 1000 btime 1000", "go movetime 5"] {
        engine.send(go);
        assert_eq!(engine.expect("bestmove "), "bestmove a2a3", "{go}");
    }
    assert_eq!(
        count(&engine.heard, "info string a2a3 is a move of the book"),
        3
    );
    engine.send(&format!("position fen {CASTLES}"));
    engine.send("go depth 1");
    assert_eq!(engine.expect("bestmove "), "bestmove e1g1");
    engine.send("setoption name UCI_Chess960 value true");
    engine.send(&format!("position fen {CASTLES}"));
    engine.send("go depth 1");
    assert_eq!(engine.expect("bestmove "), "bestmove e1h1");
    engine.send("setoption name UCI_Chess960 value false");
    // Not where something else is asked for.
    let before = engine.heard.len();
    engine.send("position startpos");
    for go in [
        "go infinite",
        "go ponder wtime 1000 btime 1000",
        "go depth 2 searchmoves b2b3",
        "go mate 1",
        "go perft 1",
    ] {
        engine.send(go);
        if go.contains("perft") {
            engine.expect("Nodes searched");
            continue;
        }
        engine.send("stop");
        engine.expect("bestmove ");
    }
    engine.send("setoption name UCI_AnalyseMode value true");
    engine.send("go depth 2");
    engine.expect("bestmove ");
    engine.send("setoption name UCI_AnalyseMode value false");
    // What the book doesn't know is searched.
    engine.send("position startpos moves e2e4");
    engine.send("go depth 2");
    engine.expect("bestmove ");
    assert!(!engine.heard[before..]
        .iter()
        .any(|line| line.contains("book")));
    // What is no book is refused, and the old one stays.
    let cut_off = scratch.write("cut off.bin", &entries.concat()[..31]);
    for path in [
        &cut_off,
        "/no/such/book.bin",
        ".",
        &scratch.write("empty.bin", b""),
    ] {
        engine.send(&format!("setoption name Book File value {path}"));
        engine.sync();
        let said = &engine.heard[engine.heard.len() - 2];
        assert!(
            said.starts_with("info string error: setoption Book File: '"),
            "{path}: {said}"
        );
    }
    engine.send("position startpos");
    engine.send("go depth 1");
    assert_eq!(engine.expect("bestmove "), "bestmove a2a3");
    engine.send("setoption name Book File value <empty>");
    engine.send("go nodes 50");
    assert_ne!(engine.expect("bestmove "), "bestmove a2a3");
    // A book that shrinks while it is in use.
    engine.send(&format!("setoption name Book File value {book}"));
    engine.sync();
    scratch.write("a book.bin", b"");
    engine.send("go nodes 50");
    engine.expect("info string error: Book File: ");
    engine.expect("bestmove ");
    engine.quit();
}

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

fn tbhits(line: &str) -> u64 {
    let (_, rest) = line.split_once(" tbhits ").expect("tbhits");
    let word = rest.split(' ').next().expect("a word");
    word.parse().expect("a number")
}

#[test]
fn endgame_tables_are_asked() {
    let mut engine = Engine::start();
    engine.send("position fen 8/8/8/3k4/8/8/8/K6R w - - 0 1");
    engine.send("d");
    engine.sync();
    assert_eq!(count(&engine.heard, "Tablebases"), 0);
    engine.send(&format!("setoption name SyzygyPath value {TABLES}"));
    assert_eq!(
        engine.expect("info string SyzygyPath: "),
        "info string SyzygyPath: 10 WDL and 8 DTZ tables found, of up to 4 men"
    );
    engine.send("d");
    assert_eq!(engine.expect("Tablebases "), "Tablebases WDL: 2 DTZ: 29");
    // At the root: only what keeps the win, worth a win at any depth.
    for threads in [1, 2] {
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send("go depth 4");
        let info = engine.expect("info depth 1 ");
        assert!(
            info.contains(" score cp 29999 ") && tbhits(&info) > 0,
            "{info}"
        );
        engine.expect("bestmove ");
    }
    engine.send("setoption name Threads value 1");
    engine.send("position fen 4k3/4P3/8/4K3/8/8/8/8 b - - 0 1");
    engine.send("d");
    assert_eq!(engine.expect("Tablebases "), "Tablebases WDL: 0 DTZ: 0");
    // Half a move before a fiftieth move is over nothing can be won.
    engine.send("position fen 8/8/8/3k4/8/8/8/K6R w - - 90 100");
    engine.send("go depth 1");
    let info = engine.expect("info depth 1 ");
    assert!(info.contains(" score cp 1 "), "{info}");
    engine.expect("bestmove ");
    engine.send("setoption name Syzygy50MoveRule value false");
    engine.send("go depth 1");
    let info = engine.expect("info depth 1 ");
    assert!(info.contains(" score cp 29999 "), "{info}");
    engine.expect("bestmove ");
    engine.send("setoption name Syzygy50MoveRule value true");
    // In the tree: the rook is taken.
    let exchange = "position fen 8/8/8/3k4/8/3KP3/3R4/3r4 w - - 3 60";
    engine.send(exchange);
    engine.send("go depth 6");
    engine.expect("bestmove d2d1");
    let last = |engine: &Engine| {
        let infos = engine
            .heard
            .iter()
            .rev()
            .find(|line| line.contains(" tbhits "));
        infos.expect("an info line").clone()
    };
    let info = last(&engine);
    assert!(tbhits(&info) > 0 && info.contains(" score cp 29"), "{info}");
    // None is asked beyond the limit, or so near to the horizon. (Positions of three men may be
    // met: they are below a limit of four.)
    let mut hits = Vec::new();
    for (limit, depth) in [(4, 1), (4, 20), (3, 1), (0, 1)] {
        engine.send("ucinewgame");
        engine.send(&format!("setoption name SyzygyProbeLimit value {limit}"));
        engine.send(&format!("setoption name SyzygyProbeDepth value {depth}"));
        engine.send("go depth 5");
        engine.expect("bestmove ");
        hits.push(tbhits(&last(&engine)));
    }
    assert!(
        hits[0] > hits[1] && hits[0] > hits[2] && hits[3] == 0,
        "{hits:?}"
    );
    engine.send("setoption name SyzygyProbeLimit value 7");
    engine.send("setoption name SyzygyProbeDepth value 1");
    // A mate that is asked for, and castling.
    engine.send("position fen 8/8/8/8/8/2k5/7r/1K6 b - - 0 1");
    engine.send("go mate 3");
    engine.expect("bestmove ");
    assert!(last(&engine).contains(" score mate 3 "));
    engine.send("position fen 8/8/8/3k4/8/8/8/4K2R w K - 0 1");
    engine.send("go depth 2");
    engine.expect("bestmove ");
    // Several lines keep what they are worth: the stalemate or the lost rook are no wins.
    engine.send("setoption name MultiPV value 20");
    engine.send("position fen 8/8/8/8/8/1k6/2R5/K7 w - - 0 1");
    engine.send("go depth 3");
    engine.expect("bestmove ");
    let lines: Vec<&String> = engine
        .heard
        .iter()
        .filter(|line| line.starts_with("info depth 3 ") && line.contains("multipv"))
        .collect();
    let lines = &lines[lines.len() - 3..];
    assert!(
        lines.iter().any(|line| line.contains(" score cp 0 ")),
        "{lines:#?}"
    );
    assert_eq!(count(&engine.quit(), "info string error"), 0);
}

#[test]
fn missing_and_damaged_tables_are_said_so_once() {
    let scratch = Scratch::new("tables");
    let table = |name: &str| std::fs::read(format!("{TABLES}/{name}")).expect("a table");
    scratch.write("KRvK.rtbw", &table("KRvK.rtbw")[..100]);
    let mut damaged = table("KRvK.rtbz");
    // Blocks of nothing but ones.
    damaged[256..].fill(0xff);
    let length = damaged.len() / 64 * 64 + 16;
    damaged.resize(length, 0xff);
    scratch.write("KRvK.rtbz", &damaged);
    scratch.write("KQvK.rtbw", b"nothing");
    scratch.write("readme.txt", b"nothing");
    std::fs::create_dir(scratch.0.join("KPvK.rtbw")).expect("a directory");
    let directory = scratch.0.to_str().expect("UTF-8").to_string();
    let parted = if cfg!(windows) { ';' } else { ':' };
    let mut engine = Engine::start();
    engine.send("setoption name SyzygyPath value /no/such/directory");
    engine.expect("info string error: setoption SyzygyPath: '/no/such/directory': ");
    engine.expect("info string SyzygyPath: 0 WDL and 0 DTZ tables found");
    engine.send(&format!(
        "setoption name SyzygyPath value {directory}{parted}/none"
    ));
    engine.expect("info string SyzygyPath: 3 WDL and 1 DTZ tables found, of up to 3 men");
    for men in ["R", "Q", "P", "B"] {
        for _ in 0..2 {
            engine.send(&format!("position fen 8/8/8/3k4/8/8/4{men}3/K7 w - - 0 1"));
            engine.send("d");
            engine.send("go depth 3");
            engine.expect("bestmove ");
        }
    }
    engine.sync();
    let said = engine.heard.clone();
    for name in ["KRvK.rtbw", "KQvK.rtbw", "KPvK.rtbw"] {
        let lines = said.iter().filter(|line| line.contains(name));
        assert_eq!(lines.count(), 1, "{name}: {said:#?}");
    }
    assert_eq!(count(&said, "Tablebases"), 0);
    // With a sound WDL table the damaged distances are met, and the search does without.
    engine.send(&format!(
        "setoption name SyzygyPath value {directory}{parted}{TABLES}"
    ));
    scratch.write("KRvK.rtbw", &table("KRvK.rtbw"));
    for fen in [
        "8/8/8/3k4/8/8/8/K6R w - - 0 1",
        "8/8/8/3k4/8/8/8/K6R b - - 0 1",
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send("go depth 3");
        engine.expect("bestmove ");
    }
    let errors = engine.quit();
    let errors = errors.iter().filter(|line| line.contains("KRvK.rtbz"));
    assert!(errors.count() <= 1);
}

/// The moves of a game that the engine plays against itself with these options and `go`.
fn self_play(options: &[&str], go: &str, plies: usize) -> Vec<String> {
    let mut engine = Engine::start();
    for option in options {
        engine.send(&format!("setoption name {option}"));
    }
    engine.send("ucinewgame");
    let mut moves = Vec::new();
    for _ in 0..plies {
        engine.send(&format!("position startpos moves {}", moves.join(" ")));
        engine.send(go);
        let best = engine.expect("bestmove ");
        let mv = best.split(' ').nth(1).expect("a move");
        if mv == "(none)" {
            break;
        }
        moves.push(mv.to_string());
    }
    assert_eq!(count(&engine.quit(), "info string"), 0);
    moves
}

/// Whatever the clock says after the first move: the nodes are the clock.
#[test]
fn games_by_nodestime_repeat() {
    let options = ["nodestime value 20"];
    let go = "go wtime 2000 btime 2000 winc 20 binc 20";
    let moves = self_play(&options, go, 30);
    assert_eq!(moves, self_play(&options, go, 30));
    assert_eq!(moves.len(), 30);
}

#[test]
fn the_time_of_nodestime_is_spent() {
    let mut engine = Engine::start();
    engine.send("setoption name nodestime value 100");
    let mut nodes = Vec::new();
    for _ in 0..40 {
        // The GUI's clock stands still, ours doesn't.
        engine.send("go wtime 1000 btime 1000");
        engine.expect("bestmove ");
        nodes.push(nodes_of_last_info(&engine.heard));
    }
    let spent: u64 = nodes.iter().sum();
    // A hundred thousand nodes, and some more for each move after that.
    assert!((50_000..150_000).contains(&spent), "{nodes:?}");
    assert!(nodes[0] > 2 * nodes[30], "{nodes:?}");
    engine.send("ucinewgame");
    engine.send("go wtime 1000 btime 1000");
    engine.expect("bestmove ");
    assert!(nodes_of_last_info(&engine.heard) > 2 * nodes[30]);
    engine.quit();
}

#[test]
fn strength_is_limited_by_level_or_rating() {
    let mut engine = Engine::start();
    engine.send("setoption name Threads value 2");
    let mut nodes = |options: &[&str]| {
        for option in options {
            engine.send(&format!("setoption name {option}"));
        }
        engine.send("ucinewgame\ngo depth 12");
        engine.expect("bestmove ");
        assert_consistent(&engine.heard);
        nodes_of_last_info(&engine.heard)
    };
    let full = nodes(&[]);
    assert!(nodes(&["Skill Level value 0"]) < 1_000);
    // Where a rating is asked for the level doesn't count.
    assert!(nodes(&["UCI_LimitStrength value true", "UCI_Elo value 1"]) < 100_000);
    let rated = nodes(&["UCI_Elo value 2000", "Skill Level value 20"]);
    assert!(rated > 1_000 && rated < full, "{rated} of {full}");
    assert!(nodes(&["UCI_LimitStrength value false"]) > rated);
    let heard = engine.quit();
    assert_eq!(count(&heard, "info string error: setoption UCI_Elo"), 1);
}

/// Games at the weakest level differ from each other, and end by the rules.
#[test]
fn weak_games_differ() {
    let options = ["Skill Level value 0"];
    let games: Vec<_> = (0..3)
        .map(|_| self_play(&options, "go wtime 60000 btime 60000", 60))
        .collect();
    assert!(games[0] != games[1] || games[0] != games[2]);
}

/// The only move is no reason to be silent, nor to answer before `stop`, nor to think long.
#[test]
fn a_single_legal_move_is_searched_like_others() {
    let mut engine = Engine::start();
    engine.send("position fen r1k4r/pppQ3p/2n5/2q5/4P3/8/PPPR2PP/3R3K b - - 2 21");
    engine.send("go infinite");
    engine.expect("info depth 1 ");
    let said = engine.listen(Duration::from_millis(300));
    assert_eq!(count(&said, "bestmove "), 0);
    engine.send("stop");
    assert!(engine.expect("bestmove ").starts_with("bestmove c8b8"));
    engine.send("go wtime 600000 btime 600000");
    assert!(engine.expect("bestmove ").starts_with("bestmove c8b8"));
    assert_eq!(count(&engine.quit(), "info string"), 0);
}

#[test]
fn mates_are_looked_for_by_their_length() {
    let mut engine = Engine::start();
    for (fen, moves, best) in [
        ("1k6/8/1K6/5R2/8/8/8/8 w - - 0 1", 1, "bestmove f5f8"),
        // By the rook or the king.
        ("k7/8/1K6/1R6/8/8/8/8 w - - 0 1", 2, "bestmove b"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "bestmove a1a6"),
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send(&format!("go mate {moves}"));
        let line = engine.expect("bestmove ");
        assert!(line.starts_with(best), "{line}");
        let info = engine.heard.iter().rfind(|line| line.contains(" score "));
        let score = format!(" score mate {moves} ");
        assert!(info.is_some_and(|info| info.contains(&score)), "{info:?}");
    }
    engine.quit();
}

//! The command as a user runs it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A few positions, enough for the tuner to have something to do.
fn positions(folder: &Path) -> PathBuf {
    let data = folder.join("data.txt");
    let line = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1;-40;0\n";
    let other = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3;30;1\n";
    // The last one is an ending known by heart, without weights.
    let known = "8/8/8/8/P5k1/8/8/7K w - - 0 1;500;1\n";
    std::fs::write(
        &data,
        format!("{}{known}", format!("{line}{other}").repeat(20)),
    )
    .expect("data");
    data
}

fn tuner() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kirin-tuner"));
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/evaluation.txt");
    command.args(["--weights", weights, "--epochs", "2", "--threads", "1"]);
    command
}

/// Has the command read the data and write the file, and returns what it said.
fn run(command: &mut Command, data: &Path, out: &Path) -> String {
    let output = command
        .arg("--data")
        .arg(data)
        .arg("--out")
        .arg(out)
        .output()
        .expect("runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn known_endings_are_passed_over_and_shards_are_averaged() {
    let folder = scratch("shards");
    let data = positions(&folder);
    let mut outs = Vec::new();
    for shard in ["0/2", "1/2"] {
        let out = folder.join(format!("w{}.txt", &shard[..1]));
        let text = run(tuner().args(["--shard", shard]), &data, &out);
        assert!(text.contains("20 positions"), "{text}");
        outs.push(out);
    }
    let mean = folder.join("mean.txt");
    let output = Command::new(env!("CARGO_BIN_EXE_kirin-tuner"))
        .arg("--average")
        .arg(&outs[0])
        .arg("--average")
        .arg(&outs[0])
        .arg("--out")
        .arg(&mean)
        .output()
        .expect("runs");
    assert!(output.status.success(), "{output:?}");
    let read = |path: &Path| std::fs::read_to_string(path).expect("written");
    assert_eq!(read(&mean), read(&outs[0]));
    assert_ne!(read(&outs[0]), read(&outs[1]));
}

/// A closed pipe is no reason to lose the work.
#[test]
fn work_goes_on_when_nobody_listens() {
    let folder = scratch("pipe");
    let data = positions(&folder);
    let out = folder.join("weights.txt");
    let mut child = tuner()
        .arg("--data")
        .arg(&data)
        .arg("--out")
        .arg(&out)
        .stdout(Stdio::piped())
        .spawn()
        .expect("runs");
    drop(child.stdout.take());
    assert!(child.wait().expect("ends").success());
    assert!(out.exists());
}

/// The same seed gives the same network, and the generator's groups are all there.
#[test]
fn a_network_is_fitted_and_written() {
    let folder = scratch("network");
    let data = positions(&folder);
    let fit = |name: &str, seed: &str| {
        let out = folder.join(name);
        let mut command = Command::new(env!("CARGO_BIN_EXE_kirin-tuner"));
        command.args(["network", "--epochs", "2", "--batch", "16", "--seed", seed]);
        let text = run(&mut command, &data, &out);
        assert!(text.contains("40 positions (1 held out)"), "{text}");
        std::fs::read_to_string(out).expect("written")
    };
    let first = fit("a.txt", "5");
    assert_eq!(first, fit("b.txt", "5"));
    assert_ne!(first, fit("c.txt", "6"));
    let groups: Vec<&str> = first.lines().filter(|line| line.starts_with('[')).collect();
    assert_eq!(groups, ["[INPUTS]", "[BIAS]", "[OUTPUTS]", "[OUTPUT_BIAS]"]);
}

//! The firmware on emulated processors, where its tools are: `tests/firmware/check`.

use std::path::Path;
use std::process::Command;

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "the check is a script for Linux")]
fn the_firmware_plays_in_an_emulator() {
    let check = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/firmware/check");
    if !check.exists() {
        say("the firmware was not checked: a published package has none");
        return;
    }
    if std::env::var_os("KIRIN_FIRMWARE").is_some_and(|value| value == "later") {
        say("the firmware was not checked: KIRIN_FIRMWARE=later says that this is done elsewhere");
        return;
    }
    let tools = Command::new(&check).arg("--tools").output();
    let tools = tools.expect("the check's tools can be asked for");
    if !tools.status.success() {
        say(&format!(
            "the firmware was not checked; tests/firmware/check installs what it needs; {}",
            String::from_utf8_lossy(&tools.stdout).trim_end()
        ));
        return;
    }
    let output = Command::new(&check).output().expect("the check runs");
    let (said, failed) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{said}\n{failed}");
    assert!(said.ends_with("firmware: ok\n"), "{said}");
}

/// Past the test harness, which keeps what successful tests print to itself.
fn say(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "skipped: {text}");
}

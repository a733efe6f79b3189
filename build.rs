//! Asks the generator for the tables and writes them where `src/tables.rs` includes them.
//!
//! Everything this script looks at is named in [`Settings::VARIABLES`]; nothing of the host shows in the output.
//! A change of the generator itself reaches us as a rebuilt build-dependency, so there is no path to watch for it,
//! and the packaged crate, which has no `generator/` beside it, rebuilds for the same reasons as the checkout.

use std::path::PathBuf;
use std::process::ExitCode;

use kirin_generator::{generate, Layout, Settings};

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    for variable in Settings::VARIABLES {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let layouts: Vec<String> = Layout::ALL
        .iter()
        .map(|layout| format!("{:?}", layout.name()))
        .collect();
    println!(
        "cargo::rustc-check-cfg=cfg(kirin_layout, values({}))",
        layouts.join(", ")
    );
    match run() {
        Ok(layout) => {
            println!("cargo::rustc-cfg=kirin_layout={:?}", layout.name());
            ExitCode::SUCCESS
        }
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<Layout, String> {
    let settings = Settings::from_env().map_err(|error| error.to_string())?;
    let text = generate(&settings)
        .map_err(|error| error.to_string())?
        .to_rust();
    let directory =
        std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set: build.rs is run by cargo")?;
    let path = PathBuf::from(directory).join("tables.rs");
    // An unchanged file keeps its date, so that tools which watch it have nothing to do.
    if !std::fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
        std::fs::write(&path, text)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(settings.layout)
}

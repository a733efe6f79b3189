//! Asks the generator for the tables and writes them where `src/tables.rs` includes them.
//!
//! Everything this script looks at is named in [`Settings::VARIABLES`], [`Sizes::VARIABLES`] and [`Backend::VARIABLE`],
//! and what cargo says of the target; nothing of the host shows in the output.
//! A change of the generator itself reaches us as a rebuilt build-dependency, so there is no path to watch for it,
//! and the packaged crate, which has no `generator/` beside it, rebuilds for the same reasons as the checkout.

use std::path::PathBuf;
use std::process::ExitCode;

use kirin_generator::{generate, Backend, BackendTables, Layout, Profile, Settings, Sizes, Target};

/// Is the layout `compact` unless another is named?
const COMPACT: bool = cfg!(any(feature = "compact", feature = "small"));

const PROFILE: Profile = if cfg!(feature = "small") {
    Profile::Small
} else {
    Profile::Full
};

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    for variable in Settings::VARIABLES.iter().chain(&Sizes::VARIABLES) {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    println!("cargo::rerun-if-env-changed={}", Backend::VARIABLE);
    check_cfg("kirin_layout", &Layout::ALL.map(Layout::name));
    check_cfg("kirin_backend", &Backend::ALL.map(Backend::name));
    match run() {
        Ok((layout, backend)) => {
            println!("cargo::rustc-cfg=kirin_layout={:?}", layout.name());
            println!("cargo::rustc-cfg=kirin_backend={:?}", backend.name());
            ExitCode::SUCCESS
        }
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

/// Names the values that a cfg may have.
fn check_cfg(name: &str, values: &[&str]) {
    println!(
        "cargo::rustc-check-cfg=cfg({name}, values(\"{}\"))",
        values.join("\", \"")
    );
}

fn run() -> Result<(Layout, Backend), String> {
    let mut settings = Settings::from_env().map_err(|error| error.to_string())?;
    let target = Target::from_env();
    let [_, layout_variable] = Settings::VARIABLES;
    let named = std::env::var_os(layout_variable).is_some_and(|value| !value.is_empty());
    if COMPACT && !named {
        settings.layout = Layout::Compact;
    }
    // Who asks for a layout wants to be served by it.
    let auto = if named || COMPACT {
        Backend::Table
    } else {
        Backend::best_for(&target)
    };
    let backend = Backend::from_env(auto, &target).map_err(|error| error.to_string())?;
    let tables = generate(&settings).map_err(|error| error.to_string())?;
    let tables = tables.with_profile(PROFILE);
    write("tables.rs", &tables.to_rust())?;
    if PROFILE == Profile::Small {
        let sizes = Sizes::from_env().map_err(|error| error.to_string())?;
        write("sizes.rs", &sizes.to_rust())?;
    }
    let tables = BackendTables::generate(backend).map_err(|error| error.to_string())?;
    write("backend.rs", &tables.to_rust())?;
    Ok((settings.layout, backend))
}

/// Writes a file to `OUT_DIR`. An unchanged one keeps its date, so that tools which watch it have
/// nothing to do.
fn write(name: &str, text: &str) -> Result<(), String> {
    let directory =
        std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set: build.rs is run by cargo")?;
    let path = PathBuf::from(directory).join(name);
    if !std::fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
        std::fs::write(&path, text)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}

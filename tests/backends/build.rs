//! Writes the tables of every layout, and of every backend that the target can run.

use std::path::PathBuf;
use std::process::ExitCode;

use kirin_generator::layout::size;
use kirin_generator::{generate, Backend, BackendTables, Layout, Settings, Target};

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(has_backend, values(any()))");
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let directory =
        PathBuf::from(std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set by cargo")?);
    let write = |name: &str, text: String, entries: usize, bytes: usize| {
        let sizes = format!(
            "/// Numbers in the tables of sliders.\npub const ENTRIES: usize = {entries};\n\
             /// Bytes of all that goes with them.\npub const BYTES: usize = {bytes};\n"
        );
        std::fs::write(directory.join(format!("{name}.rs")), text + &sizes)
            .map_err(|error| error.to_string())
    };
    for layout in Layout::ALL {
        let settings = Settings {
            layout,
            ..Settings::default()
        };
        let tables = generate(&settings).map_err(|error| error.to_string())?;
        let size = size(layout, tables.list()).map_err(|error| error.to_string())?;
        let bytes = size.bytes + size.metadata_bytes;
        write(layout.name(), tables.to_rust(), size.entries, bytes)?;
    }
    let target = Target::from_env();
    for backend in Backend::ALL {
        if backend == Backend::Table {
            continue;
        }
        // Without the instruction the formula still holds: bits can be reversed anywhere.
        if backend == Backend::Rbit || backend.runs_on(&target) {
            let tables = BackendTables::generate(backend).map_err(|error| error.to_string())?;
            let entries = tables.list().iter().map(|table| table.values.len()).sum();
            let bytes = tables.list().iter().map(|table| table.bytes()).sum();
            write(backend.name(), tables.to_rust(), entries, bytes)?;
            println!("cargo::rustc-cfg=has_backend={:?}", backend.name());
        }
    }
    Ok(())
}

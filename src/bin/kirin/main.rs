//! The `kirin` program: an engine that speaks UCI, and a few commands for people and scripts.
//!
//! This directory is the only place that knows `std`: threads, clocks, files and memory. What
//! the engine knows and says is in the library.
#![deny(unsafe_code)]

mod bench;
mod book;
mod cli;
mod datagen;
mod engine;
mod files;
mod host;
mod lines;
mod log;
mod memory;
mod node_bank;
mod output;
mod perft;
mod session;
mod tables;
mod team;
mod workspace;

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    if args.is_empty() {
        session::run();
        return ExitCode::SUCCESS;
    }
    cli::run(&args)
}

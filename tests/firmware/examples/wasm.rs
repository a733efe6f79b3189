//! The benchmark for `wasm.mjs`: the same nodes as everywhere.
#![no_std]

use kirin::{bench, TranspositionTable};
use kirin_firmware::{KIRIN_HASH, KIRIN_SEARCHER};

/// The nodes of the benchmark at its usual depth; 0 when called again.
#[no_mangle]
pub extern "C" fn kirin_bench() -> u64 {
    let (Some(searcher), Some(hash)) = (KIRIN_SEARCHER.take(), KIRIN_HASH.take()) else {
        return 0;
    };
    let table = TranspositionTable::new(&*hash);
    bench::run(
        searcher,
        table,
        bench::DEFAULT_DEPTH,
        &mut (),
        |_| (),
        |_| (),
    )
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

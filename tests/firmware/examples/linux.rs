//! The benchmark as a program that needs no C library, only two system calls of Linux, so that
//! the linker alone can make it for a big-endian processor: the same nodes as everywhere.
#![no_std]
#![no_main]

use core::arch::asm;
use core::fmt::{self, Write};
use kirin::{bench, TranspositionTable};
use kirin_firmware::{KIRIN_HASH, KIRIN_SEARCHER};

const EXIT: usize = 1;
const WRITE: usize = 4;

/// # Safety
///
/// The arguments are such as the call takes.
unsafe fn call(number: usize, first: usize, second: usize, third: usize) {
    // SAFETY: the caller's promise; what the system changes is named.
    unsafe {
        #[cfg(target_arch = "powerpc")]
        asm!(
            "sc",
            inout("r0") number => _,
            inout("r3") first => _,
            inout("r4") second => _,
            inout("r5") third => _,
            out("r6") _, out("r7") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _,
            out("r12") _, out("ctr") _, out("xer") _, out("cr0") _,
        );
        #[cfg(not(target_arch = "powerpc"))]
        compile_error!("only PowerPC's system calls are known here");
    }
}

struct Output;

impl Write for Output {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // SAFETY: standard output, and text that lives as long as the call.
        unsafe { call(WRITE, 1, text.as_ptr() as usize, text.len()) };
        Ok(())
    }
}

fn exit(status: usize) -> ! {
    loop {
        // SAFETY: takes any number, and does not come back.
        unsafe { call(EXIT, status, 0, 0) };
    }
}

#[no_mangle]
extern "C" fn _start() -> ! {
    let (Some(searcher), Some(hash)) = (KIRIN_SEARCHER.take(), KIRIN_HASH.take()) else {
        exit(1)
    };
    let (table, depth) = (TranspositionTable::new(&*hash), bench::DEFAULT_DEPTH);
    let nodes = bench::run(searcher, table, depth, &mut (), |_| (), |_| ());
    let _ = writeln!(Output, "bench: {nodes} nodes");
    exit(0)
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    exit(2)
}

//! The board `virt` of QEMU with a 32-bit RISC-V processor, as far as the firmware needs it:
//! start, the UART, the clock, and the way out of the emulator. Nothing interrupts here: the
//! search asks the UART itself when it looks at its stop flag.
//!
//! (National Semiconductor, "NS16550", for the UART; RISC-V International, "Advanced Core Local
//! Interruptor", for the clock.)

use super::{get, keep, set};
use core::arch::global_asm;

// What happens before `firmware`: the stack is painted, to see later how much of it was used,
// and `.bss` is cleared.
global_asm!(
    ".section .vectors, \"ax\"",
    ".global reset",
    "reset:",
    "la t0, fault",
    "csrw mtvec, t0",
    "la sp, stack_top",
    "la t0, stack_low",
    "li t1, 0x5aa55aa5",
    "0: sw t1, 0(t0)",
    "addi t0, t0, 4",
    "bltu t0, sp, 0b",
    "la t0, bss_begin",
    "la t1, bss_end",
    "1: sw zero, 0(t0)",
    "addi t0, t0, 4",
    "bltu t0, t1, 1b",
    "call firmware",
    ".balign 4",
    "fault:",
    // On a stack of its own: the fault may be that there is no more of it.
    "la sp, stack_top",
    "li a0, 3",
    "call exit_with",
);

/// Registers of the UART.
const UART_DATA: *mut u8 = 0x1000_0000 as *mut u8;
const UART_STATE: *mut u8 = 0x1000_0005 as *mut u8;
/// The clock, low and high half, and its ticks in a millisecond.
const TIME: [*mut u32; 2] = [0x0200_bff8 as *mut u32, 0x0200_bffc as *mut u32];
const TICKS_PER_MS: u64 = 10_000;
/// Where the emulator is told to end.
const FINISH: *mut u32 = 0x0010_0000 as *mut u32;

/// Milliseconds since the start.
pub fn milliseconds() -> u32 {
    loop {
        let (high, low) = (get(TIME[1]), get(TIME[0]));
        if get(TIME[1]) == high {
            return ((u64::from(high) << 32 | u64::from(low)) / TICKS_PER_MS) as u32;
        }
    }
}

/// The emulator's UART needs no settings.
pub(super) fn start() {}

/// Sends a byte.
pub(super) fn send(byte: u8) {
    while get(UART_STATE) & 0x20 == 0 {}
    set(UART_DATA, byte);
}

/// Takes what has come in.
pub(super) fn poll() {
    while get(UART_STATE) & 1 != 0 {
        keep(get(UART_DATA));
    }
}

/// Waits until something may have come in.
pub(super) fn wait() {
    poll();
}

/// Ends the emulation with a status.
pub fn exit(status: u32) -> ! {
    exit_with(status)
}

#[no_mangle]
extern "C" fn exit_with(status: u32) -> ! {
    loop {
        set(
            FINISH,
            if status == 0 {
                0x5555
            } else {
                status << 16 | 0x3333
            },
        );
    }
}

//! Arm's board MPS2 with the image AN386 (Cortex-M4F), as far as the firmware needs it: start,
//! the first UART, the processor's tick, and the way out of an emulator.
//!
//! (Arm, "Application Note AN386"; "Cortex-M System Design Kit", for the UART; "Semihosting for
//! AArch32 and AArch64".)

use super::{get, keep, set};
use core::arch::{asm, global_asm};
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

// The vector table and what happens before `firmware`: the unit for floating point is switched
// on, for compilers keep numbers in its registers; the stack is painted, to see later how much
// of it was used; and `.bss` is cleared.
global_asm!(
    ".section .vectors, \"a\"",
    ".word stack_top",
    ".word reset",
    ".rept 13", // NMI, faults and calls
    ".word fault",
    ".endr",
    ".word tick",
    ".word receive", // interrupt 0: the first UART has a byte
    ".section .text.reset, \"ax\"",
    ".thumb_func",
    ".global reset",
    "reset:",
    "ldr r0, =0xe000ed88", // CPACR
    "ldr r1, =0x00f00000",
    "str r1, [r0]",
    "dsb",
    "isb",
    "ldr r0, =stack_low",
    "ldr r1, =stack_top",
    "ldr r2, =0x5aa55aa5",
    "0: str r2, [r0], #4",
    "cmp r0, r1",
    "blo 0b",
    "ldr r0, =bss_begin",
    "ldr r1, =bss_end",
    "movs r2, #0",
    "1: str r2, [r0], #4",
    "cmp r0, r1",
    "blo 1b",
    "bl firmware",
    ".thumb_func",
    "fault:",
    // On a stack of its own: the fault may be that there is no more of it.
    "ldr r0, =stack_top",
    "mov sp, r0",
    "movs r0, #3",
    "bl exit_with",
);

/// Registers of the processor's tick timer, and of its interrupt switch.
const SYST_CSR: *mut u32 = 0xe000_e010 as *mut u32;
const SYST_RVR: *mut u32 = 0xe000_e014 as *mut u32;
const SYST_CVR: *mut u32 = 0xe000_e018 as *mut u32;
const NVIC_ISER0: *mut u32 = 0xe000_e100 as *mut u32;
/// The processor's clock.
const CLOCK_HZ: u32 = 25_000_000;

/// Registers of the UART.
const UART_DATA: *mut u32 = 0x4000_4000 as *mut u32;
const UART_STATE: *mut u32 = 0x4000_4004 as *mut u32;
const UART_CTRL: *mut u32 = 0x4000_4008 as *mut u32;
const UART_INTCLEAR: *mut u32 = 0x4000_400c as *mut u32;
const UART_BAUDDIV: *mut u32 = 0x4000_4010 as *mut u32;

static MILLISECONDS: AtomicU32 = AtomicU32::new(0);
static ALARM_MS: AtomicU32 = AtomicU32::new(0);
static RINGS: AtomicBool = AtomicBool::new(false);

/// Milliseconds since the start.
pub fn milliseconds() -> u32 {
    MILLISECONDS.load(Ordering::Relaxed)
}

/// Cycles of the processor's clock from the start to the beginning of a millisecond.
pub fn cycles_at(milliseconds: u32) -> u64 {
    u64::from(milliseconds) * u64::from(CLOCK_HZ / 1000)
}

/// Cycles since the start.
pub fn cycles() -> u64 {
    loop {
        let (now, left) = (milliseconds(), get(SYST_CVR));
        // Else the two belong to different milliseconds.
        if milliseconds() == now {
            return cycles_at(now + 1) - u64::from(left);
        }
    }
}

/// Lets the tick's interrupt ring an alarm at a time other than 0.
pub fn set_alarm(milliseconds: u32) {
    RINGS.store(false, Ordering::Relaxed);
    ALARM_MS.store(milliseconds, Ordering::Relaxed);
}

/// Has the alarm rung?
pub fn alarm_rings() -> bool {
    RINGS.load(Ordering::Relaxed)
}

#[no_mangle]
extern "C" fn tick() {
    // Nobody else writes: no swap is needed.
    let now = milliseconds().wrapping_add(1);
    MILLISECONDS.store(now, Ordering::Relaxed);
    if now == ALARM_MS.load(Ordering::Relaxed) {
        RINGS.store(true, Ordering::Relaxed);
    }
}

#[no_mangle]
extern "C" fn receive() {
    set(UART_INTCLEAR, 2);
    keep(get(UART_DATA) as u8);
}

/// Starts the tick and the wire.
pub(super) fn start() {
    set(SYST_RVR, CLOCK_HZ / 1000 - 1);
    set(SYST_CVR, 0);
    set(SYST_CSR, 0b111); // the processor's clock, with interrupt, on
    set(UART_BAUDDIV, CLOCK_HZ / 115_200);
    set(UART_CTRL, 0b1011); // send, receive, interrupt on receipt
    set(NVIC_ISER0, 1);
}

/// Sends a byte.
pub(super) fn send(byte: u8) {
    while get(UART_STATE) & 1 != 0 {}
    set(UART_DATA, u32::from(byte));
}

/// Interrupts bring what comes in.
pub(super) fn poll() {}

/// Waits until something may have come in.
pub(super) fn wait() {
    // SAFETY: waits for an interrupt, and touches nothing.
    unsafe { asm!("wfi", options(nomem, nostack, preserves_flags)) }
}

/// Ends the emulation with a status.
pub fn exit(status: u32) -> ! {
    exit_with(status)
}

#[no_mangle]
extern "C" fn exit_with(status: u32) -> ! {
    // SYS_EXIT_EXTENDED of "application exit".
    let block = [0x2_0026, status];
    loop {
        // SAFETY: the debugger reads the block, and does not come back.
        unsafe { asm!("bkpt 0xab", in("r0") 0x20, in("r1") &block) }
    }
}

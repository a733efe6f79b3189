//! Arm's board MPS2 with the image AN386 (Cortex-M4F), as far as the firmware needs it: start,
//! the first UART, the processor's tick, and the way out of an emulator.
//!
//! (Arm, "Application Note AN386"; "Cortex-M System Design Kit", for the UART; "Semihosting for
//! AArch32 and AArch64".)

use core::arch::{asm, global_asm};
use core::fmt::{self, Write};
use core::panic::PanicInfo;
use core::ptr::{addr_of, read_volatile, write_volatile};
use core::sync::atomic::{AtomicU32, AtomicU8, AtomicUsize, Ordering};

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

/// What unused stack is painted with.
const PAINT: u32 = 0x5aa5_5aa5;

extern "C" {
    static stack_low: u32;
    static stack_top: u32;
    static bss_begin: u8;
    static bss_end: u8;
    static flash_used: u8;
}

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

fn set(register: *mut u32, value: u32) {
    // SAFETY: only called with the registers above, which are there on this board, and for which
    // any value is valid.
    unsafe { write_volatile(register, value) }
}

fn get(register: *mut u32) -> u32 {
    // SAFETY: as in `set`.
    unsafe { read_volatile(register) }
}

static MILLISECONDS: AtomicU32 = AtomicU32::new(0);

/// Milliseconds since the start.
pub fn milliseconds() -> u32 {
    MILLISECONDS.load(Ordering::Relaxed)
}

#[no_mangle]
extern "C" fn tick() {
    // Nobody else writes: no swap is needed.
    MILLISECONDS.store(milliseconds().wrapping_add(1), Ordering::Relaxed);
}

/// The bytes received and not yet read: written by the interrupt, read by the program.
static RECEIVED: [AtomicU8; 256] = [const { AtomicU8::new(0) }; 256];
/// How many were ever written, and read.
static WRITTEN: AtomicUsize = AtomicUsize::new(0);
static READ: AtomicUsize = AtomicUsize::new(0);

#[no_mangle]
extern "C" fn receive() {
    set(UART_INTCLEAR, 2);
    let (byte, written) = (get(UART_DATA) as u8, WRITTEN.load(Ordering::Relaxed));
    // What nobody reads in time is lost.
    if written - READ.load(Ordering::Acquire) < RECEIVED.len() {
        RECEIVED[written % RECEIVED.len()].store(byte, Ordering::Relaxed);
        WRITTEN.store(written + 1, Ordering::Release);
    }
}

/// The first UART.
pub struct Uart(());

impl Uart {
    fn start() -> Uart {
        set(UART_BAUDDIV, CLOCK_HZ / 115_200);
        set(UART_CTRL, 0b1011); // send, receive, interrupt on receipt
        set(NVIC_ISER0, 1);
        Uart(())
    }

    /// The next byte, waited for.
    pub fn read(&mut self) -> u8 {
        let read = READ.load(Ordering::Relaxed);
        while WRITTEN.load(Ordering::Acquire) == read {
            // SAFETY: waits for an interrupt, and touches nothing.
            unsafe { asm!("wfi", options(nomem, nostack, preserves_flags)) }
        }
        let byte = RECEIVED[read % RECEIVED.len()].load(Ordering::Relaxed);
        READ.store(read + 1, Ordering::Release);
        byte
    }

    /// Do the bytes that wait to be read begin with this word?
    pub fn line_begins_with(word: &[u8]) -> bool {
        let read = READ.load(Ordering::Relaxed);
        WRITTEN.load(Ordering::Acquire) - read >= word.len()
            && word.iter().enumerate().all(|(i, &byte)| {
                RECEIVED[(read + i) % RECEIVED.len()].load(Ordering::Relaxed) == byte
            })
    }
}

/// The board, started.
pub struct Board {
    /// Its wire to the world.
    pub uart: Uart,
}

impl Board {
    /// Starts the tick and the wire.
    pub fn start() -> Board {
        set(SYST_RVR, CLOCK_HZ / 1000 - 1);
        set(SYST_CVR, 0);
        set(SYST_CSR, 0b111); // the processor's clock, with interrupt, on
        Board {
            uart: Uart::start(),
        }
    }

    /// Writes how much of the memories is in use, and how much of the stack ever was.
    pub fn report_memory(&mut self) {
        let (mut low, top) = (addr_of!(stack_low), addr_of!(stack_top));
        // SAFETY: all between the two is the stack's, and aligned.
        while low < top && unsafe { read_volatile(low) } == PAINT {
            low = low.wrapping_add(1);
        }
        let stack = top as usize - low as usize;
        let bss = addr_of!(bss_end) as usize - addr_of!(bss_begin) as usize;
        let flash = addr_of!(flash_used) as usize;
        let _ = writeln!(self, "memory: flash {flash} static {bss} stack {stack}");
    }
}

impl Write for Board {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            while get(UART_STATE) & 1 != 0 {}
            set(UART_DATA, u32::from(byte));
        }
        Ok(())
    }
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

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let _ = writeln!(Board { uart: Uart(()) }, "{info}");
    exit(2)
}

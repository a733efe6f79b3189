//! The checks as a program that needs no C library, only the one system call of Linux that ends
//! it: so it can be linked for any architecture by the linker alone, and run in an emulator.
//! Status 0 if all is well, else the number of the check that failed, counted from 1.
#![no_std]
#![no_main]

use core::arch::asm;

#[no_mangle]
extern "C" fn _start() -> ! {
    let mut number = 0;
    while let Some((_, agreed)) = kirin_portability::check(number) {
        number += 1;
        if agreed == 0 {
            exit(number);
        }
    }
    if !kirin_portability::runtime_is_const() {
        exit(number + 1);
    }
    if kirin_portability::perft() != kirin_portability::PERFT {
        exit(number + 2);
    }
    exit(0)
}

fn exit(status: u32) -> ! {
    // SAFETY: the system call `exit` takes one number and does not come back.
    unsafe {
        #[cfg(target_arch = "aarch64")]
        asm!("svc #0", in("x8") 93, in("x0") status, options(noreturn));
        #[cfg(target_arch = "powerpc")]
        asm!("sc", in("r0") 1, in("r3") status, options(noreturn));
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    exit(255)
}

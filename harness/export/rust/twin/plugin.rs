// SPDX-License-Identifier: MIT
//
// An exported module behind the functions that twin.hpp declares; measure_rust.py links it into a plug-in.
#![no_std]

mod sliding;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

/// A square as an engine has it, whose type says that there are 64; or with `--cfg any_number` any number.
#[inline(always)]
fn index(square: u32) -> usize {
    if cfg!(not(any_number)) && square >= 64 {
        // SAFETY: the replay loop asks about squares of a board.
        unsafe { core::hint::unreachable_unchecked() }
    }
    square as usize
}

#[repr(C)]
pub struct Sets {
    bishop: u64,
    rook: u64,
}

#[no_mangle]
pub extern "C" fn twin_init() {
    #[cfg(has_init)]
    sliding::init();
}

#[inline(always)]
#[no_mangle]
pub extern "C" fn twin_bishop(square: u32, occupied: u64) -> u64 {
    sliding::bishop(index(square), occupied)
}

#[inline(always)]
#[no_mangle]
pub extern "C" fn twin_rook(square: u32, occupied: u64) -> u64 {
    sliding::rook(index(square), occupied)
}

#[inline(always)]
#[no_mangle]
pub extern "C" fn twin_queen(square: u32, occupied: u64) -> u64 {
    sliding::queen(index(square), occupied)
}

#[inline(always)]
#[no_mangle]
pub extern "C" fn twin_both(square: u32, occupied: u64) -> Sets {
    let (bishop, rook) = sliding::both(index(square), occupied);
    Sets { bishop, rook }
}

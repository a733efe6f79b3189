//! What is asked of every target: that all slider look-ups agree with a walk along the rays, and
//! that the engine counts and searches as it does elsewhere.
#![no_std]

use kirin::{Board, Square};
use kirin_backends::{every_subset_of_the_full_rays, for_each, random_boards, Sliders, Visitor};

/// Random boards for each look-up.
const BOARDS: u64 = 1_000_000;

/// Checks the one of a number, if there are as many.
struct One {
    left: u32,
    answer: Option<(&'static str, u64)>,
}

impl Visitor for One {
    fn visit<S: Sliders>(&mut self) {
        if self.left == 0 {
            let subsets = every_subset_of_the_full_rays::<S>();
            let boards = random_boards::<S>(BOARDS);
            let count = match (subsets, boards) {
                (Ok(subsets), Ok(boards)) => subsets + boards,
                _ => 0,
            };
            self.answer = Some((S::NAME, count));
        }
        self.left = self.left.wrapping_sub(1);
    }
}

/// The name of a layout or backend by its number, and how many look-ups agreed: 0 if one did
/// not, and nothing at all if there are not as many.
pub fn check(number: u32) -> Option<(&'static str, u64)> {
    let mut one = One {
        left: number,
        answer: None,
    };
    for_each(&mut one);
    one.answer
}

/// Whether what the engine uses at run time is what its constants hold, on random boards.
pub fn runtime_is_const() -> bool {
    let mut state = 1_u64;
    (0..BOARDS).all(|_| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let square = Square::ALL[(state >> 58) as usize];
        let occupied = kirin::Bitboard(state ^ state >> 32);
        use kirin::attacks::{self, runtime};
        runtime::bishop_attacks(square, occupied) == attacks::bishop_attacks(square, occupied)
            && runtime::rook_attacks(square, occupied) == attacks::rook_attacks(square, occupied)
            && runtime::queen_attacks(square, occupied) == attacks::queen_attacks(square, occupied)
    })
}

/// What [`perft`] should give.
pub const PERFT: u64 = 4_085_603;

/// The leaves of a position rich in everything.
pub fn perft() -> u64 {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    Board::from_fen(fen).map_or(0, |board| kirin::perft(&board, 4))
}

/// For a host that can only call functions with numbers.
#[cfg(target_arch = "wasm32")]
mod exports {
    #[no_mangle]
    extern "C" fn look_ups_that_agree(number: u32) -> i64 {
        crate::check(number).map_or(-1, |(_, count)| count as i64)
    }

    #[no_mangle]
    extern "C" fn name(number: u32) -> *const u8 {
        crate::name(number).as_ptr()
    }

    #[no_mangle]
    extern "C" fn name_length(number: u32) -> usize {
        crate::name(number).len()
    }

    #[no_mangle]
    extern "C" fn runtime_is_const() -> i32 {
        crate::runtime_is_const() as i32
    }

    #[no_mangle]
    extern "C" fn perft_is_right() -> i32 {
        (crate::perft() == crate::PERFT) as i32
    }

    #[panic_handler]
    fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
        core::arch::wasm32::unreachable()
    }
}

/// Only asks for a name.
#[cfg(target_arch = "wasm32")]
fn name(number: u32) -> &'static str {
    struct Name(u32, &'static str);
    impl Visitor for Name {
        fn visit<S: Sliders>(&mut self) {
            if self.0 == 0 {
                self.1 = S::NAME;
            }
            self.0 = self.0.wrapping_sub(1);
        }
    }
    let mut name = Name(number, "");
    for_each(&mut name);
    name.1
}

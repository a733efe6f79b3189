//! The benchmark: a fixed set of positions, searched to a fixed depth with an empty memory.
//!
//! The sum of the nodes is the engine's signature. It depends on the search and on nothing else:
//! not on the machine, the target, the seed or the layout of the tables. Whoever runs it lends
//! the memory and keeps the time, so the same loop serves a desktop and a board without a clock.

use crate::board::{Board, KeyHistory};
use crate::profile;
use crate::search::{Host, Limits, Outcome, Searcher};
use crate::tt::{Cluster, TranspositionTable};

/// The depth that is searched unless another is asked for, in plies.
pub const DEFAULT_DEPTH: u32 = profile::BENCH_DEPTH;
/// The size of the hash table that belongs to the signature, in clusters: 16 MiB, or 32 KiB in
/// the small profile.
pub const CLUSTERS: usize = profile::BENCH_HASH_BYTES / core::mem::size_of::<Cluster>();

/// The positions: openings, middlegames, endgames, and the ends themselves.
#[rustfmt::skip]
pub static POSITIONS: [&str; 42] = [
    // Openings.
    Board::STARTPOS_FEN,
    "rnbqk1nr/p1ppppbp/1p4p1/8/5P2/2P3P1/PP1PP2P/RNBQKBNR w KQkq - 0 4",
    "r1bqkbnr/pppp1p1p/n3p1p1/8/2P5/3BP3/PP1P1PPP/RNBQK1NR w KQkq - 0 4",
    "rnbqk2r/ppppbppp/4pn2/8/3P1B2/2P5/PP2PPPP/RN1QKBNR w KQkq - 0 4",
    "r1bqkbnr/1pp1pppp/p1n5/3p4/4PP2/P7/1PPP2PP/RNBQKBNR w KQkq - 0 4",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1",
    // Middlegames.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4rr1k/pp1n2bp/7n/1Pp1pp1q/2Pp3N/1N1P1PP1/P5QP/2B1RR1K b - - 0 1",
    "1r2r1k1/pb1n1pp1/1p1p2np/2P1p1q1/P1P1P3/2P2PP1/2QNBB1P/1R1R3K b - - 0 1",
    "1q2rnk1/5rb1/bp1p1np1/pNpP2Bp/P1P1Pp1P/3B2P1/3QNRR1/7K w - - 0 1",
    "r1r3k1/1bqn1pbp/pp1pp1p1/4n3/2P2N1P/1PN1PP2/P2BB1P1/2R1QRK1 w - - 0 1",
    "r2qnrnk/p2b2b1/1p1p2pp/2pPpp2/1PP1P3/PRNBB3/3QNPPP/5RK1 w - - 0 1",
    "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 1",
    "4rrk1/2pb3p/p7/1ppPq3/2P1P1pP/2N5/PP2Q2P/4RR1K w - - 0 1",
    "r3k2r/pbn2ppp/8/1P1pP3/P1qP4/5B2/3Q1PPP/R3K2R w KQkq - 0 1",
    "3rr3/2pq2pk/p2p1pnp/8/2QBPP2/1P6/P5PP/4RRK1 b - - 0 1",
    "4r1k1/1p2qp1p/2p1n1pB/p3p3/P3P1B1/2N2Q1P/2P2PP1/6K1 w - - 0 1",
    "2b2q1k/2p4p/1rNn1p2/1p1P4/p3p3/P1P5/1P1Q2PP/1B1R2K1 w - - 0 1",
    "3r2k1/4qpn1/R2p3p/1Pp1p1p1/1rP1P1P1/6P1/3Q1P2/4RBK1 b - - 0 1",
    "6k1/p2nqpp1/Qp2p2p/8/3PNb2/P4N2/1Pr2PPP/4R1K1 w - - 0 1",
    "1r2r1k1/p4p1p/6pB/q7/8/3Q2P1/PbP2PKP/1R3R2 w - - 0 1",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "2r3k1/p1q1np2/2P1pp1p/P7/8/3Q1BPP/5PK1/2R5 w - - 0 1",
    "8/Qpnbk2q/4pp2/1P1p4/P1r5/2P3P1/1K2N3/1R3B2 b - - 0 1",
    // An en-passant capture and promotions at hand.
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "rnbqkbnr/ppp2pp1/4p3/3N4/3PpPp1/8/PPP3PP/R1B1KBNR b KQkq f3 0 1",
    // Endgames.
    "8/4r2p/2k2p2/1p1nr3/1Pp5/2P2R2/2NR3P/1K6 b - - 0 1",
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/pp3pk1/2p3p1/7p/2P1P2P/1P3KP1/P7/8 w - - 0 30",
    "8/5pk1/6p1/R6p/r6P/6P1/5PK1/8 w - - 12 50",
    "8/8/2k5/8/1p1K4/8/1P6/8 b - - 0 60",
    "8/3k4/8/8/8/3K4/3P4/8 w - - 0 1",
    "8/8/8/4k3/8/8/3BN3/4K3 w - - 0 1",
    "3k4/8/8/3r4/8/8/8/Q2K4 w - - 0 1",
    // Zugzwang, a fortress, the end of fifty moves, and mates to find or to suffer.
    "8/3p1N2/8/4B3/2K2p2/b3P3/pP2P3/k7 b - - 0 1",
    "2k5/2p5/1q1p4/pPpPp1p1/N1P1Pp1p/P4PbP/KQ4P1/8 w - - 0 1",
    "8/8/4k3/8/R7/4K3/7r/8 w - - 94 120",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "k7/8/1K6/5R2/8/8/8/8 b - - 0 1",
    // Mated, and stalemated.
    "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
];

/// Searches every position, each with an empty memory, and returns the sum of the nodes. For
/// each, `begin` is called with its FEN when only the search is left to do, and `end` with what
/// was found. A stopped `host` ends the rest quickly, and the sum then means nothing.
pub fn run<H: Host>(
    searcher: &mut Searcher,
    table: TranspositionTable<'_>,
    depth: u32,
    host: &mut H,
    mut begin: impl FnMut(&str),
    mut end: impl FnMut(&Outcome),
) -> u64 {
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let history = KeyHistory::new();
    let mut nodes = 0;
    for fen in POSITIONS {
        let board = Board::from_fen(fen).unwrap_or_else(|_| unreachable!("a test reads them all"));
        searcher.clear();
        table.clear();
        begin(fen);
        let outcome = searcher.search(&board, &history, &limits, table, host);
        end(&outcome);
        nodes += outcome.nodes;
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_are_accepted_and_different() {
        for (i, fen) in POSITIONS.iter().enumerate() {
            assert!(Board::from_fen(fen).is_ok(), "{fen}");
            assert!(!POSITIONS[..i].contains(fen), "{fen} twice");
        }
    }
}

//! What a firmware keeps in its memory: a searcher and a hash table, both of zero bytes, which
//! the start code clears with the rest of `.bss`.
#![no_std]

use kirin::search::Limits;
use kirin::{Board, Cluster, KeyHistory, Searcher, TakeOnce, TranspositionTable};

/// The search's memory.
#[no_mangle]
pub static KIRIN_SEARCHER: TakeOnce<Searcher> = TakeOnce::new(Searcher::new());

/// The hash table's memory: 32 KiB.
#[no_mangle]
pub static KIRIN_HASH: TakeOnce<[Cluster; 1024]> =
    TakeOnce::new([const { Cluster::new() }; 1024]);

/// Searches the starting position to this depth; the 24 bits of the move, or 0.
#[no_mangle]
pub extern "C" fn kirin_think(depth: u32) -> u32 {
    let (Some(searcher), Some(hash)) = (KIRIN_SEARCHER.take(), KIRIN_HASH.take()) else {
        return 0;
    };
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let table = TranspositionTable::new(&*hash);
    let outcome =
        searcher.search(&Board::startpos(), &KeyHistory::new(), &limits, table, &mut ());
    outcome.best.map_or(0, kirin::Move::bits)
}

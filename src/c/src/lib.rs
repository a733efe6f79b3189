//! The library for programs in C. `kirin.h`, beside this package's manifest, says what each
//! function does; here stands what that promises of memory.
#![cfg_attr(target_os = "none", no_std)]
#![warn(missing_docs)]

use core::ffi::{c_char, c_int, c_void, CStr};
use core::mem::{align_of, size_of};
use core::ptr;
use kirin::search::{Clock, Host, Limits, Strength};
use kirin::uci::Position;
use kirin::{attacks, generated, Bitboard, Board, Cluster, Move, Searcher, Square, Status};

/// An engine, at the beginning of the memory that was lent to it.
pub struct Engine {
    position: Position,
    searcher: Searcher,
    table: &'static [Cluster],
    searches: u64,
    nodes: u64,
    score: i32,
}

/// See `kirin.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct KirinLimits {
    /// Plies.
    pub depth: u32,
    /// Nodes.
    pub nodes: u64,
    /// Milliseconds for this move.
    pub move_time_ms: u32,
    /// Milliseconds on the clock.
    pub time_ms: u32,
    /// Milliseconds that the clock gains.
    pub increment_ms: u32,
    /// Levels below the full strength; above the most, the most.
    pub handicap: u32,
    /// With a handicap: any number, and another for another choice.
    pub random: u32,
}

/// See `kirin.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct KirinHost {
    /// The time.
    pub milliseconds: Option<unsafe extern "C" fn(*mut c_void) -> u32>,
    /// Must the search end?
    pub stop: Option<unsafe extern "C" fn(*mut c_void) -> c_int>,
    /// What both are called with.
    pub context: *mut c_void,
}

/// See `kirin.h`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct KirinTable {
    /// The name's first letter.
    pub name: *const c_char,
    /// The name's length.
    pub name_length: usize,
    /// Entries.
    pub entries: usize,
    /// Bytes.
    pub bytes: usize,
}

/// What a search sees of the program.
struct Surroundings {
    host: Option<KirinHost>,
    begun_ms: u32,
}

impl Surroundings {
    fn now_ms(&self) -> u32 {
        match self
            .host
            .and_then(|host| Some((host.milliseconds?, host.context)))
        {
            // SAFETY: whoever gave the function promised that it may be called with the context.
            Some((milliseconds, context)) => unsafe { milliseconds(context) },
            None => 0,
        }
    }
}

impl Host for Surroundings {
    fn elapsed_ms(&mut self) -> u64 {
        u64::from(self.now_ms().wrapping_sub(self.begun_ms))
    }

    fn stopped(&mut self) -> bool {
        match self.host.and_then(|host| Some((host.stop?, host.context))) {
            // SAFETY: as in `now_ms`.
            Some((stop, context)) => unsafe { stop(context) != 0 },
            None => false,
        }
    }
}

/// See `kirin.h`.
#[no_mangle]
pub extern "C" fn kirin_bytes() -> usize {
    size_of::<Engine>() + align_of::<Engine>() - 1
}

/// See `kirin.h`.
///
/// # Safety
///
/// `memory` is null, or `bytes` of memory that nobody else touches while the engine is used.
#[no_mangle]
pub unsafe extern "C" fn kirin_new(memory: *mut c_void, bytes: usize) -> *mut Engine {
    if memory.is_null() || bytes < kirin_bytes() {
        return ptr::null_mut();
    }
    // SAFETY: the caller lends these bytes.
    unsafe { ptr::write_bytes(memory.cast::<u8>(), 0, bytes) };
    let lost = memory.align_offset(align_of::<Engine>());
    // SAFETY: `bytes` has room for an engine behind what its alignment loses.
    let engine = unsafe { memory.byte_add(lost) }.cast::<Engine>();
    // SAFETY: likewise, and the table's memory lies behind it.
    let rest = unsafe { engine.add(1) }.cast::<u8>();
    let skipped = rest.align_offset(align_of::<Cluster>());
    let clusters =
        (bytes - lost - size_of::<Engine>()).saturating_sub(skipped) / size_of::<Cluster>();
    let table: &'static [Cluster] = if clusters == 0 {
        &[]
    } else {
        // SAFETY: as many clusters as fit, aligned, of zero bytes, which are a new one's, in
        // memory that is the engine's as long as it is used.
        unsafe { core::slice::from_raw_parts(rest.add(skipped).cast::<Cluster>(), clusters) }
    };
    // SAFETY: aligned, and there is room. The searcher is not written: it would pass over the
    // stack, and its zero bytes are a new one's already, as `Searcher::new` promises. The other
    // fields are written without being read.
    unsafe {
        ptr::addr_of_mut!((*engine).position).write(Position::new(Board::startpos()));
        ptr::addr_of_mut!((*engine).table).write(table);
    }
    engine
}

/// The engine that a pointer of the caller's means.
///
/// # Safety
///
/// The pointer is null or came from [`kirin_new`], and nobody else uses the engine now.
unsafe fn engine<'a>(engine: *mut Engine) -> Option<&'a mut Engine> {
    // SAFETY: the caller's promise; `kirin_new` made a whole engine.
    unsafe { engine.as_mut() }
}

/// # Safety
///
/// `text` is null or a string that ends with 0.
unsafe fn text<'a>(text: *const c_char) -> Option<&'a str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

/// See `kirin.h`.
///
/// # Safety
///
/// `this` came from [`kirin_new`]; `fen` is null or a string that ends with 0.
#[no_mangle]
pub unsafe extern "C" fn kirin_set_position(this: *mut Engine, fen: *const c_char) -> c_int {
    // SAFETY: the caller's promises.
    let (engine, given) = unsafe { (engine(this), text(fen)) };
    let Some(engine) = engine else { return -1 };
    let board = match given {
        Some(fen) => Board::from_fen(fen).ok(),
        None => fen.is_null().then(Board::startpos),
    };
    let Some(board) = board else { return -1 };
    engine.position = Position::new(board);
    0
}

/// See `kirin.h`.
///
/// # Safety
///
/// `this` came from [`kirin_new`]; `mv` is null or a string that ends with 0.
#[no_mangle]
pub unsafe extern "C" fn kirin_play(this: *mut Engine, mv: *const c_char) -> c_int {
    // SAFETY: the caller's promises.
    let (engine, given) = unsafe { (engine(this), text(mv)) };
    let Some(engine) = engine else { return -1 };
    let mv = given
        .and_then(|text| text.parse().ok())
        .and_then(|mv| engine.position.board.find_move(mv));
    match mv {
        Some(mv) => engine.position.play(mv),
        None => return -1,
    }
    0
}

/// See `kirin.h`.
///
/// # Safety
///
/// `this` came from [`kirin_new`]; `moves` has room for `room` numbers.
#[no_mangle]
pub unsafe extern "C" fn kirin_moves(this: *const Engine, moves: *mut u32, room: u32) -> u32 {
    // SAFETY: the caller's promise.
    let Some(engine) = (unsafe { engine(this.cast_mut()) }) else {
        return 0;
    };
    let legal = engine.position.board.legal_moves();
    if !moves.is_null() {
        for (i, mv) in legal.iter().take(room as usize).enumerate() {
            // SAFETY: `i` is below `room`.
            unsafe { moves.add(i).write(mv.bits()) };
        }
    }
    legal.len() as u32
}

/// Writes letters one after the other.
struct Letters<'a> {
    text: &'a mut [u8],
    length: usize,
}

impl core::fmt::Write for Letters<'_> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let end = self.length + text.len();
        self.text
            .get_mut(self.length..end)
            .ok_or(core::fmt::Error)?
            .copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

/// See `kirin.h`.
///
/// # Safety
///
/// `text` is null or has room for six letters.
#[no_mangle]
pub unsafe extern "C" fn kirin_move_text(mv: u32, text: *mut c_char) {
    if text.is_null() {
        return;
    }
    let mut letters = [0; 6];
    let mut writer = Letters {
        text: &mut letters[..5],
        length: 0,
    };
    let _ = match Move::from_bits(mv) {
        Some(mv) => core::fmt::write(&mut writer, format_args!("{mv}")),
        None => core::fmt::write(&mut writer, format_args!("0000")),
    };
    // SAFETY: the caller's promise.
    unsafe { ptr::copy_nonoverlapping(letters.as_ptr(), text.cast(), letters.len()) };
}

/// See `kirin.h`.
///
/// # Safety
///
/// `this` came from [`kirin_new`].
#[no_mangle]
pub unsafe extern "C" fn kirin_status(this: *const Engine) -> c_int {
    // SAFETY: the caller's promise.
    let Some(engine) = (unsafe { engine(this.cast_mut()) }) else {
        return 0;
    };
    let Position { board, history } = &engine.position;
    match board.status() {
        Status::Ongoing if history.is_repetition(board, 3) => 5,
        Status::Ongoing => 0,
        Status::Checkmate => 1,
        Status::Stalemate => 2,
        Status::FiftyMoves => 3,
        Status::InsufficientMaterial => 4,
    }
}

/// See `kirin.h`.
///
/// # Safety
///
/// `this` came from [`kirin_new`]; `limits` and `host` are null or valid.
#[no_mangle]
pub unsafe extern "C" fn kirin_think(
    this: *mut Engine,
    limits: *const KirinLimits,
    host: *const KirinHost,
) -> u32 {
    // SAFETY: the caller's promises.
    let (engine, limits, host) = unsafe { (engine(this), limits.as_ref(), host.as_ref()) };
    let Some(engine) = engine else { return 0 };
    let given = limits.copied().unwrap_or_default();
    let level = Strength::FULL_LEVEL.saturating_sub(given.handicap);
    let limits = Limits {
        depth: (given.depth > 0).then_some(given.depth),
        nodes: (given.nodes > 0).then_some(given.nodes),
        movetime_ms: (given.move_time_ms > 0).then_some(given.move_time_ms.into()),
        clock: (given.time_ms > 0).then_some(Clock {
            time_ms: given.time_ms.into(),
            increment_ms: given.increment_ms.into(),
        }),
        strength: Strength::of_level(level, given.random.into()),
        ..Limits::default()
    };
    let mut surroundings = Surroundings {
        host: host.copied(),
        begun_ms: 0,
    };
    surroundings.begun_ms = surroundings.now_ms();
    engine.searches += 1;
    let table = kirin::TranspositionTable::new(engine.table).with_age(engine.searches);
    let Position { board, history } = &engine.position;
    let outcome = engine
        .searcher
        .search(board, history, &limits, table, &mut surroundings);
    (engine.nodes, engine.score) = (outcome.nodes, outcome.score);
    outcome.best.map_or(0, Move::bits)
}

/// See `kirin.h`.
///
/// # Safety
///
/// `this` came from [`kirin_new`].
#[no_mangle]
pub unsafe extern "C" fn kirin_nodes(this: *const Engine) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { engine(this.cast_mut()) }.map_or(0, |engine| engine.nodes)
}

/// See `kirin.h`.
///
/// # Safety
///
/// `this` came from [`kirin_new`].
#[no_mangle]
pub unsafe extern "C" fn kirin_score(this: *const Engine) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { engine(this.cast_mut()) }.map_or(0, |engine| engine.score)
}

fn square(number: u32) -> Square {
    Square::ALL[(number & 63) as usize]
}

/// See `kirin.h`.
#[no_mangle]
pub extern "C" fn kirin_rook_attacks(from: u32, occupied: u64) -> u64 {
    attacks::rook_attacks(square(from), Bitboard(occupied)).0
}

/// See `kirin.h`.
#[no_mangle]
pub extern "C" fn kirin_bishop_attacks(from: u32, occupied: u64) -> u64 {
    attacks::bishop_attacks(square(from), Bitboard(occupied)).0
}

/// See `kirin.h`.
#[no_mangle]
pub extern "C" fn kirin_knight_attacks(from: u32) -> u64 {
    attacks::knight_attacks(square(from)).0
}

/// See `kirin.h`.
#[no_mangle]
pub extern "C" fn kirin_king_attacks(from: u32) -> u64 {
    attacks::king_attacks(square(from)).0
}

/// See `kirin.h`.
///
/// # Safety
///
/// `table` is null or valid.
#[no_mangle]
pub unsafe extern "C" fn kirin_table(number: usize, table: *mut KirinTable) -> c_int {
    let Some(info) = generated::TABLES.get(number) else {
        return -1;
    };
    if !table.is_null() {
        let info = KirinTable {
            name: info.name.as_ptr().cast(),
            name_length: info.name.len(),
            entries: info.entries,
            bytes: info.bytes,
        };
        // SAFETY: the caller's promise.
        unsafe { table.write(info) };
    }
    0
}

#[cfg(target_os = "none")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

//! The numbers that steer the search. Depths are in plies, margins in centipawns.
//!
//! Published starting values; they change only by our own games.

/// Aspiration: the first window around the last score, and from which depth on.
pub(super) const ASPIRATION_DELTA_CP: i32 = 16;
pub(super) const ASPIRATION_MIN_DEPTH: i32 = 4;

/// Reverse futility: a static score so far above beta stands.
pub(super) const RFP_MAX_DEPTH: i32 = 8;
pub(super) const RFP_MARGIN_PER_DEPTH_CP: i32 = 75;

/// Razoring: so far below alpha only quiescence may help.
pub(super) const RAZORING_MAX_DEPTH: i32 = 3;
pub(super) const RAZORING_MARGIN_PER_DEPTH_CP: i32 = 240;

/// Null move: the reduction, and from which depth on its cutoff is verified.
pub(super) const NMP_MIN_DEPTH: i32 = 3;
pub(super) const NMP_BASE_REDUCTION: i32 = 4;
pub(super) const NMP_DEPTH_DIVISOR: i32 = 3;
pub(super) const NMP_EVAL_DIVISOR_CP: i32 = 200;
pub(super) const NMP_MAX_EVAL_REDUCTION: i32 = 3;
pub(super) const NMP_VERIFICATION_DEPTH: i32 = 14;

/// Internal iterative reduction: no hash move at this depth or more.
pub(super) const IIR_MIN_DEPTH: i32 = 4;

/// Late move pruning: quiet moves to look at are base + depth², half when not improving.
pub(super) const LMP_MAX_DEPTH: i32 = 8;
pub(super) const LMP_BASE: i32 = 3;

/// Futility: quiet moves so far below alpha are skipped.
pub(super) const FUTILITY_MAX_DEPTH: i32 = 8;
pub(super) const FUTILITY_BASE_CP: i32 = 90;
pub(super) const FUTILITY_MARGIN_PER_DEPTH_CP: i32 = 80;

/// SEE pruning: exchanges that lose more are skipped.
pub(super) const SEE_PRUNING_MAX_DEPTH: i32 = 8;
pub(super) const SEE_QUIET_MARGIN_PER_DEPTH_CP: i32 = 60;
pub(super) const SEE_NOISY_MARGIN_PER_DEPTH_CP: i32 = 100;

/// History pruning: quiet moves with a history below this times the depth are skipped.
pub(super) const HISTORY_PRUNING_MAX_DEPTH: i32 = 4;
pub(super) const HISTORY_PRUNING_PER_DEPTH: i32 = -4_000;

/// Singular extensions: from this depth on, with a hash move from a search no more than this
/// shallower; the window below its score, and how far below that it is extended twice.
pub(super) const SINGULAR_MIN_DEPTH: i32 = 7;
pub(super) const SINGULAR_DEPTH_SLACK: i32 = 3;
pub(super) const SINGULAR_MARGIN_PER_DEPTH_CP: i32 = 2;
pub(super) const SINGULAR_DOUBLE_MARGIN_CP: i32 = 20;
/// In one line only so many moves are extended twice: where all moves are forced the tree would
/// grow without end.
pub(super) const SINGULAR_MAX_DOUBLES: u8 = 4;

/// Late move reductions, in 1/1024 ply (see the generated table).
pub(super) const LMR_MIN_DEPTH: i32 = 3;
pub(super) const LMR_SCALE: i32 = 1024;
/// A history of this size moves the reduction by a ply.
pub(super) const LMR_HISTORY_DIVISOR: i32 = 8_192;

/// A reduced move that beats the best one by this much, and two points a ply, is searched again a
/// ply deeper.
pub(super) const LMR_DEEPER_MARGIN_CP: i32 = 40;

/// Mates are looked for apart from the main search, after each of its iterations: so many moves
/// long at most, for one node in so many.
pub(super) const MATE_PROBE_MOVES: u32 = 7;
pub(super) const MATE_PROBE_INTERVAL: u64 = 24;
/// Where a mate is asked for, so many times the main search's nodes are spent.
pub(super) const MATE_SEARCH_SHARE: u64 = 4;

/// Quiescence: a capture must lift the static score this near to alpha.
pub(super) const QS_FUTILITY_MARGIN_CP: i32 = 180;

/// Histories: the bonus of a cutoff by depth.
pub(super) const HISTORY_BONUS_PER_DEPTH: i32 = 160;
pub(super) const HISTORY_BONUS_OFFSET: i32 = 60;
pub(super) const HISTORY_BONUS_MAX: i32 = 1_800;

/// From this halfmove clock on the table's scores are no cutoffs: it doesn't know the clock.
pub(super) const TABLE_CUTOFF_MAX_CLOCK: u16 = 90;

/// Endgame tables: what they say is kept as if a search so many plies deeper had found it.
pub(super) const TABLES_DEPTH_BONUS: i32 = 6;

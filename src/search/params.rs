//! The numbers that steer the search. Depths are in plies, margins in centipawns.
//!
//! They began as published values and were tuned by our own games: see `tests/STRENGTH.md`.

/// Reductions are in 1/1024 ply, shares in 1/1024 of what they are of.
pub(super) const SCALE: i32 = 1024;

/// Aspiration: the first window around the last score, and from which depth on.
pub(super) const ASPIRATION_DELTA_CP: i32 = 23;
pub(super) const ASPIRATION_MIN_DEPTH: i32 = 4;

/// Reverse futility: a static score so far above beta stands.
pub(super) const RFP_MAX_DEPTH: i32 = 8;
pub(super) const RFP_MARGIN_PER_DEPTH_CP: i32 = 67;
/// So much less is enough when improving.
pub(super) const RFP_IMPROVING_CP: i32 = 50;

/// Razoring: so far below alpha only quiescence may help.
pub(super) const RAZORING_MAX_DEPTH: i32 = 3;
pub(super) const RAZORING_MARGIN_PER_DEPTH_CP: i32 = 244;

/// Null move: the reduction, in 1/1024 ply, but for what the evaluation adds to it in plies, and from
/// which depth on its cutoff is verified.
pub(super) const NMP_MIN_DEPTH: i32 = 3;
pub(super) const NMP_BASE_REDUCTION: i32 = 3_832;
pub(super) const NMP_REDUCTION_PER_DEPTH: i32 = 390;
pub(super) const NMP_EVAL_DIVISOR_CP: i32 = 152;
pub(super) const NMP_MAX_EVAL_REDUCTION: i32 = 3;
pub(super) const NMP_VERIFICATION_DEPTH: i32 = 14;
/// The static score must be so far above beta, less so much for each ply of depth.
pub(super) const NMP_STATIC_MARGIN_CP: i32 = 116;
pub(super) const NMP_STATIC_MARGIN_PER_DEPTH_CP: i32 = 20;

/// Internal iterative reduction: no hash move at this depth or more.
pub(super) const IIR_MIN_DEPTH: i32 = 4;

/// Late move pruning: quiet moves to look at are base + depth² times a factor, half when not
/// improving; both in 1/256 move.
pub(super) const LMP_MAX_DEPTH: i32 = 8;
pub(super) const LMP_BASE: i32 = 1_530;
pub(super) const LMP_PER_SQUARED_DEPTH: i32 = 365;
pub(super) const LMP_SCALE: i32 = 256;

/// Futility: quiet moves so far below alpha are skipped.
pub(super) const FUTILITY_MAX_DEPTH: i32 = 8;
pub(super) const FUTILITY_BASE_CP: i32 = 95;
pub(super) const FUTILITY_MARGIN_PER_DEPTH_CP: i32 = 101;

/// SEE pruning: exchanges that lose more are skipped.
pub(super) const SEE_PRUNING_MAX_DEPTH: i32 = 8;
pub(super) const SEE_QUIET_MARGIN_PER_DEPTH_CP: i32 = 76;
pub(super) const SEE_NOISY_MARGIN_PER_DEPTH_CP: i32 = 105;

/// History pruning: quiet moves with a history below this times the depth are skipped.
pub(super) const HISTORY_PRUNING_MAX_DEPTH: i32 = 4;
pub(super) const HISTORY_PRUNING_PER_DEPTH: i32 = -2_665;

/// Singular extensions: from this depth on, with a hash move from a search no more than this
/// shallower; the window below its score, and how far below that it is extended twice.
pub(super) const SINGULAR_MIN_DEPTH: i32 = 7;
pub(super) const SINGULAR_DEPTH_SLACK: i32 = 3;
pub(super) const SINGULAR_MARGIN_PER_16_DEPTHS_CP: i32 = 27;
pub(super) const SINGULAR_DOUBLE_MARGIN_CP: i32 = 23;
/// In one line only so many moves are extended twice: where all moves are forced the tree would
/// grow without end.
pub(super) const SINGULAR_MAX_DOUBLES: u8 = 4;

/// Late move reductions, in 1/1024 ply (see the generated table).
pub(super) const LMR_MIN_DEPTH: i32 = 3;
/// A history of this size moves the reduction by a ply.
pub(super) const LMR_HISTORY_DIVISOR: i32 = 9_152;
/// Captures and promotions are reduced by this share.
pub(super) const LMR_NOISY_SHARE: i32 = 500;
/// Less is taken off in a principal variation, from checks, from killers and at the root; more
/// where a cutoff is expected, where the side to move isn't improving, where the hash move is not
/// quiet, and where so many nodes below have failed high already.
pub(super) const LMR_PV: i32 = 652;
pub(super) const LMR_CHECK: i32 = 859;
pub(super) const LMR_KILLER: i32 = 659;
pub(super) const LMR_ROOT: i32 = 1_024;
pub(super) const LMR_CUT_NODE: i32 = 1_067;
pub(super) const LMR_NOT_IMPROVING: i32 = 1_235;
pub(super) const LMR_NOISY_HASH_MOVE: i32 = 401;
pub(super) const LMR_REFUTED: i32 = 772;
pub(super) const LMR_REFUTED_MIN_CUTOFFS: u8 = 4;

/// A reduced move that beats the best one by this much, and two points a ply, is searched again a
/// ply deeper.
pub(super) const LMR_DEEPER_MARGIN_CP: i32 = 36;

/// Mates are looked for apart from the main search, after each of its iterations: so many moves
/// long at most, for one node in so many.
pub(super) const MATE_PROBE_MOVES: u32 = 7;
pub(super) const MATE_PROBE_INTERVAL: u64 = 24;
/// Where a mate is asked for, so many times the main search's nodes are spent.
pub(super) const MATE_SEARCH_SHARE: u64 = 4;

/// Quiescence: a capture must lift the static score this near to alpha.
pub(super) const QS_FUTILITY_MARGIN_CP: i32 = 159;

/// Histories: the bonus of a cutoff by depth, and the malus of those tried before it in 1/1024 of
/// the bonus.
pub(super) const HISTORY_BONUS_PER_DEPTH: i32 = 228;
pub(super) const HISTORY_BONUS_MAX: i32 = 2_119;
pub(super) const HISTORY_MALUS_SHARE: i32 = 1_283;
/// So much of the bonus, in 1/1024, tells the continuation histories what a second search at the
/// full depth has made of a move.
pub(super) const HISTORY_RESEARCH_SHARE: i32 = 379;
/// The bonus of a quiet move for each centipawn that the evaluation gains by it, with its bound;
/// and for every one.
pub(super) const HISTORY_EVAL_PER_CP: i32 = 4;
pub(super) const HISTORY_EVAL_MAX: i32 = 479;
pub(super) const HISTORY_EVAL_OFFSET: i32 = 106;

/// From this halfmove clock on the table's scores are no cutoffs: it doesn't know the clock.
pub(super) const TABLE_CUTOFF_MAX_CLOCK: u16 = 90;

/// Endgame tables: what they say is kept as if a search so many plies deeper had found it.
pub(super) const TABLES_DEPTH_BONUS: i32 = 6;

//! The numbers that steer the search. Depths are in plies, margins in centipawns.
//!
//! They began as published values and were tuned by our own games: see `tests/STRENGTH.md`.

use super::correction::PARTS as CORRECTION_PARTS;

/// Reductions are in 1/1024 ply, shares in 1/1024 of what they are of.
pub(super) const SCALE: i32 = 1024;

/// Aspiration: the first window around the last score, and from which depth on.
pub(super) const ASPIRATION_DELTA_CP: i32 = 18;
pub(super) const ASPIRATION_MIN_DEPTH: i32 = 4;

/// Reverse futility: a static score so far above beta stands.
pub(super) const RFP_MAX_DEPTH: i32 = 8;
pub(super) const RFP_MARGIN_PER_DEPTH_CP: i32 = 76;
/// So much less is enough when improving.
pub(super) const RFP_IMPROVING_CP: i32 = 46;
/// What is returned lies so far from beta towards that score.
pub(super) const RFP_RETURN_SHARE: i32 = 755;

/// Razoring: so far below alpha only quiescence may help.
pub(super) const RAZORING_MAX_DEPTH: i32 = 3;
pub(super) const RAZORING_MARGIN_PER_DEPTH_CP: i32 = 270;

/// Null move: the reduction, in 1/1024 ply, but for what the evaluation adds to it in plies, and from
/// which depth on its cutoff is verified.
pub(super) const NMP_MIN_DEPTH: i32 = 3;
pub(super) const NMP_BASE_REDUCTION: i32 = 3_814;
pub(super) const NMP_REDUCTION_PER_DEPTH: i32 = 422;
pub(super) const NMP_EVAL_DIVISOR_CP: i32 = 148;
pub(super) const NMP_MAX_EVAL_REDUCTION: i32 = 3;
pub(super) const NMP_VERIFICATION_DEPTH: i32 = 14;
/// The static score must be so far above beta, less so much for each ply of depth.
pub(super) const NMP_STATIC_MARGIN_CP: i32 = 98;
pub(super) const NMP_STATIC_MARGIN_PER_DEPTH_CP: i32 = 18;

/// Internal iterative reduction: no hash move at this depth or more.
pub(super) const IIR_MIN_DEPTH: i32 = 4;

/// Late move pruning: quiet moves to look at are base + depth² times a factor, half when not
/// improving; both in 1/256 move.
pub(super) const LMP_MAX_DEPTH: i32 = 8;
pub(super) const LMP_BASE: i32 = 1_827;
pub(super) const LMP_PER_SQUARED_DEPTH: i32 = 377;
pub(super) const LMP_SCALE: i32 = 256;

/// Futility: quiet moves so far below alpha are skipped.
pub(super) const FUTILITY_MAX_DEPTH: i32 = 9;
pub(super) const FUTILITY_BASE_CP: i32 = 96;
pub(super) const FUTILITY_MARGIN_PER_DEPTH_CP: i32 = 109;

/// Captures that leave the score so far below alpha are skipped; a good history counts.
pub(super) const CAPTURE_FUTILITY_MAX_DEPTH: i32 = 7;
pub(super) const CAPTURE_FUTILITY_BASE_CP: i32 = 354;
pub(super) const CAPTURE_FUTILITY_MARGIN_PER_DEPTH_CP: i32 = 144;
pub(super) const CAPTURE_FUTILITY_HISTORY_DIVISOR: i32 = 40;

/// SEE pruning: exchanges that lose more are skipped.
pub(super) const SEE_PRUNING_MAX_DEPTH: i32 = 8;
pub(super) const SEE_QUIET_MARGIN_PER_DEPTH_CP: i32 = 84;
pub(super) const SEE_NOISY_MARGIN_PER_DEPTH_CP: i32 = 109;

/// History pruning: quiet moves with a history below this times the depth are skipped.
pub(super) const HISTORY_PRUNING_MAX_DEPTH: i32 = 4;
pub(super) const HISTORY_PRUNING_PER_DEPTH: i32 = -3_030;

/// Singular extensions: from this depth on, with a hash move from a search no more than this
/// shallower; the window below its score, and how far below that it is extended twice.
pub(super) const SINGULAR_MIN_DEPTH: i32 = 6;
pub(super) const SINGULAR_DEPTH_SLACK: i32 = 3;
pub(super) const SINGULAR_MARGIN_PER_16_DEPTHS_CP: i32 = 32;
pub(super) const SINGULAR_DOUBLE_MARGIN_CP: i32 = 17;
/// In one line only so many moves are extended twice: where all moves are forced the tree would
/// grow without end.
pub(super) const SINGULAR_MAX_DOUBLES: u8 = 4;

/// Late move reductions, in 1/1024 ply (see the generated table).
pub(super) const LMR_MIN_DEPTH: i32 = 3;
/// A history of this size moves the reduction by a ply, that of a quiet move or of a capture.
pub(super) const LMR_HISTORY_DIVISOR: i32 = 7_826;
pub(super) const LMR_CAPTURE_HISTORY_DIVISOR: i32 = 10_092;
/// Captures and promotions are reduced by this share.
pub(super) const LMR_NOISY_SHARE: i32 = 511;
/// Less is taken off in a principal variation or what has been one, from checks, from killers and
/// at the root; more
/// where a cutoff is expected, where the side to move isn't improving, where the hash move is not
/// quiet, and where so many nodes below have failed high already.
pub(super) const LMR_PV: i32 = 732;
pub(super) const LMR_FORMER_PV: i32 = 314;
pub(super) const LMR_CHECK: i32 = 773;
pub(super) const LMR_KILLER: i32 = 738;
pub(super) const LMR_ROOT: i32 = 896;
pub(super) const LMR_CUT_NODE: i32 = 1_236;
pub(super) const LMR_NOT_IMPROVING: i32 = 1_109;
pub(super) const LMR_NOISY_HASH_MOVE: i32 = 701;
pub(super) const LMR_REFUTED: i32 = 704;
pub(super) const LMR_REFUTED_MIN_CUTOFFS: u8 = 4;

/// A reduced move that beats the best one by this much, and so much for 16 plies, is searched again
/// a ply deeper; one that beats it by less than the third number for 16 plies a ply less deep.
pub(super) const LMR_DEEPER_MARGIN_CP: i32 = 36;
pub(super) const LMR_DEEPER_PER_16_DEPTHS_CP: i32 = 35;
pub(super) const LMR_SHALLOWER_PER_16_DEPTHS_CP: i32 = 13;

/// A score above beta counts for less, by this share over the depth and this much more depth.
pub(super) const FAIL_HIGH_SHARE: i32 = 1_428;
pub(super) const FAIL_HIGH_DEPTH: i32 = 5;

/// Move ordering: how much of its history counts for a capture, and how much in 1/64 of that, in
/// centipawns, it may lose to be tried early; what a quiet check is worth; and the shares of what
/// followed the moves one and two plies before.
pub(super) const CAPTURE_ORDER_SHARE: i32 = 123;
pub(super) const CAPTURE_SEE_SHARE: i32 = 308;
pub(super) const CHECK_ORDER: i32 = 3_909;
pub(super) const CONTINUATION_SHARES: [i32; 2] = [1_038, 954];

/// Correction histories: how much each part corrects at most, in centipawns.
pub(super) const CORRECTION_PART_CP: [i32; CORRECTION_PARTS] = [58, 43, 48, 38, 31];

/// Mates are looked for apart from the main search, after each of its iterations: so many moves
/// long at most, for one node in so many.
pub(super) const MATE_PROBE_MOVES: u32 = 7;
pub(super) const MATE_PROBE_INTERVAL: u64 = 24;
/// Where a mate is asked for, so many times the main search's nodes are spent.
pub(super) const MATE_SEARCH_SHARE: u64 = 4;

/// Quiescence: a capture must lift the static score this near to alpha.
pub(super) const QS_FUTILITY_MARGIN_CP: i32 = 167;
/// One that leaves it further below than this is not even weighed.
pub(super) const QS_HOPELESS_MARGIN_CP: i32 = 227;
/// Standing pat above beta counts for less by this share.
pub(super) const QS_FAIL_HIGH_SHARE: i32 = 131;

/// Histories: the bonus of a cutoff by depth, and the malus of those tried before it in 1/1024 of
/// the bonus.
pub(super) const HISTORY_BONUS_PER_DEPTH: i32 = 283;
pub(super) const HISTORY_BONUS_MAX: i32 = 1_643;
pub(super) const HISTORY_MALUS_SHARE: i32 = 1_171;
/// So much of the bonus, in 1/1024, tells the continuation histories what a second search at the
/// full depth has made of a move.
pub(super) const HISTORY_RESEARCH_SHARE: i32 = 449;
/// The bonus of a quiet move for each centipawn that the evaluation gains by it, with its bound;
/// and for every one.
pub(super) const HISTORY_EVAL_PER_CP: i32 = 6;
pub(super) const HISTORY_EVAL_MAX: i32 = 397;
pub(super) const HISTORY_EVAL_OFFSET: i32 = 107;

/// From this halfmove clock on the table's scores are no cutoffs: it doesn't know the clock.
pub(super) const TABLE_CUTOFF_MAX_CLOCK: u16 = 90;

/// Endgame tables: what they say is kept as if a search so many plies deeper had found it.
pub(super) const TABLES_DEPTH_BONUS: i32 = 6;

//! Making moves: one function for each kind of move, generic over the side.
//!
//! Boards are copied, not unmade. What follows along with the pieces is chosen at compile time
//! by a [`Tracker`]: the hash keys, and an observer that hears of each piece put on or taken
//! off, so that an incremental evaluation or a network needs nothing from the board.

use super::castling::{standard_squares, Castling};
use super::movegen::{Black, Side, White};
use super::Board;
use crate::attacks;
use crate::types::{CastlingSide, Color, Move, MoveKind, Piece, PieceType, Square, Variant};

/// Hears of every change of a piece that a move makes.
pub trait PieceObserver {
    /// `piece` has been put on `square`.
    fn added(&mut self, piece: Piece, square: Square);
    /// `piece` has been taken off `square`.
    fn removed(&mut self, piece: Piece, square: Square);
}

/// Hears nothing.
impl PieceObserver for () {
    #[inline]
    fn added(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn removed(&mut self, _: Piece, _: Square) {}
}

/// Both hear of it, the first one first.
impl<A: PieceObserver, B: PieceObserver> PieceObserver for (&mut A, &mut B) {
    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.0.added(piece, square);
        self.1.added(piece, square);
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.0.removed(piece, square);
        self.1.removed(piece, square);
    }
}

/// What making a move keeps up to date besides the pieces.
pub(crate) trait Tracker: PieceObserver {
    /// Are the hash keys and the clocks kept?
    const KEYS: bool;
}

/// Keys and an observer.
struct Keyed<'a, O: PieceObserver>(&'a mut O);

impl<O: PieceObserver> PieceObserver for Keyed<'_, O> {
    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.0.added(piece, square);
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.0.removed(piece, square);
    }
}

impl<O: PieceObserver> Tracker for Keyed<'_, O> {
    const KEYS: bool = true;
}

/// Keys, and nobody listens.
#[derive(Default)]
pub(crate) struct KeysOnly;

impl PieceObserver for KeysOnly {
    #[inline]
    fn added(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn removed(&mut self, _: Piece, _: Square) {}
}

impl Tracker for KeysOnly {
    const KEYS: bool = true;
}

/// Nothing but the pieces: for counting, where neither keys nor clocks are ever asked for.
#[derive(Default)]
pub(crate) struct Unkeyed;

impl PieceObserver for Unkeyed {
    #[inline]
    fn added(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn removed(&mut self, _: Piece, _: Square) {}
}

impl Tracker for Unkeyed {
    const KEYS: bool = false;
}

impl Board {
    /// Makes a move that is legal here. With any other the board may become nonsense, though
    /// never memory-unsafe; use [`Board::try_make_move`] where that is not known.
    ///
    /// # Panics
    ///
    /// In debug builds, perhaps, if the move is not legal.
    #[inline]
    pub fn make_move(&mut self, mv: Move) {
        self.make_move_observed(mv, &mut ());
    }

    /// Makes a move if it is legal; says whether it was.
    #[must_use]
    pub fn try_make_move(&mut self, mv: Move) -> bool {
        let legal = self.is_legal(mv);
        if legal {
            self.make_move(mv);
        }
        legal
    }

    /// Makes a move that is legal here, and tells `observer` of each piece that changes.
    ///
    /// # Panics
    ///
    /// In debug builds, perhaps, if the move is not legal.
    #[inline]
    pub fn make_move_observed<O: PieceObserver>(&mut self, mv: Move, observer: &mut O) {
        match self.side {
            Color::White => self.make::<White, _>(mv, &mut Keyed(observer)),
            Color::Black => self.make::<Black, _>(mv, &mut Keyed(observer)),
        }
        debug_assert_eq!(self.keys, self.recompute_keys());
    }

    /// Passes the turn to the other side without a move. The side to move must not be in check.
    ///
    /// # Panics
    ///
    /// In debug builds, if the side to move is in check.
    pub fn make_null_move(&mut self) {
        debug_assert!(!self.in_check());
        self.clear_en_passant::<true>();
        self.side = self.side.opposite();
        self.keys.position.toggle_side();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if self.side == Color::White {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.update_checks_for_side();
    }

    fn make<S: Side, T: Tracker>(&mut self, mv: Move, tracker: &mut T) {
        let (source, target) = (mv.source(), mv.target());
        match mv.kind() {
            MoveKind::Quiet => self.make_quiet::<S, T>(mv.piece(), source, target, tracker),
            MoveKind::Capture => self.make_capture::<S, T>(mv.piece(), source, target, tracker),
            MoveKind::DoublePush => self.make_double_push::<S, T>(source, target, tracker),
            MoveKind::EnPassant => self.make_en_passant::<S, T>(source, target, tracker),
            MoveKind::Castling => {
                let side = if target > source {
                    CastlingSide::King
                } else {
                    CastlingSide::Queen
                };
                self.make_castling::<S, T>(side, tracker);
            }
            MoveKind::Promotion => {
                let piece = mv.promoted().unwrap_or(PieceType::Queen.of(S::COLOR));
                self.make_promotion::<S, T>(source, target, piece, mv.is_capture(), tracker);
            }
        }
    }

    #[inline]
    pub(crate) fn make_quiet<S: Side, T: Tracker>(
        &mut self,
        piece: Piece,
        source: Square,
        target: Square,
        tracker: &mut T,
    ) {
        self.begin::<T>();
        self.shift::<T>(piece, source, target, tracker);
        if piece.piece_type() == PieceType::Pawn {
            self.halfmove_clock = 0;
        } else {
            self.touch::<T>(source, source);
        }
        self.finish::<S, T>();
    }

    #[inline]
    pub(crate) fn make_capture<S: Side, T: Tracker>(
        &mut self,
        piece: Piece,
        source: Square,
        target: Square,
        tracker: &mut T,
    ) {
        self.begin::<T>();
        self.take::<T>(target, tracker);
        self.shift::<T>(piece, source, target, tracker);
        self.touch::<T>(source, target);
        self.halfmove_clock = 0;
        self.finish::<S, T>();
    }

    #[inline]
    pub(crate) fn make_double_push<S: Side, T: Tracker>(
        &mut self,
        source: Square,
        target: Square,
        tracker: &mut T,
    ) {
        self.begin::<T>();
        self.shift::<T>(PieceType::Pawn.of(S::COLOR), source, target, tracker);
        self.halfmove_clock = 0;
        self.finish::<S, T>();
        let passed = Square::wrap(target as u8 ^ 8);
        let beside = attacks::pawn_attacks(S::COLOR, passed);
        if (beside & self.of(S::Them::COLOR, PieceType::Pawn)).any()
            && self.any_en_passant_legal(passed)
        {
            self.en_passant = Some(passed);
            if T::KEYS {
                self.keys.position.toggle_en_passant(passed.file());
            }
        }
    }

    #[inline]
    pub(crate) fn make_en_passant<S: Side, T: Tracker>(
        &mut self,
        source: Square,
        target: Square,
        tracker: &mut T,
    ) {
        self.begin::<T>();
        self.take::<T>(Square::wrap(target as u8 ^ 8), tracker);
        self.shift::<T>(PieceType::Pawn.of(S::COLOR), source, target, tracker);
        self.halfmove_clock = 0;
        self.finish::<S, T>();
    }

    #[inline]
    pub(crate) fn make_castling<S: Side, T: Tracker>(
        &mut self,
        side: CastlingSide,
        tracker: &mut T,
    ) {
        if self.castling.is_chess960() {
            return self.make_castling_chess960::<S, T>(side, tracker);
        }
        let ((king_from, king_to), (rook_from, rook_to)) = standard_squares(S::COLOR, side);
        self.begin::<T>();
        self.shift::<T>(PieceType::King.of(S::COLOR), king_from, king_to, tracker);
        self.shift::<T>(PieceType::Rook.of(S::COLOR), rook_from, rook_to, tracker);
        self.touch::<T>(king_from, king_from);
        self.finish::<S, T>();
    }

    /// King and rook may change places, or one of them stay: both go before either is put down.
    #[cold]
    #[inline(never)]
    fn make_castling_chess960<S: Side, T: Tracker>(&mut self, side: CastlingSide, tracker: &mut T) {
        let ((king_from, king_to), (rook_from, rook_to)) = self.chess960_squares(S::COLOR, side);
        let (king, rook) = (PieceType::King.of(S::COLOR), PieceType::Rook.of(S::COLOR));
        self.begin::<T>();
        self.remove::<T>(king, king_from, tracker);
        self.remove::<T>(rook, rook_from, tracker);
        self.put::<T>(king, king_to, tracker);
        self.put::<T>(rook, rook_to, tracker);
        self.touch::<T>(king_from, king_from);
        self.finish::<S, T>();
    }

    #[inline]
    pub(crate) fn make_promotion<S: Side, T: Tracker>(
        &mut self,
        source: Square,
        target: Square,
        promoted: Piece,
        capture: bool,
        tracker: &mut T,
    ) {
        self.begin::<T>();
        if capture {
            self.take::<T>(target, tracker);
        }
        self.remove::<T>(PieceType::Pawn.of(S::COLOR), source, tracker);
        self.put::<T>(promoted, target, tracker);
        self.touch::<T>(target, target);
        self.halfmove_clock = 0;
        self.finish::<S, T>();
    }

    /// What every move begins with.
    #[inline]
    fn begin<T: Tracker>(&mut self) {
        if T::KEYS {
            self.halfmove_clock = self.halfmove_clock.saturating_add(1);
            self.clear_en_passant::<true>();
        } else {
            self.clear_en_passant::<false>();
        }
    }

    /// What every move of `S` ends with: the other side is to move.
    #[inline]
    fn finish<S: Side, T: Tracker>(&mut self) {
        self.side = S::Them::COLOR;
        if T::KEYS {
            self.keys.position.toggle_side();
        }
        if T::KEYS && S::COLOR == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.update_checks::<S::Them>();
    }

    #[inline]
    fn clear_en_passant<const KEYS: bool>(&mut self) {
        if let Some(square) = self.en_passant.take() {
            if KEYS {
                self.keys.position.toggle_en_passant(square.file());
            }
        }
    }

    /// Drops the castling rights that end when a piece leaves or reaches these squares.
    #[inline]
    fn touch<T: Tracker>(&mut self, a: Square, b: Square) {
        let before = self.castling;
        if before == Castling::none(Variant::Standard) {
            return;
        }
        if before.is_chess960() {
            self.touch_chess960(a, b);
        } else {
            self.castling = Castling::standard(before.rights().after_touching(a).after_touching(b));
        }
        if T::KEYS && self.castling != before {
            self.keys.position.toggle_castling(before.rights());
            self.keys.position.toggle_castling(self.castling.rights());
        }
    }

    /// Puts `piece` on an empty square; for setting up, where keys and checks follow later.
    pub(super) fn set_piece(&mut self, piece: Piece, square: Square) {
        self.put::<Unkeyed>(piece, square, &mut Unkeyed);
    }

    #[inline]
    fn put<T: Tracker>(&mut self, piece: Piece, square: Square, tracker: &mut T) {
        let bit = square.bitboard();
        self.kinds[piece.piece_type() as usize] |= bit;
        self.colors[piece.color() as usize] |= bit;
        self.mailbox[square as usize] = Some(piece);
        if T::KEYS {
            self.keys.toggle_piece(piece, square);
        }
        tracker.added(piece, square);
    }

    #[inline]
    fn remove<T: Tracker>(&mut self, piece: Piece, square: Square, tracker: &mut T) {
        let bit = square.bitboard();
        self.kinds[piece.piece_type() as usize] ^= bit;
        self.colors[piece.color() as usize] ^= bit;
        self.mailbox[square as usize] = None;
        if T::KEYS {
            self.keys.toggle_piece(piece, square);
        }
        tracker.removed(piece, square);
    }

    /// Takes whatever stands on `square` off the board.
    #[inline]
    fn take<T: Tracker>(&mut self, square: Square, tracker: &mut T) {
        if let Some(piece) = self.mailbox[square as usize] {
            self.remove::<T>(piece, square, tracker);
        }
    }

    #[inline]
    fn shift<T: Tracker>(&mut self, piece: Piece, source: Square, target: Square, tracker: &mut T) {
        let both = source.bitboard() | target.bitboard();
        self.kinds[piece.piece_type() as usize] ^= both;
        self.colors[piece.color() as usize] ^= both;
        self.mailbox[source as usize] = None;
        self.mailbox[target as usize] = Some(piece);
        if T::KEYS {
            self.keys.toggle_piece(piece, source);
            self.keys.toggle_piece(piece, target);
        }
        tracker.removed(piece, source);
        tracker.added(piece, target);
    }
}

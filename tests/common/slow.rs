//! The rules of chess a second time, as plainly as they can be put: a mailbox of letters, walks
//! along rays, and every move tried on a copy to see whether it leaves the king to be taken. It
//! takes nothing from the crate but numbers, so it is a witness against the crate.

/// A step on the board in files (towards h) and rows (towards rank 1).
type Step = (i32, i32);

const STRAIGHT: [Step; 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
const DIAGONAL: [Step; 4] = [(1, -1), (1, 1), (-1, 1), (-1, -1)];
const KNIGHT: [Step; 8] = [
    (1, -2),
    (2, -1),
    (2, 1),
    (1, 2),
    (-1, 2),
    (-2, 1),
    (-2, -1),
    (-1, -2),
];

const EMPTY: u8 = b'.';
/// `[piece number]` as in the specification.
const LETTERS: &[u8; 12] = b"PNBRQKpnbrqk";
/// `[kind]`: what an exchange counts.
const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];
const A1: usize = 56;
const E1: usize = 60;
const H1: usize = 63;

/// The specification's macro of the same name.
#[allow(clippy::too_many_arguments)] // its own eight fields
pub fn encode_move(
    source: usize,
    target: usize,
    piece: usize,
    promoted: usize,
    capture: bool,
    dpp: bool,
    enpassant: bool,
    castle: bool,
) -> u32 {
    (source
        | (target << 6)
        | (piece << 12)
        | (promoted << 16)
        | (usize::from(capture) << 20)
        | (usize::from(dpp) << 21)
        | (usize::from(enpassant) << 22)
        | (usize::from(castle) << 23)) as u32
}

/// The square one step away, if it is on the board.
pub fn step(square: usize, (files, rows): Step) -> Option<usize> {
    let file = square as i32 % 8 + files;
    let row = square as i32 / 8 + rows;
    ((0..8).contains(&file) && (0..8).contains(&row)).then_some((row * 8 + file) as usize)
}

/// The squares that the letter's piece attacks from `square` where `occupied` blocks.
pub fn attacks(letter: u8, square: usize, occupied: u64) -> u64 {
    let rays = |steps: &[Step], longest: u32| {
        let mut set = 0;
        for &direction in steps {
            let mut at = square;
            for _ in 0..longest {
                let Some(next) = step(at, direction) else {
                    break;
                };
                at = next;
                set |= 1 << at;
                if occupied >> at & 1 != 0 {
                    break;
                }
            }
        }
        set
    };
    match letter {
        b'P' => rays(&[(-1, -1), (1, -1)], 1),
        b'p' => rays(&[(-1, 1), (1, 1)], 1),
        b'N' | b'n' => rays(&KNIGHT, 1),
        b'B' | b'b' => rays(&DIAGONAL, 7),
        b'R' | b'r' => rays(&STRAIGHT, 7),
        b'Q' | b'q' => rays(&DIAGONAL, 7) | rays(&STRAIGHT, 7),
        b'K' | b'k' => rays(&DIAGONAL, 1) | rays(&STRAIGHT, 1),
        _ => 0,
    }
}

/// The members of a set of squares.
pub fn members(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |square| set >> square & 1 != 0)
}

/// `[square]`: the letter that the FEN's first field has there, or `.`.
pub fn squares(placement: &str) -> [u8; 64] {
    let mut squares = [EMPTY; 64];
    let mut at = 0;
    for letter in placement.bytes() {
        match letter {
            b'/' => {}
            b'1'..=b'8' => at += usize::from(letter - b'0'),
            _ => {
                squares[at] = letter;
                at += 1;
            }
        }
    }
    squares
}

fn name(square: usize) -> String {
    let file = char::from(b'a' + (square % 8) as u8);
    let rank = 8 - square / 8;
    format!("{file}{rank}")
}

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowBoard {
    /// `[square]`: a FEN letter, or `.`.
    squares: [u8; 64],
    white_to_move: bool,
    /// The letters of the rights that are left.
    castling: String,
    /// The square that a pawn has just passed over, whether or not it can be taken there.
    passed: Option<usize>,
    halfmove_clock: u32,
    fullmove_number: u32,
}

impl SlowBoard {
    /// Reads a FEN that is known to be sound.
    pub fn new(fen: &str) -> SlowBoard {
        let fields: Vec<&str> = fen.split(' ').collect();
        let passed = match fields[3].as_bytes() {
            [file, rank] => Some(usize::from(b'8' - rank) * 8 + usize::from(file - b'a')),
            _ => None,
        };
        SlowBoard {
            squares: squares(fields[0]),
            white_to_move: fields[1] == "w",
            castling: fields[2].replace('-', ""),
            passed,
            halfmove_clock: fields[4].parse().expect("a clock"),
            fullmove_number: fields[5].parse().expect("a number"),
        }
    }

    /// Writes the FEN. The en-passant square shows only where a capture on it is legal.
    pub fn fen(&self) -> String {
        let mut placement = String::new();
        for (square, &letter) in self.squares.iter().enumerate() {
            if square > 0 && square % 8 == 0 {
                placement.push('/');
            }
            placement.push(letter.into());
        }
        for run in (1..=8).rev() {
            placement = placement.replace(&".".repeat(run), &run.to_string());
        }
        let side = if self.white_to_move { 'w' } else { 'b' };
        let castling = if self.castling.is_empty() {
            "-"
        } else {
            &self.castling
        };
        let passed = match self.passed {
            Some(square) if self.legal_moves().iter().any(|mv| mv >> 22 & 1 != 0) => name(square),
            _ => "-".to_string(),
        };
        format!(
            "{placement} {side} {castling} {passed} {} {}",
            self.halfmove_clock, self.fullmove_number
        )
    }

    /// Is there a piece of this side here?
    fn is_of(&self, square: usize, white: bool) -> bool {
        self.squares[square].is_ascii_alphabetic()
            && self.squares[square].is_ascii_uppercase() == white
    }

    fn pieces_of(&self, white: bool) -> impl Iterator<Item = usize> + '_ {
        (0..64).filter(move |&square| self.is_of(square, white))
    }

    fn occupied(&self) -> u64 {
        (0..64)
            .filter(|&square| self.squares[square] != EMPTY)
            .fold(0, |set, square| set | 1 << square)
    }

    fn reach(&self, square: usize) -> u64 {
        attacks(self.squares[square], square, self.occupied())
    }

    /// This side's pieces that attack `square`.
    fn attackers(&self, square: usize, white: bool) -> u64 {
        let occupied = self.occupied();
        self.pieces_of(white)
            .filter(|&from| attacks(self.squares[from], from, occupied) >> square & 1 != 0)
            .fold(0, |set, from| set | 1 << from)
    }

    fn king(&self, white: bool) -> usize {
        let letter = if white { b'K' } else { b'k' };
        self.squares
            .iter()
            .position(|&l| l == letter)
            .expect("a king")
    }

    /// The pieces that give check to this side's king.
    fn attackers_of_king(&self, white: bool) -> u64 {
        self.attackers(self.king(white), !white)
    }

    /// The pieces that give check to the side to move.
    pub fn checkers(&self) -> u64 {
        self.attackers_of_king(self.white_to_move)
    }

    /// This side's pieces without which its king would be open to one slider more; and those
    /// sliders.
    fn pins(&self, white: bool) -> (u64, u64) {
        let before = self.attackers_of_king(white);
        let (mut pinned, mut pinners) = (0, 0);
        for square in self.pieces_of(white) {
            if square == self.king(white) {
                continue;
            }
            let mut without = self.clone();
            without.squares[square] = EMPTY;
            let new = without.attackers_of_king(white) & !before;
            if new != 0 {
                pinned |= 1 << square;
                pinners |= new;
            }
        }
        (pinned, pinners)
    }

    /// The pinned pieces of the side to move.
    pub fn pinned(&self) -> u64 {
        self.pins(self.white_to_move).0
    }

    /// The legal moves, in the specification's encoding, sorted.
    pub fn legal_moves(&self) -> Vec<u32> {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|&mv| {
            let after = self.after(mv);
            after.attackers_of_king(self.white_to_move) == 0
        });
        moves.sort_unstable();
        moves
    }

    fn pseudo_legal_moves(&self) -> Vec<u32> {
        let white = self.white_to_move;
        let mut moves = Vec::new();
        for source in self.pieces_of(white) {
            let letter = self.squares[source];
            let piece = LETTERS
                .iter()
                .position(|&l| l == letter)
                .expect("a piece letter");
            if letter.eq_ignore_ascii_case(&b'p') {
                self.pawn_moves(source, piece, &mut moves);
                continue;
            }
            for target in members(self.reach(source)) {
                if !self.is_of(target, white) {
                    let capture = self.is_of(target, !white);
                    moves.push(encode_move(
                        source, target, piece, 0, capture, false, false, false,
                    ));
                }
            }
        }
        for (right, king, rook) in [
            ('K', E1, H1),
            ('Q', E1, A1),
            ('k', E1 - 56, H1 - 56),
            ('q', E1 - 56, A1 - 56),
        ] {
            if !self.castling.contains(right) || right.is_ascii_uppercase() != white {
                continue;
            }
            let target = if rook > king { king + 2 } else { king - 2 };
            let passed = (king + target) / 2;
            let between = king.min(rook) + 1..king.max(rook);
            if between.clone().all(|square| self.squares[square] == EMPTY)
                && [king, passed, target]
                    .iter()
                    .all(|&square| self.attackers(square, !white) == 0)
            {
                let piece = if white { 5 } else { 11 };
                moves.push(encode_move(
                    king, target, piece, 0, false, false, false, true,
                ));
            }
        }
        moves
    }

    fn pawn_moves(&self, source: usize, piece: usize, moves: &mut Vec<u32>) {
        let white = self.white_to_move;
        let ahead = if white { -1 } else { 1 };
        let home_row = if white { 6 } else { 1 };
        let last_row = if white { 0 } else { 7 };
        let mut push = |target: usize, capture: bool, dpp: bool, enpassant: bool| {
            let promoted = if target / 8 == last_row {
                piece + 1..piece + 5
            } else {
                0..1
            };
            for promoted in promoted {
                moves.push(encode_move(
                    source, target, piece, promoted, capture, dpp, enpassant, false,
                ));
            }
        };
        let free = |square: &usize| self.squares[*square] == EMPTY;
        if let Some(once) = step(source, (0, ahead)).filter(free) {
            push(once, false, false, false);
            if source / 8 == home_row {
                if let Some(twice) = step(once, (0, ahead)).filter(free) {
                    push(twice, false, true, false);
                }
            }
        }
        for target in members(self.reach(source)) {
            if self.is_of(target, !white) {
                push(target, true, false, false);
            } else if self.passed == Some(target) {
                push(target, true, false, true);
            }
        }
    }

    /// The position after a move.
    pub fn after(&self, mv: u32) -> SlowBoard {
        let source = (mv & 63) as usize;
        let target = (mv >> 6 & 63) as usize;
        let promoted = (mv >> 16 & 15) as usize;
        let mut after = self.clone();
        let letter = self.squares[source];
        let pawn = letter.eq_ignore_ascii_case(&b'p');
        let counts = pawn || self.squares[target] != EMPTY;
        after.squares[source] = EMPTY;
        after.squares[target] = if promoted > 0 {
            LETTERS[promoted]
        } else {
            letter
        };
        if mv >> 22 & 1 != 0 {
            after.squares[source / 8 * 8 + target % 8] = EMPTY;
        }
        if mv >> 23 & 1 != 0 {
            let (from, to) = if target > source {
                (target + 1, target - 1)
            } else {
                (target - 2, target + 1)
            };
            after.squares[to] = after.squares[from];
            after.squares[from] = EMPTY;
        }
        after.castling.retain(|right| {
            let touched: [usize; 2] = match right {
                'K' => [E1, H1],
                'Q' => [E1, A1],
                'k' => [E1 - 56, H1 - 56],
                _ => [E1 - 56, A1 - 56],
            };
            !touched.contains(&source) && !touched.contains(&target)
        });
        after.passed = (pawn && source.abs_diff(target) == 16).then_some((source + target) / 2);
        after.halfmove_clock = if counts { 0 } else { self.halfmove_clock + 1 };
        after.fullmove_number += u32::from(!self.white_to_move);
        after.white_to_move = !self.white_to_move;
        after
    }

    /// The position after passing the turn.
    pub fn after_null(&self) -> SlowBoard {
        let mut after = self.clone();
        after.passed = None;
        after.halfmove_clock += 1;
        after.fullmove_number += u32::from(!self.white_to_move);
        after.white_to_move = !self.white_to_move;
        after
    }

    /// What the move wins by the captures on its target: the cheapest piece takes first (of two
    /// alike the one nearer its home rank, then the one nearer the a-file), either side may stop,
    /// a king takes nothing that is defended, pinned pieces stay out of it until every slider
    /// that pins has moved, and a pawn that takes on its last rank becomes a queen.
    pub fn exchange(&self, mv: u32) -> i32 {
        if mv >> 23 & 1 != 0 {
            return 0;
        }
        let (source, target) = ((mv & 63) as usize, (mv >> 6 & 63) as usize);
        let after = self.after(mv);
        let taken = match self.squares[target] {
            EMPTY if mv >> 22 & 1 != 0 => VALUES[0],
            EMPTY => 0,
            letter => value(letter),
        };
        let promotion = match mv >> 16 & 15 {
            0 => 0,
            promoted => VALUES[promoted as usize % 6] - VALUES[0],
        };
        let pins = [self.pins(false), self.pins(true)];
        let still = !(1 << source | 1 << target);
        taken + promotion - after.best_capture(target, !self.white_to_move, &pins, still)
    }

    /// What this side wins by taking on `target`; 0 if it had better not. `still`: the squares
    /// whose piece has not moved.
    fn best_capture(&self, target: usize, white: bool, pins: &[(u64, u64); 2], still: u64) -> i32 {
        let (pinned, pinners) = pins[usize::from(white)];
        let mut takers = self.attackers(target, white);
        if pinners & still != 0 {
            takers &= !pinned;
        }
        let order = |&square: &usize| {
            let kind = self.squares[square].to_ascii_uppercase();
            let kind = LETTERS.iter().position(|&letter| letter == kind);
            (kind, if white { square ^ 56 } else { square })
        };
        let Some(source) = members(takers).min_by_key(order) else {
            return 0;
        };
        let letter = self.squares[source];
        let mut after = self.clone();
        after.squares[source] = EMPTY;
        after.squares[target] = letter;
        let mut gain = value(self.squares[target]);
        match letter {
            b'P' | b'p' if matches!(target / 8, 0 | 7) => {
                after.squares[target] = if white { b'Q' } else { b'q' };
                gain += VALUES[4] - VALUES[0];
            }
            b'K' | b'k' if after.attackers(target, !white) != 0 => return 0,
            _ => {}
        }
        gain -= after.best_capture(target, !white, pins, still & !(1 << source));
        gain.max(0)
    }
}

fn value(letter: u8) -> i32 {
    let upper = letter.to_ascii_uppercase();
    LETTERS[..6]
        .iter()
        .position(|&l| l == upper)
        .map_or(0, |kind| VALUES[kind])
}

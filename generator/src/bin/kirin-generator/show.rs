//! What a piece sees, drawn on boards.

use kirin_generator::geometry::{
    leaper_attacks, relevant_mask, slow_attacks, Piece, KING_STEPS, KNIGHT_STEPS,
};
use kirin_generator::{magic, Squares};

use crate::options::Options;
use crate::{print, Failure};

const PIECES: [&str; 5] = ["rook", "bishop", "queen", "knight", "king"];

pub fn run(options: &Options) -> Result<(), Failure> {
    let squares = options.squares()?.unwrap_or_default();
    let piece = options.one_of("--piece", &PIECES, |name| name)?;
    let piece = piece.ok_or_else(|| Failure::Usage("show needs --piece".to_owned()))?;
    let name = options
        .get("--square")
        .ok_or_else(|| Failure::Usage("show needs --square".to_owned()))?;
    let square = (0..64)
        .find(|&square| squares.square_name(square) == name.to_ascii_lowercase())
        .ok_or_else(|| {
            Failure::Usage(format!("--square is {name:?}, but must be a1, a2, ... h8"))
        })?;
    let occupied = options.number("--occupied")?.unwrap_or(0);
    let sliders: &[Piece] = match piece {
        "rook" => &[Piece::Rook],
        "bishop" => &[Piece::Bishop],
        "queen" => &Piece::ALL,
        _ => &[],
    };
    // To number squares from the other end is to turn the board over, which these pieces do not notice.
    let attacks = match piece {
        "knight" => leaper_attacks(square, &KNIGHT_STEPS),
        "king" => leaper_attacks(square, &KING_STEPS),
        _ => sliders.iter().fold(0, |set, &slider| {
            set | slow_attacks(slider, square, occupied)
        }),
    };
    let mask = sliders
        .iter()
        .fold(0, |set, &slider| set | relevant_mask(slider, square));
    let boards = [("mask", mask), ("occupied", occupied), ("attacks", attacks)];

    let mut report = format!(
        "{piece} on {}, number {square} from {} = 0\n\n",
        squares.square_name(square),
        squares.name()
    );
    for (title, set) in boards {
        report.push_str(&pad(&format!("  {title}, {}", set.count_ones())));
    }
    trim(&mut report);
    for (_, set) in boards {
        report.push_str(&pad(&format!("  {set:#018x}")));
    }
    trim(&mut report);
    for row in 0..8 {
        for (_, set) in boards {
            report.push_str(&pad(&draw_row(set, row, square, squares)));
        }
        trim(&mut report);
    }
    for _ in boards {
        report.push_str(&pad("  a b c d e f g h"));
    }
    trim(&mut report);
    let seed = options.seed()?;
    let found = magic::find_all(seed).map_err(Failure::work)?;
    for &slider in sliders {
        let magic = found[slider as usize][square];
        let key = (occupied & magic.mask).wrapping_mul(magic.magic) >> magic.shift;
        report.push_str(&format!(
            "\n{}: magic {:#018x}, shift {}, key {key} (seed {seed:#x})",
            slider.name(),
            magic.magic,
            magic.shift
        ));
    }
    if !sliders.is_empty() {
        report.push('\n');
    }
    print(&report)
}

/// One row of a board: the piece, what belongs to the set, and the rest.
fn draw_row(set: u64, row: usize, piece: usize, squares: Squares) -> String {
    let mut text = format!("{}", 8 - row);
    for file in 0..8 {
        let square = squares.renumbered(8 * row + file);
        text.push(' ');
        text.push(match (set >> square & 1, square == piece) {
            (1, true) => '@',
            (0, true) => 'O',
            (1, false) => 'x',
            _ => '.',
        });
    }
    text
}

fn pad(text: &str) -> String {
    format!("{text:<24}")
}

fn trim(report: &mut String) {
    report.truncate(report.trim_end_matches(' ').len());
    report.push('\n');
}

//! The Universal Chess Interface as data: lines in, values out, and the other way round.
//!
//! Nothing here reads, writes, waits or searches: a program hands each line to
//! [`Command::parse`], does what it says, and writes the answers that [`answer`] forms. The
//! `kirin` binary does so over standard input and output, and a firmware may over a wire: there
//! is no heap and no clock in it. (Protocol: Stefan Meyer-Kahlen, 2000 and 2006.)
//!
//! # What is forgiven
//!
//! The library's parsers are strict; what GUIs, scripts and people send is not. This is all that
//! is read more kindly than it is written:
//!
//! | what | how it is taken |
//! |---|---|
//! | white space of any kind, CRLF, a byte-order mark, blank lines, lines that begin with `#` | passed over |
//! | unknown words before a command of the protocol | passed over, as the protocol asks |
//! | a line without any command | [`Command::Unknown`]: one message, no effect |
//! | bytes that are not UTF-8 | as any other unknown word |
//! | FEN: fewer fields, loose spaces, castling letters in any order or as files, move number 0 | [`crate::Board::from_fen_lenient`] |
//! | words between `startpos` and `moves`; an empty list after `moves` | passed over |
//! | moves in capitals | as in small letters |
//! | castling as king takes rook (`e1h1`) | as the king's move (`e1g1`) |
//! | in Chess960, castling as the king's move where that is no step | as king takes rook |
//! | unknown words in `go` | passed over |
//! | a number of `go` that is missing or none | the field counts as not given, and a message names it |
//! | numbers beyond what their type can hold | the nearest that it can |
//! | `depth`, `nodes`, `mate` below 1 | 1 |
//! | `movetime`, increments below 0 | 0 |
//! | `movestogo` below 1 | not given |
//! | a clock below 0 | kept: the search answers at once |
//! | the other side's clock only | taken for the mover's |
//! | `searchmoves` not at the end of the line | its list ends at the first word that is no move |
//! | illegal moves in `searchmoves` | passed over, with a message; all moves if none is left |
//! | `go` with nothing that could end it | `go infinite` |
//! | option names and `true`, `false` in capitals | as in small letters |
//!
//! Everything else is refused with one message and changes nothing: a FEN that is not accepted,
//! an illegal move in a list (the position from before stays), an option that does not exist, a
//! value outside its limits.

pub mod answer;
mod command;
mod eval_view;
mod go;
mod option;
mod position;
mod text;
mod wdl;

pub use command::Command;
pub use eval_view::EvalView;
pub use go::{GoError, GoParams, GoText};
pub use option::{
    OptionKind, OptionSpec, SetOption, SetOptionError, Setting, DEFAULT_ELO, DEFAULT_HASH_MIB,
    DEFAULT_MOVE_OVERHEAD_MS, OPTIONS,
};
pub use position::{Position, PositionText, SetPositionError};
pub use text::{Excerpt, Tokens};
pub use wdl::Wdl;

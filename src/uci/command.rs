//! One line of the protocol as one value. What a command says beyond its name is read by its
//! own file, since that takes a board or may fail.

use super::go::GoText;
use super::option::SetOption;
use super::position::PositionText;
use super::text::Tokens;

/// What a line asks for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Command<'a> {
    /// Introduce yourself.
    Uci,
    /// Answer when everything before has been done.
    IsReady,
    /// The next position belongs to another game.
    NewGame,
    /// Change an option.
    SetOption(SetOption<'a>),
    /// Set up a position.
    Position(PositionText<'a>),
    /// Search, or count.
    Go(GoText<'a>),
    /// End the search and answer it.
    Stop,
    /// The move that was pondered on has been played.
    PonderHit,
    /// End the program.
    Quit,
    /// `debug` and `register`: known, and nothing to do.
    Ignored,
    /// Show the board (`d`).
    Show,
    /// Show the static evaluation.
    Eval,
    /// Exchange the colours.
    Flip,
    /// Search the positions of [`crate::bench`]: the words after `bench`.
    Bench(Tokens<'a>),
    /// Show the commands.
    Help,
    /// Nothing was said.
    Empty,
    /// No word of the line is a command; the first of them.
    Unknown(&'a [u8]),
}

impl<'a> Command<'a> {
    /// Reads a line, with or without its end. See the [module](super) for what is forgiven.
    #[must_use]
    pub fn parse(line: &'a [u8]) -> Command<'a> {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        let mut tokens = Tokens::new(line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line));
        let mut unknown = None;
        while let Some(word) = tokens.next() {
            return match word {
                b"uci" => Command::Uci,
                b"isready" => Command::IsReady,
                b"ucinewgame" => Command::NewGame,
                b"setoption" => Command::SetOption(SetOption::parse(tokens)),
                b"position" => Command::Position(PositionText(tokens)),
                b"go" => Command::Go(GoText(tokens)),
                b"stop" => Command::Stop,
                b"ponderhit" => Command::PonderHit,
                b"quit" => Command::Quit,
                b"debug" | b"register" => Command::Ignored,
                // The extras are no part of the protocol, so they count as the first word only;
                // else a single letter in a garbled line would have an effect.
                b"d" if unknown.is_none() => Command::Show,
                b"eval" if unknown.is_none() => Command::Eval,
                b"flip" if unknown.is_none() => Command::Flip,
                b"bench" if unknown.is_none() => Command::Bench(tokens),
                b"help" if unknown.is_none() => Command::Help,
                [b'#', ..] if unknown.is_none() => Command::Empty,
                _ => {
                    unknown.get_or_insert(word);
                    continue;
                }
            };
        }
        unknown.map_or(Command::Empty, Command::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_behind_unknown_words() {
        assert!(matches!(Command::parse(b"uci"), Command::Uci));
        assert!(matches!(
            Command::parse(b"  isready \r\n"),
            Command::IsReady
        ));
        assert!(matches!(Command::parse(b"joho debug on"), Command::Ignored));
        assert!(matches!(
            Command::parse(b"\xff\xfe\x00 quit"),
            Command::Quit
        ));
        assert!(matches!(Command::parse(b"\xef\xbb\xbfuci\n"), Command::Uci));
        assert!(matches!(Command::parse(b"d"), Command::Show));
        assert!(matches!(Command::parse(b"flip"), Command::Flip));
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        for line in [&b""[..], b"\n", b"\r\n", b"  \t ", b"# go infinite"] {
            assert!(matches!(Command::parse(line), Command::Empty), "{line:?}");
        }
        assert!(matches!(
            Command::parse(b"quux d"),
            Command::Unknown(b"quux")
        ));
        assert!(matches!(Command::parse(b"UCIX"), Command::Unknown(b"UCIX")));
    }
}

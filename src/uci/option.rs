//! The options as data, and `setoption`.

use super::answer::ABOUT;
use super::text::{read_number, same_words, Excerpt, Tokens};
use crate::search::Strength;
use crate::syzygy::MAX_MEN;
use core::fmt;

/// An option as `uci` announces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Its name. Capitals don't matter when it is set.
    pub name: &'static str,
    /// What its value may be.
    pub kind: OptionKind,
    id: OptionId,
}

/// What the value of an option may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// A whole number within limits.
    Spin {
        /// Its value at the start.
        default: i64,
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// `true` or `false`.
    Check {
        /// Its value at the start.
        default: bool,
    },
    /// No value: setting it does something.
    Button,
    /// Any text.
    Text {
        /// Its value at the start.
        default: &'static str,
    },
}

/// The options' names in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OptionId {
    Hash,
    Threads,
    ClearHash,
    MoveOverhead,
    Ponder,
    MultiPv,
    ShowWdl,
    AnalyseMode,
    EngineAbout,
    DebugLogFile,
    Chess960,
    OwnBook,
    BookFile,
    SyzygyPath,
    SyzygyProbeDepth,
    SyzygyProbeLimit,
    Syzygy50MoveRule,
    SkillLevel,
    LimitStrength,
    Elo,
    NodesTime,
}

/// What stands for a text of no letters, which the protocol can't show otherwise.
const EMPTY: &str = "<empty>";

/// The size of the hash table at the start, in MiB.
pub const DEFAULT_HASH_MIB: u32 = 16;
/// The time that is left unused on each move at the start, in milliseconds.
pub const DEFAULT_MOVE_OVERHEAD_MS: u32 = 10;
/// The rating that is played at `UCI_LimitStrength` unless another is asked for.
pub const DEFAULT_ELO: u32 = 1_500;

/// All options.
pub static OPTIONS: [OptionSpec; 21] = [
    OptionSpec {
        name: "Hash",
        kind: OptionKind::Spin {
            default: DEFAULT_HASH_MIB as i64,
            min: 1,
            max: 1_048_576,
        },
        id: OptionId::Hash,
    },
    OptionSpec {
        name: "Threads",
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 256,
        },
        id: OptionId::Threads,
    },
    OptionSpec {
        name: "Clear Hash",
        kind: OptionKind::Button,
        id: OptionId::ClearHash,
    },
    OptionSpec {
        name: "Move Overhead",
        kind: OptionKind::Spin {
            default: DEFAULT_MOVE_OVERHEAD_MS as i64,
            min: 0,
            max: 5_000,
        },
        id: OptionId::MoveOverhead,
    },
    OptionSpec {
        name: "Ponder",
        kind: OptionKind::Check { default: false },
        id: OptionId::Ponder,
    },
    OptionSpec {
        name: "MultiPV",
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 256,
        },
        id: OptionId::MultiPv,
    },
    OptionSpec {
        name: "UCI_ShowWDL",
        kind: OptionKind::Check { default: false },
        id: OptionId::ShowWdl,
    },
    OptionSpec {
        name: "UCI_AnalyseMode",
        kind: OptionKind::Check { default: false },
        id: OptionId::AnalyseMode,
    },
    OptionSpec {
        name: "UCI_EngineAbout",
        kind: OptionKind::Text { default: ABOUT },
        id: OptionId::EngineAbout,
    },
    OptionSpec {
        name: "Debug Log File",
        kind: OptionKind::Text { default: "" },
        id: OptionId::DebugLogFile,
    },
    OptionSpec {
        name: "UCI_Chess960",
        kind: OptionKind::Check { default: false },
        id: OptionId::Chess960,
    },
    OptionSpec {
        name: "OwnBook",
        kind: OptionKind::Check { default: false },
        id: OptionId::OwnBook,
    },
    OptionSpec {
        name: "Book File",
        kind: OptionKind::Text { default: "" },
        id: OptionId::BookFile,
    },
    OptionSpec {
        name: "SyzygyPath",
        kind: OptionKind::Text { default: "" },
        id: OptionId::SyzygyPath,
    },
    OptionSpec {
        name: "SyzygyProbeDepth",
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 100,
        },
        id: OptionId::SyzygyProbeDepth,
    },
    OptionSpec {
        name: "SyzygyProbeLimit",
        kind: OptionKind::Spin {
            default: MAX_MEN as i64,
            min: 0,
            max: MAX_MEN as i64,
        },
        id: OptionId::SyzygyProbeLimit,
    },
    OptionSpec {
        name: "Syzygy50MoveRule",
        kind: OptionKind::Check { default: true },
        id: OptionId::Syzygy50MoveRule,
    },
    OptionSpec {
        name: "Skill Level",
        kind: OptionKind::Spin {
            default: Strength::FULL_LEVEL as i64,
            min: 0,
            max: Strength::FULL_LEVEL as i64,
        },
        id: OptionId::SkillLevel,
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        kind: OptionKind::Check { default: false },
        id: OptionId::LimitStrength,
    },
    OptionSpec {
        name: "UCI_Elo",
        kind: OptionKind::Spin {
            default: DEFAULT_ELO as i64,
            min: Strength::MIN_ELO as i64,
            max: Strength::MAX_ELO as i64,
        },
        id: OptionId::Elo,
    },
    OptionSpec {
        name: "nodestime",
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 10_000,
        },
        id: OptionId::NodesTime,
    },
];

/// Writes the line that announces the option.
impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default: "" } => write!(f, "string default {EMPTY}"),
            OptionKind::Text { default } => write!(f, "string default {default}"),
        }
    }
}

/// A change of an option, its value within the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Setting<'a> {
    /// The size of the hash table.
    Hash {
        /// In MiB.
        mib: u32,
    },
    /// How many threads search.
    Threads(u32),
    /// Forget what the hash table holds.
    ClearHash,
    /// The time to leave unused on each move.
    MoveOverhead {
        /// In milliseconds.
        ms: u32,
    },
    /// Whether the GUI will let us ponder.
    Ponder(bool),
    /// How many of the best moves to show, each with its line.
    MultiPv(u32),
    /// Whether lines are shown with the chances to win, draw and lose.
    ShowWdl(bool),
    /// Whether positions are looked at rather than played.
    AnalyseMode(bool),
    /// Nothing: this option only tells of the engine.
    EngineAbout,
    /// The file to write down the conversation in; `None` for none. As sent, of any bytes.
    DebugLogFile(Option<&'a [u8]>),
    /// Whether the positions to come are of Chess960.
    Chess960(bool),
    /// Whether moves are taken from the book.
    OwnBook(bool),
    /// The file of the book; `None` for none. As sent, of any bytes.
    BookFile(Option<&'a [u8]>),
    /// The directories of the endgame tables; `None` for none. As sent, of any bytes.
    SyzygyPath(Option<&'a [u8]>),
    /// How many plies before its horizon a search asks tables of the most men allowed.
    SyzygyProbeDepth(u32),
    /// The most men of positions that tables are asked about.
    SyzygyProbeLimit(u32),
    /// Whether what is won but for the fifty-move rule counts as a draw.
    Syzygy50MoveRule(bool),
    /// How strongly to play, from 0 to [`Strength::FULL_LEVEL`].
    SkillLevel(u32),
    /// Whether to play as strongly as [`Setting::Elo`] says, and no level counts.
    LimitStrength(bool),
    /// The rating to play at.
    Elo(u32),
    /// How many nodes stand for a millisecond; 0 for the clock.
    NodesTime {
        /// In nodes per millisecond.
        nodes_per_ms: u32,
    },
}

/// What follows the word `setoption`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetOption<'a> {
    /// The option's name, which may be of several words; empty if none was given.
    pub name: &'a [u8],
    /// All that follows the word `value`, if that was there.
    pub value: Option<&'a [u8]>,
}

/// Why a `setoption` command was refused. The option keeps its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetOptionError<'a> {
    /// The command names no option.
    NoName,
    /// There is no option of this name.
    UnknownOption(Excerpt<'a>),
    /// The option needs a value.
    MissingValue(&'static OptionSpec),
    /// The value is not of the option's kind, or not within its limits.
    BadValue {
        /// The option.
        option: &'static OptionSpec,
        /// The value.
        value: Excerpt<'a>,
    },
}

impl fmt::Display for SetOptionError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SetOptionError::NoName => f.write_str("setoption: no option is named"),
            SetOptionError::UnknownOption(name) => {
                write!(f, "setoption: there is no option '{name}'")
            }
            SetOptionError::MissingValue(option) => {
                write!(f, "setoption {}: its value is missing", option.name)
            }
            SetOptionError::BadValue { option, value } => {
                write!(
                    f,
                    "setoption {}: invalid value '{value}', allowed ",
                    option.name
                )?;
                match option.kind {
                    OptionKind::Spin { min, max, .. } => {
                        write!(f, "are whole numbers from {min} to {max}")
                    }
                    OptionKind::Check { .. } => f.write_str("are 'true' and 'false'"),
                    OptionKind::Button => f.write_str("is none"),
                    OptionKind::Text { .. } => f.write_str("is any text"),
                }
            }
        }
    }
}

impl core::error::Error for SetOptionError<'_> {}

impl<'a> SetOption<'a> {
    pub(super) fn parse(tokens: Tokens<'a>) -> SetOption<'a> {
        let (_, Some(name)) = tokens.split_at_word(b"name") else {
            return SetOption {
                name: b"",
                value: None,
            };
        };
        let (name, value) = name.split_at_word(b"value");
        SetOption {
            name: name.trim_ascii(),
            value: value.map(|value| value.rest().trim_ascii()),
        }
    }

    /// The change that is asked for.
    ///
    /// # Errors
    ///
    /// If there is no such option or its value can't be that.
    pub fn read(&self) -> Result<Setting<'a>, SetOptionError<'a>> {
        if self.name.is_empty() {
            return Err(SetOptionError::NoName);
        }
        let option = OPTIONS
            .iter()
            .find(|option| same_words(option.name.as_bytes(), self.name))
            .ok_or(SetOptionError::UnknownOption(Excerpt(self.name)))?;
        match option.id {
            OptionId::Hash => Ok(Setting::Hash {
                mib: self.number(option)?,
            }),
            OptionId::Threads => Ok(Setting::Threads(self.number(option)?)),
            OptionId::ClearHash => Ok(Setting::ClearHash),
            OptionId::MoveOverhead => Ok(Setting::MoveOverhead {
                ms: self.number(option)?,
            }),
            OptionId::Ponder => Ok(Setting::Ponder(self.flag(option)?)),
            OptionId::MultiPv => Ok(Setting::MultiPv(self.number(option)?)),
            OptionId::ShowWdl => Ok(Setting::ShowWdl(self.flag(option)?)),
            OptionId::AnalyseMode => Ok(Setting::AnalyseMode(self.flag(option)?)),
            OptionId::EngineAbout => Ok(Setting::EngineAbout),
            OptionId::DebugLogFile => Ok(Setting::DebugLogFile(self.text())),
            OptionId::Chess960 => Ok(Setting::Chess960(self.flag(option)?)),
            OptionId::OwnBook => Ok(Setting::OwnBook(self.flag(option)?)),
            OptionId::BookFile => Ok(Setting::BookFile(self.text())),
            OptionId::SyzygyPath => Ok(Setting::SyzygyPath(self.text())),
            OptionId::SyzygyProbeDepth => Ok(Setting::SyzygyProbeDepth(self.number(option)?)),
            OptionId::SyzygyProbeLimit => Ok(Setting::SyzygyProbeLimit(self.number(option)?)),
            OptionId::Syzygy50MoveRule => Ok(Setting::Syzygy50MoveRule(self.flag(option)?)),
            OptionId::SkillLevel => Ok(Setting::SkillLevel(self.number(option)?)),
            OptionId::LimitStrength => Ok(Setting::LimitStrength(self.flag(option)?)),
            OptionId::Elo => Ok(Setting::Elo(self.number(option)?)),
            OptionId::NodesTime => Ok(Setting::NodesTime {
                nodes_per_ms: self.number(option)?,
            }),
        }
    }

    /// A text, if it has any letters.
    fn text(&self) -> Option<&'a [u8]> {
        self.value
            .filter(|value| !value.is_empty() && *value != EMPTY.as_bytes())
    }

    fn value(&self, option: &'static OptionSpec) -> Result<&'a [u8], SetOptionError<'a>> {
        self.value
            .filter(|value| !value.is_empty())
            .ok_or(SetOptionError::MissingValue(option))
    }

    fn number(&self, option: &'static OptionSpec) -> Result<u32, SetOptionError<'a>> {
        let value = self.value(option)?;
        let OptionKind::Spin { min, max, .. } = option.kind else {
            unreachable!("only spin options are read as numbers");
        };
        read_number(value)
            .filter(|number| (min..=max).contains(number))
            .and_then(|number| u32::try_from(number).ok())
            .ok_or(SetOptionError::BadValue {
                option,
                value: Excerpt(value),
            })
    }

    fn flag(&self, option: &'static OptionSpec) -> Result<bool, SetOptionError<'a>> {
        let value = self.value(option)?;
        if value.eq_ignore_ascii_case(b"true") {
            Ok(true)
        } else if value.eq_ignore_ascii_case(b"false") {
            Ok(false)
        } else {
            Err(SetOptionError::BadValue {
                option,
                value: Excerpt(value),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::{String, ToString};

    fn read(text: &str) -> Result<Setting<'_>, String> {
        SetOption::parse(Tokens::new(text.as_bytes()))
            .read()
            .map_err(|error| error.to_string())
    }

    #[test]
    fn options_are_set() {
        assert_eq!(read("name Hash value 8"), Ok(Setting::Hash { mib: 8 }));
        assert_eq!(read("name hAsH value 8"), Ok(Setting::Hash { mib: 8 }));
        assert_eq!(read("name clear  HASH"), Ok(Setting::ClearHash));
        assert_eq!(
            read("name Move Overhead value 0"),
            Ok(Setting::MoveOverhead { ms: 0 })
        );
        assert_eq!(read("name Ponder value TRUE"), Ok(Setting::Ponder(true)));
        assert_eq!(
            read("name UCI_Chess960 value true"),
            Ok(Setting::Chess960(true))
        );
        assert_eq!(read("name Skill Level value 3"), Ok(Setting::SkillLevel(3)));
        assert_eq!(
            read("name UCI_LimitStrength value true"),
            Ok(Setting::LimitStrength(true))
        );
        assert_eq!(read("name uci_elo value 1600"), Ok(Setting::Elo(1600)));
        assert_eq!(
            read("name nodestime value 600"),
            Ok(Setting::NodesTime { nodes_per_ms: 600 })
        );
        assert_eq!(read("name Threads value 256"), Ok(Setting::Threads(256)));
        assert_eq!(read("name multipv value 3"), Ok(Setting::MultiPv(3)));
        assert_eq!(
            read("name UCI_ShowWDL value true"),
            Ok(Setting::ShowWdl(true))
        );
        assert_eq!(
            read("name UCI_AnalyseMode value false"),
            Ok(Setting::AnalyseMode(false))
        );
        assert_eq!(
            read("name UCI_EngineAbout value x"),
            Ok(Setting::EngineAbout)
        );
        assert_eq!(
            read("name debug  log file value  a value b.txt \r"),
            Ok(Setting::DebugLogFile(Some(b"a value b.txt")))
        );
        for none in ["", " value", " value  ", " value <empty>"] {
            let text = std::format!("name Debug Log File{none}");
            assert_eq!(read(&text), Ok(Setting::DebugLogFile(None)), "{text}");
        }
        assert_eq!(read("name OwnBook value true"), Ok(Setting::OwnBook(true)));
        assert_eq!(
            read("name book file value a b.bin"),
            Ok(Setting::BookFile(Some(b"a b.bin")))
        );
        assert_eq!(
            read("name SyzygyPath value <empty>"),
            Ok(Setting::SyzygyPath(None))
        );
        assert_eq!(
            read("name SyzygyProbeDepth value 100"),
            Ok(Setting::SyzygyProbeDepth(100))
        );
        assert_eq!(
            read("name SyzygyProbeLimit value 0"),
            Ok(Setting::SyzygyProbeLimit(0))
        );
        assert_eq!(
            read("name Syzygy50MoveRule value false"),
            Ok(Setting::Syzygy50MoveRule(false))
        );
    }

    #[test]
    fn what_cannot_be_is_refused_in_words() {
        let range = |value| {
            std::format!("setoption Hash: invalid value '{value}', allowed are whole numbers from 1 to 1048576")
        };
        for (text, message) in [
            ("", "setoption: no option is named".to_string()),
            ("name", "setoption: no option is named".to_string()),
            ("value 3", "setoption: no option is named".to_string()),
            ("Hash value 3", "setoption: no option is named".to_string()),
            (
                "name NoSuch Thing value 3",
                "setoption: there is no option 'NoSuch Thing'".to_string(),
            ),
            (
                "name Hash",
                "setoption Hash: its value is missing".to_string(),
            ),
            (
                "name Hash value",
                "setoption Hash: its value is missing".to_string(),
            ),
            ("name Hash value abc", range("abc")),
            ("name Hash value 0", range("0")),
            ("name Hash value -1", range("-1")),
            ("name Hash value 16 MB", range("16 MB")),
            (
                "name Hash value 99999999999999999999",
                range("99999999999999999999"),
            ),
            (
                "name Ponder value 1",
                "setoption Ponder: invalid value '1', allowed are 'true' and 'false'".to_string(),
            ),
        ] {
            assert_eq!(read(text), Err(message), "{text}");
        }
    }

    #[test]
    fn defaults_lie_within_their_limits() {
        for option in &OPTIONS {
            if let OptionKind::Spin { default, min, max } = option.kind {
                assert!((min..=max).contains(&default), "{option}");
                assert!(u32::try_from(min).is_ok() && u32::try_from(max).is_ok());
            }
        }
    }
}

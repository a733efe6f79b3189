//! How much memory the engine of the small profile takes: what whoever builds it may choose.

use crate::settings::SettingError;

/// One size: its variable, the constant that the engine reads, and what it may be.
struct Size {
    variable: &'static str,
    constant: &'static str,
    doc: &'static str,
    default: usize,
    allowed: Allowed,
}

#[derive(Clone, Copy)]
enum Allowed {
    Between(usize, usize),
    /// The same, and a power of two.
    Power(usize, usize),
    OneOf(&'static [usize]),
}

impl Allowed {
    fn holds(self, value: usize) -> bool {
        match self {
            Allowed::Between(least, most) => (least..=most).contains(&value),
            Allowed::Power(least, most) => {
                (least..=most).contains(&value) && value.is_power_of_two()
            }
            Allowed::OneOf(values) => values.contains(&value),
        }
    }

    fn in_words(self) -> String {
        match self {
            Allowed::Between(least, most) => format!("a whole number from {least} to {most}"),
            Allowed::Power(least, most) => format!("a power of two from {least} to {most}"),
            Allowed::OneOf(values) => {
                let values: Vec<String> = values.iter().map(usize::to_string).collect();
                format!("one of {}", values.join(", "))
            }
        }
    }
}

static SIZES: [Size; Sizes::COUNT] = [
    Size {
        variable: Sizes::VARIABLES[0],
        constant: "MAX_PLY",
        doc: "The longest line that the search follows, in plies from the root.",
        default: 64,
        allowed: Allowed::Between(16, 128),
    },
    Size {
        variable: Sizes::VARIABLES[1],
        constant: "LINE_MOVES",
        doc: "The moves of all nodes of a line together.",
        default: 1024,
        allowed: Allowed::Between(512, 8192),
    },
    Size {
        variable: Sizes::VARIABLES[2],
        constant: "QUIET_SOURCES",
        doc: "The histories of quiet moves are told apart by the kind of the piece, or by its square.",
        default: 6,
        allowed: Allowed::OneOf(&[6, 64]),
    },
    Size {
        variable: Sizes::VARIABLES[3],
        constant: "CORRECTION_ENTRIES",
        doc: "Entries of a correction history for each part and side; a power of two.",
        default: 64,
        allowed: Allowed::Power(16, 16_384),
    },
    Size {
        variable: Sizes::VARIABLES[4],
        constant: "PAWN_CACHE_ENTRIES",
        doc: "Entries in the cache of pawn structures; a power of two.",
        default: 32,
        allowed: Allowed::Power(8, 4_096),
    },
];

/// The sizes of the small profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes([usize; Sizes::COUNT]);

impl Sizes {
    const COUNT: usize = 5;

    /// The environment variables that [`Sizes::from_env`] reads.
    pub const VARIABLES: [&'static str; Sizes::COUNT] = [
        "KIRIN_SMALL_PLIES",
        "KIRIN_SMALL_MOVES",
        "KIRIN_SMALL_HISTORY",
        "KIRIN_SMALL_CORRECTIONS",
        "KIRIN_SMALL_PAWNS",
    ];

    /// The sizes that the environment asks for; an unset or empty variable means the default.
    ///
    /// # Errors
    /// If a variable holds something that is not allowed.
    pub fn from_env() -> Result<Sizes, SettingError> {
        let texts = Sizes::VARIABLES.map(|name| match std::env::var_os(name) {
            Some(value) => value.to_string_lossy().into_owned(),
            None => String::new(),
        });
        Sizes::parse(&texts)
    }

    /// The sizes that texts ask for, as if they stood in the [`Sizes::VARIABLES`].
    ///
    /// # Errors
    /// If one of them is not allowed.
    pub fn parse(texts: &[String; Sizes::COUNT]) -> Result<Sizes, SettingError> {
        let mut sizes = Sizes(SIZES.each_ref().map(|size| size.default));
        for ((text, size), value) in texts.iter().zip(&SIZES).zip(&mut sizes.0) {
            if text.is_empty() {
                continue;
            }
            // The standard parser would let a plus sign through.
            let number = if text.starts_with('+') {
                None
            } else {
                text.parse().ok()
            };
            *value = number
                .filter(|&number| size.allowed.holds(number))
                .ok_or_else(|| SettingError {
                    name: size.variable,
                    value: text.clone(),
                    allowed: size.allowed.in_words(),
                })?;
        }
        Ok(sizes)
    }

    /// The constants as Rust, for the engine to include.
    #[must_use]
    pub fn to_rust(&self) -> String {
        let lines = SIZES.iter().zip(self.0).map(|(size, value)| {
            format!(
                "/// {}\npub(crate) const {}: usize = {value};\n",
                size.doc, size.constant
            )
        });
        lines.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(at: usize, text: &str) -> Result<Sizes, SettingError> {
        let mut texts: [String; Sizes::COUNT] = Default::default();
        texts[at] = text.to_owned();
        Sizes::parse(&texts)
    }

    #[test]
    fn defaults_and_bounds_are_allowed_and_nothing_beyond() {
        let default = Sizes::parse(&Default::default()).unwrap();
        for (at, size) in SIZES.iter().enumerate() {
            assert!(size.allowed.holds(size.default), "{}", size.variable);
            assert_eq!(with(at, &size.default.to_string()).unwrap(), default);
            let (good, bad) = match size.allowed {
                Allowed::Between(least, most) => (vec![least, most], vec![least - 1, most + 1]),
                Allowed::Power(least, most) => {
                    (vec![least, most], vec![least / 2, most * 2, least + 1])
                }
                Allowed::OneOf(values) => (values.to_vec(), vec![0, values[0] + 1]),
            };
            for value in good {
                assert_eq!(with(at, &value.to_string()).unwrap().0[at], value);
            }
            let bad = bad.iter().map(usize::to_string);
            for text in
                bad.chain(["+64", "-1", "x", " 64", "99999999999999999999"].map(String::from))
            {
                let error = with(at, &text).unwrap_err();
                assert_eq!((error.name, &error.value), (size.variable, &text));
                assert_eq!(error.allowed, size.allowed.in_words());
            }
        }
    }

    #[test]
    fn constants_are_rust() {
        let text = with(0, "40").unwrap().to_rust();
        assert!(text.contains("pub(crate) const MAX_PLY: usize = 40;\n"));
        for size in &SIZES {
            assert_eq!(
                text.matches(&format!("const {}: usize = ", size.constant))
                    .count(),
                1
            );
        }
    }
}

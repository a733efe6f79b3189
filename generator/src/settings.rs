//! What a user may choose, and how it is read from text.

use std::fmt;

use crate::layout::Layout;

/// What a user may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Chooses the magics, and nothing else. Any value works.
    pub seed: u64,
    /// How attack sets are packed into tables.
    pub layout: Layout,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: Settings::DEFAULT_SEED,
            layout: Layout::DEFAULT,
        }
    }
}

impl Settings {
    /// The seed of an unset `KIRIN_SEED`: "Kirin" in ASCII.
    pub const DEFAULT_SEED: u64 = 0x4b_6972_696e;

    /// The environment variables that [`Settings::from_env`] reads.
    pub const VARIABLES: [&'static str; 2] = ["KIRIN_SEED", "KIRIN_LAYOUT"];

    /// The settings that the environment asks for; an unset or empty variable means the default.
    ///
    /// # Errors
    /// If a variable holds something that is not allowed.
    pub fn from_env() -> Result<Settings, SettingError> {
        // What is not Unicode is not allowed either, and the lossy text stays wrong and can be shown.
        let [seed, layout] = Settings::VARIABLES.map(|name| match std::env::var_os(name) {
            Some(value) => value.to_string_lossy().into_owned(),
            None => String::new(),
        });
        Settings::parse(&seed, &layout)
    }

    /// The settings that two texts ask for, as if they stood in `KIRIN_SEED` and `KIRIN_LAYOUT`.
    ///
    /// # Errors
    /// If one of them is not allowed.
    pub fn parse(seed: &str, layout: &str) -> Result<Settings, SettingError> {
        let [seed_variable, layout_variable] = Settings::VARIABLES;
        Ok(Settings {
            seed: parse_seed(seed_variable, seed)?,
            layout: parse_layout(layout_variable, layout)?,
        })
    }
}

/// Reads a seed: decimal, or hexadecimal after `0x` or `0X`; empty means the default.
///
/// # Errors
/// If the text is anything else, or does not fit 64 bits; `name` says in the message where it came from.
pub fn parse_seed(name: &'static str, value: &str) -> Result<u64, SettingError> {
    if value.is_empty() {
        return Ok(Settings::DEFAULT_SEED);
    }
    let (digits, radix) = match value
        .strip_prefix("0x")
        .or_else(|| value.strip_prefix("0X"))
    {
        Some(digits) => (digits, 16),
        None => (value, 10),
    };
    // The standard parser would let a plus sign through.
    let seed = if digits.starts_with('+') {
        None
    } else {
        u64::from_str_radix(digits, radix).ok()
    };
    seed.ok_or_else(|| SettingError {
        name,
        value: value.to_owned(),
        allowed: "a whole number from 0 to 18446744073709551615, decimal or hexadecimal after 0x"
            .to_owned(),
    })
}

/// Reads the name of a layout; empty means the default.
///
/// # Errors
/// If there is none of that name; `name` says in the message where it came from.
pub fn parse_layout(name: &'static str, value: &str) -> Result<Layout, SettingError> {
    if value.is_empty() {
        return Ok(Layout::DEFAULT);
    }
    for layout in Layout::ALL {
        if value == layout.name() {
            return Ok(layout);
        }
    }
    Err(SettingError {
        name,
        value: value.to_owned(),
        allowed: format!("one of {}", Layout::ALL.map(Layout::name).join(", ")),
    })
}

/// A setting holds something that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingError {
    /// The variable or option.
    pub name: &'static str,
    /// What it held.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Quoted and escaped, so that the message is one line whatever the value was; and not endless either.
        let shown: String = self.value.chars().take(60).collect();
        let more = if shown.len() < self.value.len() {
            "..."
        } else {
            ""
        };
        write!(
            f,
            "{} is {shown:?}{more}, but must be {}",
            self.name, self.allowed
        )
    }
}

impl std::error::Error for SettingError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_means_the_default() {
        assert_eq!(Settings::parse("", ""), Ok(Settings::default()));
    }

    #[test]
    fn seeds_are_decimal_or_hexadecimal() {
        for (text, seed) in [
            ("0", 0),
            ("00017", 17),
            ("4294967296", 1 << 32),
            ("18446744073709551615", u64::MAX),
            ("0x0", 0),
            ("0xffffFFFFffffFFFF", u64::MAX),
            ("0X10", 16),
            ("0X1F", 31),
            ("0x1f", 31),
        ] {
            assert_eq!(
                Settings::parse(text, "plain"),
                Ok(Settings {
                    seed,
                    layout: Layout::Plain
                })
            );
        }
    }

    #[test]
    fn other_seeds_are_refused_in_one_line() {
        let long = "9".repeat(1000);
        for text in [
            "18446744073709551616",
            "0x10000000000000000",
            "-1",
            "+1",
            "0x+1",
            "0x",
            "0X",
            "1.0",
            " 1",
            "1 ",
            "1_000",
            "seed",
            "ff",
            "1\n2",
            "\u{fffd}",
            &long,
        ] {
            let error = Settings::parse(text, "").expect_err(text);
            assert_eq!((error.name, error.value.as_str()), ("KIRIN_SEED", text));
            let line = error.to_string();
            assert!(line.lines().count() == 1 && line.len() < 300, "{line}");
        }
        assert_eq!(
            Settings::parse("12z", "")
                .expect_err("not a number")
                .to_string(),
            "KIRIN_SEED is \"12z\", but must be a whole number from 0 to 18446744073709551615, \
             decimal or hexadecimal after 0x"
        );
    }

    #[test]
    fn other_layouts_are_refused_and_the_names_listed() {
        for layout in Layout::ALL {
            assert_eq!(
                Settings::parse("", layout.name()).map(|settings| settings.layout),
                Ok(layout)
            );
        }
        assert_eq!(
            Settings::parse("", "Fancy")
                .expect_err("no such layout")
                .to_string(),
            "KIRIN_LAYOUT is \"Fancy\", but must be one of plain, fancy, overlapped, folded, compact, tiny"
        );
    }
}

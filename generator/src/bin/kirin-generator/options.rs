//! The options of a command: read strictly, and understood one by one.

use kirin_generator::{settings, Layout, Settings, Squares};

use crate::Failure;

/// The options of a command, by name.
pub struct Options {
    values: Vec<(&'static str, String)>,
}

impl Options {
    /// Reads what follows a command. Names that begin with dashes take a value, but for `--timings`; any other name
    /// stands for the one argument without.
    pub fn read(
        command: &str,
        mut rest: &[String],
        allowed: &[&'static str],
    ) -> Result<Options, Failure> {
        let mut values: Vec<(&'static str, String)> = Vec::new();
        while let Some((word, after)) = rest.split_first() {
            let positional = allowed.iter().find(|name| !name.starts_with('-'));
            let name = match allowed.iter().find(|&name| name == word) {
                Some(name) => name,
                None if !word.starts_with('-') && positional.is_some() => {
                    rest = after;
                    values.push((positional.copied().unwrap_or_default(), word.clone()));
                    continue;
                }
                None => {
                    return Err(Failure::Usage(format!(
                        "{word:?} is not an option of {command}, which takes {}",
                        allowed.join(", ")
                    )))
                }
            };
            rest = after;
            let value = if *name == "--timings" {
                String::new()
            } else if let Some((value, after)) = rest.split_first() {
                rest = after;
                value.clone()
            } else {
                return Err(Failure::Usage(format!("{name} needs a value")));
            };
            values.push((name, value));
        }
        for (number, (name, _)) in values.iter().enumerate() {
            let several = matches!(command, "merge" | "choose") && *name == "FILE";
            if !several && values[..number].iter().any(|(before, _)| before == name) {
                return Err(Failure::Usage(format!("{name} is given twice")));
            }
        }
        Ok(Options { values })
    }

    /// The value of an option, if it was given.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.as_str())
    }

    /// All values of an option that may be given several times.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.values
            .iter()
            .filter(move |(known, _)| *known == name)
            .map(|(_, value)| value.as_str())
    }

    /// A value out of a list, by its name.
    pub fn one_of<T: Copy>(
        &self,
        option: &str,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<Option<T>, Failure> {
        let Some(value) = self.get(option) else {
            return Ok(None);
        };
        match all.iter().find(|&&candidate| name(candidate) == value) {
            Some(&found) => Ok(Some(found)),
            None => {
                let names: Vec<_> = all.iter().map(|&candidate| name(candidate)).collect();
                Err(Failure::Usage(format!(
                    "{option} is {value:?}, but must be one of {}",
                    names.join(", ")
                )))
            }
        }
    }

    /// A number, if it was given.
    pub fn number(&self, option: &'static str) -> Result<Option<u64>, Failure> {
        match self.get(option) {
            None | Some("") => Ok(None),
            Some(value) => settings::parse_seed(option, value)
                .map(Some)
                .map_err(|error| Failure::Usage(error.to_string())),
        }
    }

    /// The seed, or the default.
    pub fn seed(&self) -> Result<u64, Failure> {
        Ok(self.number("--seed")?.unwrap_or(Settings::DEFAULT_SEED))
    }

    /// Seed and layout, or their defaults.
    pub fn settings(&self) -> Result<Settings, Failure> {
        let layout = self.get("--layout").filter(|name| !name.is_empty());
        Ok(Settings {
            seed: self.seed()?,
            layout: match layout {
                None => Layout::DEFAULT,
                Some(_) => self
                    .one_of("--layout", &Layout::ALL, Layout::name)?
                    .unwrap_or(Layout::DEFAULT),
            },
        })
    }

    /// The numbering of squares, if it was given.
    pub fn squares(&self) -> Result<Option<Squares>, Failure> {
        self.one_of("--squares", &Squares::ALL, Squares::name)
    }
}

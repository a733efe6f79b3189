//! The data file of the weights: read as a flat list, written back in the same shape.

use std::path::Path;

/// A weight: middlegame and endgame, in centipawns.
pub type Weight = [f32; 2];

/// The file's text, and its weights in their order.
pub struct File {
    text: String,
    pub weights: Vec<Weight>,
    /// The names of the groups, and the numbers of their first weights.
    pub groups: Vec<(String, usize)>,
}

fn is_weights(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#') && !line.starts_with('[')
}

fn parse_pair(pair: &str) -> Option<Weight> {
    let (middlegame, endgame) = pair.split_once('/')?;
    Some([middlegame.parse().ok()?, endgame.parse().ok()?])
}

impl File {
    pub fn read(path: &Path) -> Result<File, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        File::parse(text).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn parse(text: String) -> Result<File, String> {
        let mut weights = Vec::new();
        let mut groups = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if let Some(name) = line.trim().strip_prefix('[') {
                groups.push((name.trim_end_matches(']').to_string(), weights.len()));
            }
            if !is_weights(line) {
                continue;
            }
            for pair in line.split_whitespace() {
                let weight = parse_pair(pair)
                    .ok_or_else(|| format!("line {}: '{pair}' is no pair", number + 1))?;
                weights.push(weight);
            }
        }
        Ok(File {
            text,
            weights,
            groups,
        })
    }

    /// The text with other weights, rounded.
    pub fn with(&self, weights: &[Weight]) -> String {
        let mut weights = weights.iter();
        let mut text = String::new();
        for line in self.text.lines() {
            if is_weights(line) {
                let pairs: Vec<String> = line
                    .split_whitespace()
                    .zip(&mut weights)
                    .map(|(_, [mg, eg])| format!("{}/{}", mg.round() as i32, eg.round() as i32))
                    .collect();
                text.push_str(&pairs.join("  "));
            } else {
                text.push_str(line);
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_keeps_the_shape() {
        let text = "# words\n[A]\n1/2  3/-4\n5/6\n\n[B]\n7/8\n";
        let file = File::parse(text.into()).unwrap();
        assert_eq!(
            file.weights,
            [[1.0, 2.0], [3.0, -4.0], [5.0, 6.0], [7.0, 8.0]]
        );
        assert_eq!(file.groups, [("A".to_string(), 0), ("B".to_string(), 3)]);
        assert_eq!(file.with(&file.weights), text);
        let other = [[0.4, -0.6], [1.5, 2.0], [0.0, 0.0], [9.0, 9.0]];
        assert_eq!(
            file.with(&other),
            "# words\n[A]\n0/-1  2/2\n0/0\n\n[B]\n9/9\n"
        );
        assert!(File::parse("[A]\n1/x\n".into()).is_err());
    }
}

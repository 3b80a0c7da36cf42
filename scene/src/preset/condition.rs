//! [`Condition`]: the condition under which a setting has an effect.

use farsight::sight::MethodKind;

use super::sight_settings::DecayKind;

/// The condition under which a setting has an effect.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Condition {
    /// A terrain with air, woods and hills.
    Landscape,
    /// A map with roofs.
    Roofs,
    /// A world of open country.
    Overworld,
    /// A world that is a dungeon.
    Dungeon,
    /// Hills that can hide cells.
    Relief,
    /// Hills that hide cells by true lines of sight.
    Horizon,
    /// A clock that runs.
    Clock,
    /// A cone of vision.
    Cone,
    /// One of these methods.
    Method(&'static [MethodKind]),
    /// One of these decays.
    Decay(&'static [DecayKind]),
}

impl Condition {
    /// Returns the reason why a setting has no effect if the condition does not hold.
    pub fn words(self) -> String {
        let words = match self {
            Self::Landscape => "This map has only walls and floors: no air, no woods, no hills.",
            Self::Roofs => "Only used on maps with roofs.",
            Self::Overworld => "Not used by dungeons.",
            Self::Dungeon => "Only used by dungeons.",
            Self::Relief => "Relief is none: hills hide nothing.",
            Self::Horizon => "Only used by relief horizon.",
            Self::Clock => "The clock is paused.",
            Self::Cone => "Only used with a span below 360.",
            Self::Method(methods) => {
                return used_by(MethodKind::ALL, methods, MethodKind::WORDS);
            }
            Self::Decay(decays) => {
                return used_by(DecayKind::ALL, decays, DecayKind::WORDS);
            }
        };
        words.to_owned()
    }

    /// Returns `true` if the help of a setting states the condition. It omits those of whole sections.
    pub(super) fn is_in_help(self) -> bool {
        !matches!(self, Self::Landscape | Self::Overworld | Self::Relief | Self::Clock)
    }
}

/// Returns a sentence with the words of the used values, or with those of all others if these are not more.
fn used_by<T: PartialEq>(all: &[T], used: &[T], words: &[&str]) -> String {
    let [used, unused] = [true, false].map(|wanted| -> Vec<&str> {
        words.iter().zip(all).filter(|(_, value)| used.contains(value) == wanted).map(|(word, _)| *word).collect()
    });
    let (start, words) = if used.len() < unused.len() { ("Only", used) } else { ("Not", unused) };
    let list = match &words[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        words => words.concat(),
    };
    format!("{start} used by {list}.")
}

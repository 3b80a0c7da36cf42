//! [`CountClasses`]: classes of the number of observers: 1–5, 6–10, 11 or more.

/// Classes of counts, each from its start to before the start of the next; the last has no end.
///
/// ```
/// use farsight_scene::cumulative::CountClasses;
/// let classes = CountClasses::new(vec![1, 6, 11])?;
/// assert_eq!(classes.names().collect::<Vec<_>>(), ["1–5", "6–10", "11 or more"]);
/// assert_eq!([0.0, 5.0, 6.0, 40.0].map(|count| classes.of(count)), [None, Some(0), Some(1), Some(2)]);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountClasses {
    starts: Vec<u16>,
}

impl CountClasses {
    /// Creates classes from their starts.
    ///
    /// # Errors
    /// A text of what is accepted, unless the starts ascend from at least 1.
    pub fn new(starts: Vec<u16>) -> Result<Self, String> {
        let is_ascending = starts.first().is_some_and(|first| *first > 0) && starts.is_sorted_by(|a, b| a < b);
        match is_ascending {
            true => Ok(Self { starts }),
            false => Err("expected the first counts of classes, ascending from 1 or more, such as 1,6,11".to_owned()),
        }
    }

    /// Returns the number of classes.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the class of a count, from 0; `None` below the first class, and for NaN.
    pub fn of(&self, count: f32) -> Option<usize> {
        self.starts.iter().rposition(|start| count >= f32::from(*start))
    }

    /// Returns the first and the last count of each class; the last class has no last one.
    pub fn ranges(&self) -> impl Iterator<Item = (u16, Option<u16>)> {
        let ends = self.starts.iter().skip(1).map(|next| Some(next - 1)).chain([None]);
        self.starts.iter().copied().zip(ends)
    }

    /// Returns the name of the counts below the first class: `0`.
    pub fn name_below(&self) -> String {
        match self.starts.first() {
            Some(2..) => format!("0–{}", self.starts[0] - 1),
            _ => "0".to_owned(),
        }
    }

    /// Returns the name of each class: `1–5`.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.ranges().map(|(first, last)| match last {
            Some(last) if last == first => first.to_string(),
            Some(last) => format!("{first}–{last}"),
            None => format!("{first} or more"),
        })
    }
}

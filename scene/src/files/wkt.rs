//! [`WktNode`]: well-known text of a coordinate reference system as a tree.
//!
//! # References
//! OGC, *Well-known text representation of coordinate reference systems* (18-010r7); OGC 01-009 for version 1.

/// `KEYWORD[...]`.
#[derive(Debug, Default)]
pub(super) struct WktNode {
    /// In capital letters.
    pub(super) keyword: String,
    pub(super) nodes: Vec<WktNode>,
    /// Texts, numbers and words between the brackets.
    pub(super) texts: Vec<String>,
}

/// The deepest nesting of brackets.
const MAX_DEPTH: usize = 24;

impl WktNode {
    /// Parses a text; the root has no keyword. `None` if it is malformed.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parser = Parser { rest: text };
        let mut root = Self::default();
        parser.read_items(&mut root, 0)?;
        parser.rest.is_empty().then_some(root)
    }

    /// Returns the first node with one of some keywords, at any depth.
    pub(super) fn find(&self, keywords: &[&str]) -> Option<&Self> {
        self.nodes.iter().find_map(|node| {
            let is_it = keywords.contains(&node.keyword.as_str());
            if is_it { Some(node) } else { node.find(keywords) }
        })
    }

    pub(super) fn child(&self, keywords: &[&str]) -> Option<&Self> {
        self.nodes.iter().find(|node| keywords.contains(&node.keyword.as_str()))
    }

    pub(super) fn name(&self) -> &str {
        self.texts.first().map_or("", String::as_str)
    }

    /// Returns name and size of the unit of a system, which its axes may tell.
    pub(super) fn unit(&self) -> Option<(&str, f64)> {
        let units = ["UNIT", "LENGTHUNIT", "ANGLEUNIT"];
        let unit = self.child(&units).or_else(|| {
            self.nodes.iter().find_map(|node| if node.keyword == "AXIS" { node.child(&units) } else { None })
        })?;
        let size = unit.texts.get(1)?.parse().ok().filter(|size: &f64| size.is_finite() && *size > 0.0)?;
        Some((unit.texts.first()?, size))
    }
}

/// Reads nodes from the front of a text.
struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    /// Reads the items up to the closing bracket, or all of the text. `None` if it is malformed.
    fn read_items(&mut self, node: &mut WktNode, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        loop {
            self.rest = self.rest.trim_start_matches(|letter: char| letter == ',' || letter.is_whitespace());
            match self.rest.chars().next() {
                None => return (depth == 0).then_some(()),
                Some(']' | ')') => {
                    self.rest = &self.rest[1..];
                    return (depth > 0).then_some(());
                }
                Some('"') => {
                    // A quote is doubled in a text.
                    let mut text = String::new();
                    loop {
                        let (start, rest) = self.rest[1..].split_once('"')?;
                        text += start;
                        self.rest = rest;
                        if !rest.starts_with('"') {
                            break;
                        }
                        text.push('"');
                    }
                    node.texts.push(text);
                }
                Some(_) => {
                    let end = self.rest.find(['[', '(', ']', ')', ',', '"']).unwrap_or(self.rest.len());
                    let (word, rest) = self.rest.split_at(end);
                    let word = word.trim();
                    match rest.strip_prefix(['[', '(']) {
                        Some(rest) => {
                            self.rest = rest;
                            let mut inner = WktNode { keyword: word.to_ascii_uppercase(), ..WktNode::default() };
                            self.read_items(&mut inner, depth + 1)?;
                            node.nodes.push(inner);
                        }
                        None => {
                            self.rest = rest;
                            node.texts.push(word.to_owned());
                        }
                    }
                }
            }
        }
    }
}

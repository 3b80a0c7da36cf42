//! [`Annotation`]: a text or a line over a panorama, drawn on pixels or written as SVG.

use std::fmt::Write;

use glam::{Vec2, vec2};

use crate::paint::Picture;
use crate::paint::colour::Colour;
use crate::paint::lettering::{Anchor, Face, Halo, Lettering, bounds, draw};
use crate::paint::shape::stroke;
use crate::paint::text::escape_xml;

/// A text or a line over a panorama.
#[derive(Clone, Debug)]
pub(super) enum Annotation {
    Text {
        /// The middle of the letters.
        at: Vec2,
        text: String,
        lettering: Lettering,
    },
    Line {
        from: Vec2,
        to: Vec2,
        width: f32,
        colour: Colour,
        alpha: f32,
    },
}

impl Annotation {
    pub(super) fn text(
        at: Vec2,
        text: impl Into<String>,
        face: Face,
        size: f32,
        (colour, halo): (Colour, Halo),
    ) -> Self {
        Self::Text {
            at,
            text: text.into(),
            lettering: Lettering { halo: Some(halo), ..Lettering::new(face, size, colour) },
        }
    }

    /// Returns the corners of the rectangle of the text or the line.
    pub(super) fn bounds(&self) -> (Vec2, Vec2) {
        match self {
            Self::Text { at, text, lettering } => bounds(*at, Anchor::Middle, text, lettering),
            Self::Line { from, to, .. } => (from.min(*to), from.max(*to)),
        }
    }

    pub(super) fn paint(&self, picture: &mut Picture) {
        match self {
            Self::Text { at, text, lettering } => draw(picture, *at, Anchor::Middle, text, lettering),
            Self::Line { from, to, width, colour, alpha } => stroke(picture, &[*from, *to], *width, *colour, *alpha),
        }
    }

    pub(super) fn write_svg(&self, svg: &mut String) {
        let hex = |colour: &Colour| colour.map(|channel| format!("{:02x}", channel.clamp(0.0, 255.0) as u8)).concat();
        let _ = match self {
            Self::Text { at, text, lettering } => {
                let below = at + vec2(0.0, 0.27 * lettering.size);
                let (style, weight) = match lettering.face {
                    Face::Roman => ("normal", "normal"),
                    Face::Italic => ("italic", "normal"),
                    Face::Bold => ("normal", "bold"),
                };
                let halo = lettering.halo.map_or_else(String::new, |halo| {
                    let (colour, alpha, width) = (hex(&halo.colour), halo.alpha, 2.0 * halo.width);
                    format!(
                        " paint-order=\"stroke\" stroke=\"#{colour}\" stroke-opacity=\"{alpha}\" stroke-width=\"{width}\" stroke-linejoin=\"round\""
                    )
                });
                writeln!(
                    svg,
                    "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{}\" font-style=\"{style}\" font-weight=\"{weight}\" \
                     letter-spacing=\"{:.1}\" fill=\"#{}\"{halo}>{}</text>",
                    below.x,
                    below.y,
                    lettering.size,
                    lettering.spacing,
                    hex(&lettering.colour),
                    escape_xml(text)
                )
            }
            Self::Line { from, to, width, colour, alpha } => writeln!(
                svg,
                "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#{}\" stroke-opacity=\"{alpha}\" stroke-width=\"{width}\"/>",
                from.x,
                from.y,
                to.x,
                to.y,
                hex(colour)
            ),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_texts_of_the_drawing() {
        let halo = Halo { colour: [0.0; 3], alpha: 0.5, width: 1.0 };
        let text = Annotation::text(vec2(3.0, 4.0), "A<B & \"C\"\u{1}", Face::Italic, 12.0, ([255.0, 0.0, 16.0], halo));
        let mut svg = String::new();
        text.write_svg(&mut svg);
        assert!(svg.contains("font-style=\"italic\"") && svg.contains("fill=\"#ff0010\""), "{svg}");
        assert!(svg.ends_with(">A&lt;B &amp; &quot;C&quot;</text>\n"), "{svg}");
    }
}

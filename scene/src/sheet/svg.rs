//! A [`Drawing`] as SVG.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::vec2;

use super::drawing::{Drawing, Element, HALO, Text};
use crate::files::{WriteError, write_picture};
use crate::paint::Colour;
use crate::paint::lettering::{Anchor, Face};
use crate::paint::shape::{Path, Segment};
use crate::paint::text::escape_xml;

/// Returns the drawing as SVG, with texts as texts.
pub(super) fn svg(drawing: &Drawing) -> Result<String, WriteError> {
    let [width, height] = drawing.size.to_array();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}mm\" height=\"{height}mm\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"Libertinus Serif, Linux Libertine, Georgia, serif\">\n<title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
        escape_xml(&drawing.title)
    );
    for element in &drawing.elements {
        write_element(&mut svg, element)?;
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

fn write_element(svg: &mut String, element: &Element) -> Result<(), WriteError> {
    let _ = match element {
        Element::Image { min, max, image } => {
            let mut png = Vec::new();
            write_picture(&mut png, image.width as u32, image.height as u32, &image.rgba, None)?;
            let rendering = if image.is_smooth { "auto" } else { "pixelated" };
            let size = *max - *min;
            writeln!(
                svg,
                "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
                 style=\"image-rendering:{rendering}\" href=\"data:image/png;base64,{}\"/>",
                min.x,
                min.y,
                size.x,
                size.y,
                STANDARD.encode(png)
            )
        }
        Element::Fill { path, colour } => {
            writeln!(svg, "<path d=\"{}\" fill=\"{}\"/>", path_data(path), hex(*colour))
        }
        Element::Line { points, width, colour } => {
            let points: Vec<String> = points.iter().map(|at| format!("{:.3},{:.3}", at.x, at.y)).collect();
            writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" \
                 stroke-linecap=\"round\"/>",
                points.join(" "),
                hex(*colour)
            )
        }
        Element::Text(text) => write_text(svg, text),
    };
    Ok(())
}

fn write_text(svg: &mut String, text: &Text) -> std::fmt::Result {
    let baseline = text.at + vec2(0.0, 0.27 * text.size);
    let anchor = if text.anchor == Anchor::Middle { " text-anchor=\"middle\"" } else { "" };
    let style = match text.face {
        Face::Roman => "",
        Face::Italic => " font-style=\"italic\"",
        Face::Bold => " font-weight=\"bold\"",
    };
    let halo = text.halo.map_or_else(String::new, |halo| {
        let (colour, width) = (hex(halo), 2.0 * HALO * text.size);
        format!(" paint-order=\"stroke\" stroke=\"{colour}\" stroke-width=\"{width:.3}\" stroke-linejoin=\"round\"")
    });
    let (size, colour, letters) = (text.size, hex(text.colour), escape_xml(&text.text));
    writeln!(
        svg,
        "<text x=\"{:.3}\" y=\"{:.3}\" font-size=\"{size}\"{anchor}{style} fill=\"{colour}\"{halo}>{letters}</text>",
        baseline.x, baseline.y
    )
}

fn hex(colour: Colour) -> String {
    let [red, green, blue] = colour.map(|channel| (channel + 0.5).clamp(0.0, 255.0) as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn path_data(path: &Path) -> String {
    let mut data = String::new();
    for segment in path.segments() {
        let _ = match segment {
            Segment::Move(to) => write!(data, "M{:.3} {:.3}", to.x, to.y),
            Segment::Line(to) => write!(data, "L{:.3} {:.3}", to.x, to.y),
            Segment::Quad(control, to) => {
                write!(data, "Q{:.3} {:.3} {:.3} {:.3}", control.x, control.y, to.x, to.y)
            }
            Segment::Cubic(first, second, to) => {
                write!(data, "C{:.3} {:.3} {:.3} {:.3} {:.3} {:.3}", first.x, first.y, second.x, second.y, to.x, to.y)
            }
        };
    }
    data + "Z"
}

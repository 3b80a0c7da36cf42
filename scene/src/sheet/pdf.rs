//! A [`Drawing`] as PDF of one page.

use glam::{Vec2, vec2};
use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::{LineCapStyle, LineJoinStyle, TextRenderingMode};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use super::drawing::{Drawing, Element, HALO, Image, Text};
use crate::paint::Colour;
use crate::paint::lettering::{Anchor, Lettering, outline, width};
use crate::paint::shape::{Path, Segment};

/// Points per millimetre.
const POINTS: f32 = 72.0 / 25.4;

/// The level of compression of zlib.
const LEVEL: u8 = 6;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const FONT: Ref = Ref::new(5);
const INFO: Ref = Ref::new(6);
/// The first image; the mask of each image follows it.
const FIRST_IMAGE: i32 = 7;

/// Returns the drawing as PDF. Letters are shapes, with an invisible text over them, so that a viewer finds it.
pub(super) fn pdf(drawing: &Drawing) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.catalog(CATALOG).pages(PAGES);
    pdf.pages(PAGES).kids([PAGE]).count(1);
    pdf.document_info(INFO)
        .title(TextStr(&drawing.title))
        .creator(TextStr(concat!("farsight ", env!("CARGO_PKG_VERSION"))));
    pdf.type1_font(FONT).base_font(Name(b"Helvetica")).encoding_predefined(Name(b"WinAnsiEncoding"));
    let mut names = Vec::new();
    let mut page = Page { content: Content::new(), height: drawing.size.y };
    page.content.set_line_cap(LineCapStyle::RoundCap).set_line_join(LineJoinStyle::RoundJoin);
    for element in &drawing.elements {
        match element {
            Element::Image { min, max, image } => {
                let id = FIRST_IMAGE + 2 * names.len() as i32;
                let name = format!("image{id}");
                write_image(&mut pdf, id, image);
                page.image(&name, *min, *max);
                names.push((name, id));
            }
            Element::Fill { path, colour } => {
                page.fill_colour(*colour);
                page.path(path);
                page.content.fill_nonzero();
            }
            Element::Line { points, width, colour } => page.line(points, *width, *colour),
            Element::Text(text) => page.text(text),
        }
    }
    let [width, height] = (drawing.size * POINTS).to_array();
    let mut written = pdf.page(PAGE);
    written.media_box(Rect::new(0.0, 0.0, width, height)).parent(PAGES).contents(CONTENT);
    let mut resources = written.resources();
    resources.fonts().pair(Name(b"hidden"), FONT);
    let mut images = resources.x_objects();
    for (name, id) in &names {
        images.pair(Name(name.as_bytes()), Ref::new(*id));
    }
    images.finish();
    resources.finish();
    written.finish();
    let content = compress_to_vec_zlib(&page.content.finish(), LEVEL);
    pdf.stream(CONTENT, &content).filter(Filter::FlateDecode);
    pdf.finish()
}

/// Writes an image, and its alpha under the next number.
fn write_image(pdf: &mut Pdf, id: i32, image: &Image) {
    let (size, pixels) = ((image.width as i32, image.height as i32), image.rgba.as_chunks::<4>().0);
    let colours: Vec<u8> = pixels.iter().flat_map(|&[red, green, blue, _]| [red, green, blue]).collect();
    let colours = compress_to_vec_zlib(&colours, LEVEL);
    let has_alpha = image.has_alpha();
    let mut object = pdf.image_xobject(Ref::new(id), &colours);
    object.filter(Filter::FlateDecode);
    object.width(size.0).height(size.1).bits_per_component(8).interpolate(image.is_smooth);
    object.color_space().device_rgb();
    if has_alpha {
        object.s_mask(Ref::new(id + 1));
    }
    object.finish();
    if has_alpha {
        let alphas: Vec<u8> = pixels.iter().map(|pixel| pixel[3]).collect();
        let alphas = compress_to_vec_zlib(&alphas, LEVEL);
        let mut mask = pdf.image_xobject(Ref::new(id + 1), &alphas);
        mask.filter(Filter::FlateDecode);
        mask.width(size.0).height(size.1).bits_per_component(8);
        mask.color_space().device_gray();
    }
}

/// The operators of the page. Their origin is the lower left corner.
struct Page {
    content: Content,
    /// Millimetres.
    height: f32,
}

impl Page {
    fn point(&self, at: Vec2) -> Vec2 {
        vec2(at.x, self.height - at.y) * POINTS
    }

    fn fill_colour(&mut self, colour: Colour) {
        let [red, green, blue] = colour.map(|channel| channel / 255.0);
        self.content.set_fill_rgb(red, green, blue);
    }

    fn stroke_colour(&mut self, colour: Colour, width: f32) {
        let [red, green, blue] = colour.map(|channel| channel / 255.0);
        self.content.set_stroke_rgb(red, green, blue).set_line_width(width * POINTS);
    }

    fn image(&mut self, name: &str, min: Vec2, max: Vec2) {
        let (corner, size) = (self.point(vec2(min.x, max.y)), (max - min) * POINTS);
        self.content.save_state().transform([size.x, 0.0, 0.0, size.y, corner.x, corner.y]);
        self.content.x_object(Name(name.as_bytes())).restore_state();
    }

    fn path(&mut self, path: &Path) {
        let mut pen = Vec2::ZERO;
        for segment in path.segments() {
            match *segment {
                Segment::Move(to) => {
                    pen = self.point(to);
                    self.content.move_to(pen.x, pen.y);
                }
                Segment::Line(to) => {
                    pen = self.point(to);
                    self.content.line_to(pen.x, pen.y);
                }
                Segment::Quad(control, to) => {
                    let (control, to) = (self.point(control), self.point(to));
                    self.curve(pen + (control - pen) * (2.0 / 3.0), to + (control - to) * (2.0 / 3.0), to);
                    pen = to;
                }
                Segment::Cubic(first, second, to) => {
                    pen = self.point(to);
                    self.curve(self.point(first), self.point(second), pen);
                }
            }
        }
    }

    fn curve(&mut self, first: Vec2, second: Vec2, to: Vec2) {
        self.content.cubic_to(first.x, first.y, second.x, second.y, to.x, to.y);
    }

    fn line(&mut self, points: &[Vec2], width: f32, colour: Colour) {
        self.stroke_colour(colour, width);
        for (i, at) in points.iter().map(|at| self.point(*at)).collect::<Vec<_>>().into_iter().enumerate() {
            if i == 0 {
                self.content.move_to(at.x, at.y)
            } else {
                self.content.line_to(at.x, at.y)
            };
        }
        self.content.stroke();
    }

    fn text(&mut self, text: &Text) {
        let letters = outline(text.at, text.anchor, &text.text, &Lettering::new(text.face, text.size, text.colour));
        if let Some(halo) = text.halo {
            self.stroke_colour(halo, 2.0 * HALO * text.size);
            self.path(&letters);
            self.content.close_and_stroke();
        }
        self.fill_colour(text.colour);
        self.path(&letters);
        self.content.fill_nonzero();
        let drawn_width = width(&text.text, text.face, text.size, 0.0);
        let left = text.at.x - if text.anchor == Anchor::Middle { drawn_width / 2.0 } else { 0.0 };
        let corner = self.point(vec2(left, text.at.y + 0.27 * text.size));
        let latin: Vec<u8> = text.text.chars().map(|letter| u8::try_from(letter).unwrap_or(b'?')).collect();
        self.content.begin_text().set_text_rendering_mode(TextRenderingMode::Invisible);
        self.content.set_font(Name(b"hidden"), text.size * POINTS).next_line(corner.x, corner.y);
        self.content.show(Str(&latin)).end_text();
    }
}

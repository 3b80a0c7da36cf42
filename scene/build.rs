//! Writes the letters of map names to `OUT_DIR`: outlines, widths and kerning of a book face, read by
//! `src/paint/letters.rs`. Finds the folder of the presets.
//!
//! The fonts of a crate have thousands of glyphs. farsight embeds Latin, Greek and Cyrillic letters, and on the page only those of
//! European languages with Latin letters.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=FARSIGHT_PRESETS={}", presets().display());
    letters::write_faces();
}

/// Returns the folder of the presets: that of the package, or that of the repository where the link to it is only a file, as on a
/// Windows without links.
fn presets() -> std::path::PathBuf {
    let package =
        std::path::PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let linked = package.join("presets");
    if linked.is_dir() { linked } else { package.join("../presets") }
}

mod letters {
    use std::collections::BTreeMap;
    use std::path::PathBuf;

    use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
    use ttf_parser::{Face, GlyphId, OutlineBuilder, Tag, Weight, name_id};

    const FAMILY: &str = "Libertinus Serif";

    /// Latin Extended-B with the letters of Africa, Greek, Cyrillic, Vietnamese, and Greek with all accents.
    const NATIVE: [std::ops::Range<u32>; 4] = [0x180..0x250, 0x370..0x400, 0x400..0x530, 0x1e00..0x2000];

    /// Characters besides ASCII, Latin-1 and Latin Extended-A. Those that the font lacks are left out.
    const MORE: &str = "ȘșȚț–—‒―‘’‚‛“”„†‡•…‰′″‹›⁄€−×≤≥→";

    /// Symbols that are in few names, and in no text of farsight.
    const SYMBOLS: &str = "⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉÷≈≠∞√←↑↓↔№™Ωπ▲△◆●○■□";

    /// A box, drawn for characters that are missing.
    const NOTDEF: u32 = 0;

    pub(super) fn write_faces() {
        let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
        for (file, italic, weight) in
            [("roman", false, Weight::Normal), ("italic", true, Weight::Normal), ("bold", false, Weight::Bold)]
        {
            let is_wanted = |face: &Face| {
                let is_family = |name: ttf_parser::name::Name| {
                    name.name_id == name_id::FAMILY && name.to_string().is_some_and(|name| name == FAMILY)
                };
                face.names().into_iter().any(is_family) && face.is_italic() == italic && face.weight() == weight
            };
            let face = typst_assets::fonts().filter_map(|bytes| Face::parse(bytes, 0).ok()).find(is_wanted);
            let bytes = encode(&face.unwrap_or_else(|| panic!("typst-assets has no {FAMILY}, {file}")));
            std::fs::write(folder.join(format!("letters-{file}.bin")), bytes).expect("OUT_DIR is writable");
        }
    }

    /// Encodes a face as numbers of one or more bytes, see [`Bytes`]:
    ///
    /// 1. units per em, x-height, cap height
    /// 2. the number of contours; for each the number of its segments, and for each segment its degree (1 to 3) and as many
    ///    points, each relative to the one before
    /// 3. the number of glyphs, by rising characters; for each the step from the character before, the advance, the classes
    ///    for kerning as left and as right letter, the number of contours, and for each its index and start
    /// 4. the number of classes of right letters; for each class of left letters and each class of right letters the kerning
    fn encode(face: &Face) -> Vec<u8> {
        let is_page = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|target| target == "wasm32");
        let native = NATIVE.into_iter().flatten().chain(SYMBOLS.chars().map(u32::from)).filter(|_| !is_page);
        let characters = (0x20..0x7f).chain(0xa0..0x180).chain(native).chain(MORE.chars().map(u32::from));
        let mut glyphs: BTreeMap<u32, GlyphId> = BTreeMap::from([(NOTDEF, GlyphId(0))]);
        glyphs.extend(characters.filter_map(|code| Some((code, face.glyph_index(char::from_u32(code)?)?))));

        let mut contours = Contours::default();
        let outlines: Vec<Vec<Placed>> = glyphs.values().map(|&glyph| contours.outline(face, glyph)).collect();
        let kerning = Kerning::read(face, &glyphs.values().copied().collect::<Vec<_>>());

        let mut out = Bytes::default();
        out.push(i32::from(face.units_per_em()));
        out.push(i32::from(face.x_height().expect("an x-height")));
        out.push(i32::from(face.capital_height().expect("a cap height")));
        out.push(contours.encoded.len() as i32);
        for contour in &contours.encoded {
            out.0.extend_from_slice(&contour.0);
        }
        out.push(glyphs.len() as i32);
        let mut before = 0;
        for (i, (&code, &glyph)) in glyphs.iter().enumerate() {
            out.push((code - before) as i32);
            before = code;
            out.push(i32::from(face.glyph_hor_advance(glyph).unwrap_or(0)));
            out.push(kerning.left[i] as i32);
            out.push(kerning.right[i] as i32);
            out.push(outlines[i].len() as i32);
            for contour in &outlines[i] {
                out.push(contour.index as i32);
                out.push(contour.start[0]);
                out.push(contour.start[1]);
            }
        }
        out.push(kerning.rows.first().map_or(0, Vec::len) as i32);
        for &value in kerning.rows.iter().flatten() {
            out.push(value);
        }
        out.0
    }

    /// Whole numbers; seven bits a byte, the lowest first and the sign lowest of all.
    #[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
    struct Bytes(Vec<u8>);

    impl Bytes {
        fn push(&mut self, number: i32) {
            let mut rest = ((number << 1) ^ (number >> 31)) as u32;
            while rest >= 0x80 {
                self.0.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            self.0.push(rest as u8);
        }
    }

    /// A contour of a glyph.
    struct Placed {
        index: usize,
        start: [i32; 2],
    }

    /// All contours, each stored once: an accented letter has those of the letter and of the accent.
    #[derive(Default)]
    struct Contours {
        encoded: Vec<Bytes>,
        indices: BTreeMap<Bytes, usize>,
    }

    impl Contours {
        fn outline(&mut self, face: &Face, glyph: GlyphId) -> Vec<Placed> {
            let mut pen = Pen::default();
            face.outline_glyph(glyph, &mut pen);
            let place = |contour: Contour| {
                let mut encoded = Bytes::default();
                encoded.push(contour.segments.len() as i32);
                let mut before = contour.start;
                for segment in contour.segments {
                    encoded.push(segment.len() as i32);
                    for point in segment {
                        encoded.push(point[0] - before[0]);
                        encoded.push(point[1] - before[1]);
                        before = point;
                    }
                }
                let index = *self.indices.entry(encoded.clone()).or_insert_with(|| {
                    self.encoded.push(encoded);
                    self.encoded.len() - 1
                });
                Placed { index, start: contour.start }
            };
            pen.contours.into_iter().map(place).collect()
        }
    }

    /// A closed line through segments of one to three points: a straight line, a quadratic or a cubic curve.
    struct Contour {
        start: [i32; 2],
        segments: Vec<Vec<[i32; 2]>>,
    }

    #[derive(Default)]
    struct Pen {
        contours: Vec<Contour>,
    }

    impl Pen {
        fn segment(&mut self, points: &[(f32, f32)]) {
            let points = points.iter().map(|&(x, y)| [x.round() as i32, y.round() as i32]).collect();
            self.contours.last_mut().expect("an outline begins with a move").segments.push(points);
        }
    }

    impl OutlineBuilder for Pen {
        fn move_to(&mut self, x: f32, y: f32) {
            self.contours.push(Contour { start: [x.round() as i32, y.round() as i32], segments: Vec::new() });
        }

        fn line_to(&mut self, x: f32, y: f32) {
            self.segment(&[(x, y)]);
        }

        fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
            self.segment(&[(x1, y1), (x, y)]);
        }

        fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
            self.segment(&[(x1, y1), (x2, y2), (x, y)]);
        }

        fn close(&mut self) {}
    }

    /// The kerning of pairs. Letters that are kerned alike are one class.
    struct Kerning {
        left: Vec<usize>,
        right: Vec<usize>,
        rows: Vec<Vec<i32>>,
    }

    impl Kerning {
        fn read(face: &Face, glyphs: &[GlyphId]) -> Self {
            let lookups = pair_lookups(face);
            let row = |&left: &GlyphId| {
                let covering: Vec<Vec<Covering>> = lookups.iter().map(|lookup| covering(lookup, left)).collect();
                glyphs.iter().map(|&right| covering.iter().map(|lookup| kerning(lookup, right)).sum()).collect()
            };
            let rows = glyphs.iter().map(row);
            let (left, rows) = classes(rows.collect());
            let (right, columns) = classes(transpose(&rows));
            Self { left, right, rows: transpose(&columns) }
        }
    }

    fn transpose(rows: &[Vec<i32>]) -> Vec<Vec<i32>> {
        (0..rows.first().map_or(0, Vec::len)).map(|i| rows.iter().map(|row| row[i]).collect()).collect()
    }

    /// Returns the class of each row, and the row of each class.
    fn classes(rows: Vec<Vec<i32>>) -> (Vec<usize>, Vec<Vec<i32>>) {
        let mut kept: Vec<Vec<i32>> = Vec::new();
        let classes = rows.into_iter().map(|row| {
            kept.iter().position(|other| *other == row).unwrap_or_else(|| {
                kept.push(row);
                kept.len() - 1
            })
        });
        (classes.collect(), kept)
    }

    /// Returns the subtables of every lookup of the feature `kern`.
    fn pair_lookups<'a>(face: &Face<'a>) -> Vec<Vec<PairAdjustment<'a>>> {
        let Some(positions) = face.tables().gpos else { return Vec::new() };
        let features = positions.features.into_iter().filter(|feature| feature.tag == Tag::from_bytes(b"kern"));
        let mut indices: Vec<u16> = features.flat_map(|feature| feature.lookup_indices).collect();
        indices.sort_unstable();
        indices.dedup();
        let lookups = indices.into_iter().filter_map(|index| positions.lookups.get(index));
        let pairs = |subtable| match subtable {
            PositioningSubtable::Pair(pairs) => Some(pairs),
            _ => None,
        };
        lookups.map(|lookup| lookup.subtables.into_iter::<PositioningSubtable>().filter_map(pairs).collect()).collect()
    }

    /// A subtable that has pairs of a left glyph, and the index of the glyph in it.
    type Covering<'a> = (&'a PairAdjustment<'a>, u16);

    fn covering<'a>(lookup: &'a [PairAdjustment<'a>], left: GlyphId) -> Vec<Covering<'a>> {
        let index = |subtable: &'a PairAdjustment<'a>| match subtable {
            PairAdjustment::Format1 { coverage, .. } => Some((subtable, coverage.get(left)?)),
            PairAdjustment::Format2 { coverage, classes, .. } => {
                coverage.get(left).map(|_| (subtable, classes.0.get(left)))
            }
        };
        lookup.iter().filter_map(index).collect()
    }

    /// Returns what a lookup adds to the advance of the left glyph: that of the first subtable that has the pair.
    fn kerning(covering: &[Covering], right: GlyphId) -> i32 {
        let of_pair = |&(subtable, index): &Covering| {
            let (left, _) = match subtable {
                PairAdjustment::Format1 { sets, .. } => sets.get(index)?.get(right)?,
                PairAdjustment::Format2 { classes, matrix, .. } => matrix.get((index, classes.1.get(right)))?,
            };
            Some(i32::from(left.x_advance))
        };
        covering.iter().find_map(of_pair).unwrap_or(0)
    }
}

//! Marks on the map: the viewer, creatures, lookouts, lamps and summits.
//!
//! A mark has the same size at every zoom; `scale` 1 is the usual size. Each has a soft shadow to the south-east.

use glam::{Vec2, vec2};

use super::colour::{Colour, mix};
use super::lettering::{self, Anchor, Face, Halo, Lettering};
use super::picture::Picture;
use super::shape::{DrawingAxes, Path, PixelBounds, distance_to_segment, fill};
use super::silhouette::{self, Silhouette};
use crate::creatures::Species;

const SHADOW: Colour = [30.0, 26.0, 44.0];
const DISC: Colour = [255.0, 248.0, 230.0];
const RING: Colour = [74.0, 54.0, 38.0];
const FOE_RING: Colour = [158.0, 44.0, 38.0];
const GLYPH: Colour = [58.0, 44.0, 34.0];
const FOE_GLYPH: Colour = [122.0, 36.0, 32.0];
const QUESTION_DISC: Colour = [251.0, 243.0, 220.0];
const VIEWER: Colour = [200.0, 38.0, 44.0];
const LOOKOUT: Colour = [24.0, 112.0, 122.0];
const WHITE: Colour = [255.0, 252.0, 240.0];
/// The colour of unseen ground, which is blended into remembered marks.
const PAPER: Colour = [201.0, 183.0, 147.0];
const DARK_PAPER: Colour = [60.0, 57.0, 69.0];
const NIGHT: Colour = [24.0, 24.0, 40.0];

/// The radius of the disc of a creature, in pixels.
pub(crate) const CREATURE_RADIUS: f32 = 10.5;
/// The radius of the disc of a question mark, in pixels.
pub(crate) const QUESTION_RADIUS: f32 = 7.5;

/// Returns `true` if a species hunts or harms people.
fn is_foe(species: &Species) -> bool {
    matches!(species.name, "wolf" | "bear" | "lion" | "tiger" | "goblin" | "ghost")
}

/// Paints a red disc in a white one, in a ring.
pub(crate) fn paint_viewer(picture: &mut Picture, at: Vec2, scale: f32) {
    paint_shadow(picture, at, at, 8.0 * scale, scale);
    for (radius, colour, alpha) in [(14.2, [60.0, 40.0, 30.0], 0.38), (13.0, DISC, 0.12)] {
        paint_ring(picture, at, radius * scale, 2.6 * scale, colour, alpha);
    }
    paint_ring(picture, at, 13.5 * scale, 1.5 * scale, WHITE, 0.9);
    paint_disc(picture, at, 7.8 * scale, WHITE, 1.0);
    paint_disc(picture, at, 5.2 * scale, VIEWER, 1.0);
}

/// Paints the silhouette of a species on a disc, or its letter without a silhouette; paler if it was seen before. The
/// ring of a foe is red.
pub(crate) fn paint_creature(picture: &mut Picture, at: Vec2, species: &Species, stale: bool, scale: f32, dark: bool) {
    let disc = if dark { dimmed(DISC) } else { DISC };
    let (ring, glyph) = if is_foe(species) { (FOE_RING, FOE_GLYPH) } else { (RING, GLYPH) };
    let paper = if dark { DARK_PAPER } else { PAPER };
    let fade = if stale { 0.5 } else { 0.0 };
    let [disc, ring, glyph] = [disc, ring, glyph].map(|colour| mix(colour, paper, fade));
    let radius = CREATURE_RADIUS * scale;
    if !stale {
        paint_shadow(picture, at, at, radius, scale);
    }
    paint_disc(picture, at, radius, ring, 1.0);
    paint_disc(picture, at, radius - 1.5 * scale, disc, 1.0);
    match silhouette::of(species) {
        Some(silhouette) => paint_silhouette(picture, at, silhouette, scale, [glyph, disc]),
        None => {
            let letter = species.glyph.encode_utf8(&mut [0; 4]).to_owned();
            paint_letters(picture, at, &letter, 14.5 * scale, glyph);
        }
    }
}

/// Paints a question mark on a disc, for unidentified creatures; paler if they were seen before. `count` is the
/// number of merged ones.
pub(crate) fn paint_question(
    picture: &mut Picture,
    at: Vec2,
    stale: bool,
    scale: f32,
    dark: bool,
    count: Option<usize>,
) {
    let paper = if dark { DARK_PAPER } else { PAPER };
    let disc = if dark { mix(QUESTION_DISC, DARK_PAPER, 0.62) } else { QUESTION_DISC };
    let (disc, alpha) = if stale { (mix(disc, paper, 0.35), 0.6) } else { (disc, 0.86) };
    let text = match count {
        Some(count) if count > 1 => format!("?{count}"),
        _ => "?".to_owned(),
    };
    let size = 12.5 * scale;
    let radius = QUESTION_RADIUS * scale;
    let text_width = lettering::width(&text, Face::Bold, size, 0.0);
    let reach = vec2((text_width * 0.5 + 4.2 * scale - radius).max(0.0), 0.0);
    let (from, to) = (at - reach, at + reach);
    if !stale {
        paint_shadow(picture, from, to, radius, 0.7 * scale);
    }
    paint_capsule(picture, from, to, radius, disc, alpha);
    paint_capsule_ring(
        picture,
        from,
        to,
        radius - 0.5 * scale,
        scale,
        mix(RING, paper, if stale { 0.3 } else { 0.0 }),
        0.55,
    );
    let letters = match (stale, dark) {
        (false, false) => RING,
        (false, true) => [236.0, 226.0, 204.0],
        (true, false) => mix(RING, disc, 0.2),
        (true, true) => NIGHT,
    };
    paint_letters(picture, at, &text, size, letters);
}

/// Paints the number of creatures on the lower right of their disc.
pub(crate) fn paint_count(picture: &mut Picture, at: Vec2, count: usize, scale: f32, dark: bool) {
    let at = at + Vec2::splat(0.72 * CREATURE_RADIUS * scale);
    let text = count.to_string();
    let size = 10.5 * scale.max(0.8);
    let reach = vec2((lettering::width(&text, Face::Bold, size, 0.0) * 0.5 - 2.5 * scale).max(0.0), 0.0);
    let disc = if dark { dimmed(DISC) } else { DISC };
    paint_capsule(picture, at - reach, at + reach, 6.2 * scale, RING, 1.0);
    paint_capsule(picture, at - reach, at + reach, 5.2 * scale, disc, 1.0);
    paint_letters(picture, at, &text, size, GLYPH);
}

/// Paints an eye on a disc.
pub(crate) fn paint_lookout(picture: &mut Picture, at: Vec2, scale: f32) {
    let radius = 8.0 * scale;
    paint_shadow(picture, at, at, radius, scale);
    paint_disc(picture, at, radius, WHITE, 1.0);
    paint_disc(picture, at, radius - 1.4 * scale, LOOKOUT, 1.0);
    let place = |x: f32, y: f32| at + vec2(x, y) * scale;
    let mut eye = Path::default();
    eye.move_to(place(-5.4, 0.0)).quad_to(place(0.0, -6.0), place(5.4, 0.0)).quad_to(place(0.0, 6.0), place(-5.4, 0.0));
    fill(picture, &eye, WHITE, 1.0);
    paint_disc(picture, at, 1.9 * scale, LOOKOUT, 1.0);
}

/// Paints a small flame in the colour of the light, with rays.
pub(crate) fn paint_lamp(picture: &mut Picture, at: Vec2, colour: Colour, scale: f32) {
    paint_shadow(picture, at, at, 4.6 * scale, scale);
    let mut rays = Path::default();
    for (x, y) in [(1.0, 0.0), (0.7, 0.7), (0.0, 1.0), (-0.7, 0.7), (-1.0, 0.0), (-0.7, -0.7), (0.0, -1.0), (0.7, -0.7)]
    {
        let (along, across) = (vec2(x, y), vec2(-y, x));
        let corner = |distance: f32, side: f32| at + (along * distance + across * side) * scale;
        rays.polygon(&[corner(5.2, -1.1), corner(5.2, 1.1), corner(8.6, 0.0)]);
    }
    fill(picture, &rays, mix(RING, colour, 0.45), 0.9);
    paint_disc(picture, at, 5.0 * scale, RING, 1.0);
    paint_disc(picture, at, 3.9 * scale, colour, 1.0);
    paint_disc(picture, at, 2.0 * scale, mix(colour, WHITE, 0.75), 1.0);
}

/// Paints a small triangle in ink with a halo.
pub(crate) fn paint_summit(picture: &mut Picture, at: Vec2, dark: bool) {
    let (ink, halo) = summit_colours(dark);
    let corners =
        |by: f32| [vec2(0.0, -4.7 - 1.6 * by), vec2(4.3 + 1.4 * by, 3.0 + by), vec2(-4.3 - 1.4 * by, 3.0 + by)];
    for (grown, colour, alpha) in [(1.0, halo.colour, halo.alpha), (0.0, ink, 1.0)] {
        let mut triangle = Path::default();
        triangle.polygon(&corners(grown).map(|corner| at + corner));
        fill(picture, &triangle, colour, alpha);
    }
}

/// Returns the ink and the halo of summits and their heights.
pub(crate) fn summit_colours(dark: bool) -> (Colour, Halo) {
    if dark {
        ([214.0, 204.0, 186.0], Halo { colour: NIGHT, alpha: 0.6, width: 1.6 })
    } else {
        ([52.0, 40.0, 32.0], Halo { colour: [255.0, 250.0, 236.0], alpha: 0.5, width: 1.6 })
    }
}

/// Paints a silhouette on a disc; holes have the colour of the disc.
pub(crate) fn paint_silhouette(
    picture: &mut Picture,
    at: Vec2,
    silhouette: &Silhouette,
    scale: f32,
    [ink, disc]: [Colour; 2],
) {
    let placement = DrawingAxes::at(at, scale);
    fill(picture, &silhouette.body.placed(&placement), ink, 1.0);
    fill(picture, &silhouette.cuts.placed(&placement), disc, 1.0);
    fill(picture, &silhouette.details.placed(&placement), ink, 1.0);
}

fn dimmed(colour: Colour) -> Colour {
    mix(colour, [120.0, 118.0, 130.0], 0.16)
}

/// Draws a text whose ink has its middle at a point.
fn paint_letters(picture: &mut Picture, at: Vec2, text: &str, size: f32, colour: Colour) {
    let lettering = Lettering::new(Face::Bold, size, colour);
    let (min, max) = lettering::bounds(at, Anchor::Middle, text, &lettering);
    let off = at - (min + max) * 0.5;
    // The baseline is on a whole pixel.
    lettering::draw(picture, at + vec2(off.x, off.y.round()), Anchor::Middle, text, &lettering);
}

fn paint_disc(picture: &mut Picture, at: Vec2, radius: f32, colour: Colour, alpha: f32) {
    paint_capsule(picture, at, at, radius, colour, alpha);
}

fn paint_ring(picture: &mut Picture, at: Vec2, radius: f32, width: f32, colour: Colour, alpha: f32) {
    paint_capsule_ring(picture, at, at, radius, width, colour, alpha);
}

/// Fills the points closer than `radius` to a line.
fn paint_capsule(picture: &mut Picture, from: Vec2, to: Vec2, radius: f32, colour: Colour, alpha: f32) {
    paint_around(picture, from, to, radius + 1.0, colour, |distance| alpha * (radius + 0.5 - distance).clamp(0.0, 1.0));
}

/// Draws the outline of a capsule, `radius` from its line.
fn paint_capsule_ring(
    picture: &mut Picture,
    from: Vec2,
    to: Vec2,
    radius: f32,
    width: f32,
    colour: Colour,
    alpha: f32,
) {
    paint_around(picture, from, to, radius + width * 0.5 + 1.0, colour, |distance| {
        alpha * (width * 0.5 + 0.5 - (distance - radius).abs()).clamp(0.0, 1.0) * width.min(1.0)
    });
}

/// Darkens the ground around a disc or a capsule, to the south-east.
fn paint_shadow(picture: &mut Picture, from: Vec2, to: Vec2, radius: f32, scale: f32) {
    const STRENGTH: f32 = 0.42;
    let off = vec2(1.0, 1.7) * scale;
    let (inner, outer) = (radius - 1.0 * scale, radius + 2.8 * scale);
    paint_around(picture, from + off, to + off, outer + 1.0, SHADOW, |distance| {
        let share = ((outer - distance) / (outer - inner)).clamp(0.0, 1.0);
        STRENGTH * share * share * (3.0 - 2.0 * share)
    });
}

/// Blends a colour by the distance of each pixel from a line.
fn paint_around(picture: &mut Picture, from: Vec2, to: Vec2, reach: f32, colour: Colour, share: impl Fn(f32) -> f32) {
    let around = PixelBounds::around(from.min(to) - reach, from.max(to) + reach);
    let is_drawable = from.is_finite() && to.is_finite() && reach.is_finite();
    let Some(part) = around.intersection(PixelBounds::of(picture)).filter(|_| is_drawable) else { return };
    for y in part.min.y..part.max.y {
        for x in part.min.x..part.max.x {
            let distance = distance_to_segment(vec2(x as f32, y as f32) + 0.5, from, to);
            picture.blend(x, y, colour, share(distance));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUND: Colour = [120.0, 150.0, 100.0];

    fn painted(paint: impl Fn(&mut Picture, Vec2)) -> Picture {
        let mut picture = Picture::new(60, 60, GROUND);
        paint(&mut picture, vec2(30.0, 30.0));
        picture
    }

    fn creature(species: &Species, stale: bool, scale: f32) -> Picture {
        painted(|picture, at| paint_creature(picture, at, species, stale, scale, false))
    }

    fn species(name: &str) -> &'static Species {
        Species::named(name).unwrap()
    }

    #[test]
    fn creatures_of_all_species_look_different() {
        let all = Species::all();
        let pictures: Vec<Picture> = all.iter().map(|species| creature(species, false, 1.0)).collect();
        for (i, first) in pictures.iter().enumerate() {
            for (j, second) in pictures.iter().enumerate().skip(i + 1) {
                let bytes = first.rgba().iter().zip(second.rgba());
                let different = bytes.filter(|(first, second)| first.abs_diff(**second) > 100).count() / 3;
                assert!(different > 25, "{} and {}: {different} pixels", all[i].name, all[j].name);
            }
        }
    }

    #[test]
    fn silhouettes_stay_inside_their_discs() {
        for species in Species::all() {
            let silhouette = silhouette::of(species).unwrap();
            let mut picture = Picture::new(60, 60, GROUND);
            paint_silhouette(&mut picture, vec2(30.0, 30.0), silhouette, 2.0, [[0.0; 3], [255.0; 3]]);
            let mut ink = 0;
            for (x, y) in (0..60).flat_map(|y| (0..60).map(move |x| (x, y))) {
                if picture.get(x, y) != Some(GROUND.map(|channel| channel as u8)) {
                    ink += 1;
                    let radius = vec2(x as f32 - 29.5, y as f32 - 29.5).length();
                    assert!(radius < 2.0 * (CREATURE_RADIUS - 1.5) + 0.5, "{} at ({x}, {y})", species.name);
                }
            }
            assert!(ink > 200, "{}: {ink}", species.name);
        }
    }

    #[test]
    fn species_of_other_glyphs_show_their_letter() {
        let deer = species("deer");
        let own = Species::new("deer", 'X');
        assert!(silhouette::of(&own).is_none());
        assert_ne!(creature(&own, false, 1.0), creature(deer, false, 1.0));
        assert_ne!(creature(&own, false, 1.0), creature(&Species::new("deer", 'Y'), false, 1.0));
        assert_eq!(creature(&own, false, 1.0), creature(&Species::new("guard", 'X'), false, 1.0));
    }

    #[test]
    fn foes_have_red_rings() {
        assert!(is_foe(species("wolf")) && !is_foe(species("deer")) && !is_foe(&Species::new("guard", 'A')));
        let ring = |name, stale| creature(species(name), stale, 1.0).get(20, 30).unwrap();
        let (friend, foe) = (ring("deer", false), ring("wolf", false));
        assert!(foe[0] > 140 && foe[1] < 100 && friend[0] < 110, "{friend:?} {foe:?}");
        let remembered = ring("wolf", true);
        assert!(remembered[1] > foe[1] + 30, "paler: {remembered:?} {foe:?}");
    }

    #[test]
    fn questions_tell_their_number_and_age() {
        let question = |stale, count| painted(|picture, at| paint_question(picture, at, stale, 1.0, false, count));
        let width = |picture: &Picture| {
            let ground = Some(GROUND.map(|channel| channel as u8));
            (0..60).filter(|&x| picture.get(x, 30) != ground).count()
        };
        let single = question(false, None);
        assert_eq!(question(false, Some(1)), single);
        assert!(width(&question(false, Some(3))) > width(&single) + 4);
        assert!(width(&question(false, Some(12))) > width(&question(false, Some(3))) + 4);
        assert_ne!(question(true, None), single);
    }

    #[test]
    fn shadows_fall_to_the_south_east() {
        let picture = painted(|picture, at| paint_viewer(picture, at, 1.0));
        let green = |x: usize, y: usize| picture.get(x, y).unwrap()[1];
        assert!(green(35, 37) < green(24, 22), "{} {}", green(35, 37), green(24, 22));
        assert_eq!(picture.get(30, 30), Some(VIEWER.map(|channel| channel as u8)));
    }

    #[test]
    fn marks_off_the_picture_paint_nothing() {
        let mut picture = Picture::new(60, 60, GROUND);
        for at in [vec2(-400.0, 3.0), vec2(1e30, 1e30), vec2(f32::NAN, 0.0), vec2(0.0, f32::INFINITY)] {
            paint_viewer(&mut picture, at, 1.0);
            paint_creature(&mut picture, at, species("deer"), true, 1.0, true);
            paint_creature(&mut picture, at, &Species::new("guard", 'A'), true, 1.0, true);
            paint_question(&mut picture, at, true, 1.0, true, Some(usize::MAX));
            paint_lookout(&mut picture, at, 1.0);
            paint_lamp(&mut picture, at, VIEWER, 1.0);
            paint_summit(&mut picture, at, true);
        }
        assert_eq!(picture, Picture::new(60, 60, GROUND));
    }
}

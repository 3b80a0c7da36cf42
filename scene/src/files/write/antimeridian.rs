//! [`cut_at_antimeridian`]: polygons in longitude and latitude that do not cross the antimeridian.
//!
//! # References
//! RFC 7946, *The GeoJSON Format*, clause 3.1.9: longitudes are from −180 to 180, and a polygon across the antimeridian is cut in two.

use glam::{DVec2, dvec2};

/// An outer ring, counterclockwise, and holes, clockwise. The last point of a ring is not the first again.
type Polygon = Vec<Vec<DVec2>>;

/// Returns the polygons into which the antimeridian cuts a polygon in degrees. `jumps` is `true` if longitudes are from −180 to 180, so
/// that lines are the short way from point to point; without it they follow each other beyond.
pub(super) fn cut_at_antimeridian(rings: &[Vec<DVec2>], jumps: bool) -> Vec<Polygon> {
    let Some((outer, holes)) = rings.split_first() else { return Vec::new() };
    let unwrapped = |ring: &[DVec2]| if jumps { unwrapped(ring) } else { ring.to_vec() };
    let outer = unwrapped(outer);
    let [west, east] = extent(&outer);
    let middle = 0.5 * (west + east);
    let mut polygon = vec![outer];
    polygon.extend(holes.iter().map(|hole| {
        let hole = unwrapped(hole);
        let [hole_west, hole_east] = extent(&hole);
        let turns = ((middle - 0.5 * (hole_west + hole_east)) / 360.0).round();
        moved(&hole, 360.0 * turns)
    }));
    let turns = -((middle + 180.0) / 360.0).floor();
    let polygon: Polygon = polygon.iter().map(|ring| moved(ring, 360.0 * turns)).collect();
    let [west, east] = extent(&polygon[0]);
    match (west < -180.0, east > 180.0) {
        (false, false) => vec![polygon],
        (true, false) => both_sides(&polygon, -180.0, 360.0, 0.0),
        (false, true) => both_sides(&polygon, 180.0, 0.0, -360.0),
        (true, true) => {
            let parts = one_side(&polygon, -180.0, false);
            let inner = parts.iter().flat_map(|part| both_sides(part, 180.0, 0.0, -360.0));
            let outer = one_side(&polygon, -180.0, true);
            inner.chain(outer.iter().map(|part| part.iter().map(|ring| moved(ring, 360.0)).collect())).collect()
        }
    }
}

fn both_sides(polygon: &Polygon, meridian: f64, move_west: f64, move_east: f64) -> Vec<Polygon> {
    let sides = [(true, move_west), (false, move_east)];
    let parts = sides.into_iter().flat_map(|(is_west, by)| {
        let parts = one_side(polygon, meridian, is_west);
        parts.into_iter().map(move |part| part.iter().map(|ring| moved(ring, by)).collect())
    });
    parts.collect()
}

/// Returns a ring whose longitudes follow each other without a jump. A ring around a pole goes on along its meridian to the pole and
/// back.
fn unwrapped(ring: &[DVec2]) -> Vec<DVec2> {
    let mut out: Vec<DVec2> = Vec::with_capacity(ring.len());
    let near = |last: DVec2, next: DVec2| dvec2(next.x + 360.0 * ((last.x - next.x) / 360.0).round(), next.y);
    for &point in ring {
        out.push(out.last().map_or(point, |last| near(*last, point)));
    }
    let (Some(&first), Some(&last)) = (out.first(), out.last()) else { return out };
    let end = near(last, first);
    if (end.x - first.x).abs() > 180.0 {
        let pole = 90.0_f64.copysign(out.iter().map(|point| point.y).sum::<f64>());
        out.extend([end, dvec2(end.x, pole), dvec2(first.x, pole)]);
    }
    out
}

fn moved(ring: &[DVec2], by: f64) -> Vec<DVec2> {
    ring.iter().map(|point| dvec2(point.x + by, point.y)).collect()
}

fn extent(ring: &[DVec2]) -> [f64; 2] {
    let longitudes = || ring.iter().map(|point| point.x);
    [longitudes().fold(f64::INFINITY, f64::min), longitudes().fold(f64::NEG_INFINITY, f64::max)]
}

/// A part of a ring on one side of a meridian, from one crossing to another.
struct Chain {
    points: Vec<DVec2>,
    is_joined: bool,
}

/// Returns the part of a polygon on one side of a meridian. Between its crossings with the meridian, from south to north, the
/// meridian is inside and outside of the polygon by turns: there the chains between crossings are joined.
fn one_side(polygon: &Polygon, meridian: f64, is_west: bool) -> Vec<Polygon> {
    let is_in = |point: DVec2| (point.x < meridian) == is_west;
    let (mut chains, mut whole) = (Vec::new(), Vec::new());
    for ring in polygon {
        let next = |i: usize| ring[(i + 1) % ring.len()];
        let Some(start) = (0..ring.len()).find(|i| !is_in(ring[*i]) && is_in(next(*i))) else {
            whole.extend(ring.first().filter(|first| is_in(**first)).map(|_| ring.clone()));
            continue;
        };
        for i in (start..start + ring.len()).map(|i| i % ring.len()) {
            let (from, to) = (ring[i], next(i));
            let crossing = || {
                let share = (meridian - from.x) / (to.x - from.x);
                // Rounded as positions are.
                dvec2(meridian, ((from.y + share * (to.y - from.y)) * 1e8).round() / 1e8)
            };
            match (is_in(from), is_in(to)) {
                (false, true) => chains.push(Chain { points: vec![crossing(), to], is_joined: false }),
                (true, true) => chains.last_mut().expect("a chain begins outside").points.push(to),
                (true, false) => chains.last_mut().expect("a chain begins outside").points.push(crossing()),
                (false, false) => {}
            }
        }
    }
    let mut rings = joined(chains);
    // Rings that the meridian does not cross are outer rings, or holes in one of those.
    let (outer, holes): (Vec<_>, Vec<_>) = whole.into_iter().partition(|ring| signed_area(ring) > 0.0);
    rings.extend(outer);
    let mut parts: Vec<Polygon> = rings.into_iter().map(|ring| vec![ring]).collect();
    for hole in holes {
        if let Some(part) = parts.iter_mut().find(|part| contains(&part[0], hole[0])) {
            part.push(hole);
        }
    }
    parts
}

/// Joins chains along the meridian to rings.
fn joined(mut chains: Vec<Chain>) -> Vec<Vec<DVec2>> {
    let last = |chain: &Chain| chain.points[chain.points.len() - 1].y;
    let ends = chains.iter().enumerate().flat_map(|(i, chain)| [(chain.points[0].y, i, true), (last(chain), i, false)]);
    let mut ends: Vec<(f64, usize, bool)> = ends.collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    // The end of each chain leads to the start that is its neighbour on the meridian.
    let mut next = vec![0; chains.len()];
    for pair in ends.chunks_exact(2) {
        match (pair[0].2, pair[1].2) {
            (false, true) => next[pair[0].1] = pair[1].1,
            (true, false) => next[pair[1].1] = pair[0].1,
            _ => return Vec::new(), // a ring that crosses itself
        }
    }
    let mut rings = Vec::new();
    for first in 0..chains.len() {
        let (mut ring, mut at) = (Vec::new(), first);
        while !std::mem::replace(&mut chains[at].is_joined, true) {
            ring.append(&mut chains[at].points);
            at = next[at];
        }
        ring.dedup();
        if ring.len() > 2 && signed_area(&ring) != 0.0 {
            rings.push(ring);
        }
    }
    rings
}

fn signed_area(ring: &[DVec2]) -> f64 {
    ring.iter().zip(ring.iter().cycle().skip(1)).map(|(a, b)| a.perp_dot(*b)).sum()
}

fn contains(ring: &[DVec2], point: DVec2) -> bool {
    let sides = ring.iter().zip(ring.iter().cycle().skip(1));
    let crosses = |(a, b): &(&DVec2, &DVec2)| {
        (a.y > point.y) != (b.y > point.y) && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
    };
    sides.filter(crosses).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(points: &[(f64, f64)]) -> Vec<DVec2> {
        points.iter().map(|(x, y)| dvec2(*x, *y)).collect()
    }

    fn square(west: f64, south: f64, side: f64) -> Vec<DVec2> {
        let (east, north) = (west + side, south + side);
        ring(&[(west, south), (east, south), (east, north), (west, north)])
    }

    fn area(polygons: &[Polygon]) -> f64 {
        polygons.iter().flatten().map(|ring| 0.5 * signed_area(ring)).sum()
    }

    fn are_valid(polygons: &[Polygon]) -> bool {
        let points = polygons.iter().flatten().flatten();
        points.clone().all(|point| (-180.0..=180.0).contains(&point.x))
            && polygons.iter().all(|part| signed_area(&part[0]) > 0.0)
            && polygons.iter().all(|part| part[1..].iter().all(|hole| signed_area(hole) < 0.0))
    }

    #[test]
    fn polygons_are_cut_in_two() {
        for (west, parts) in [(10.0, 1), (178.0, 1), (179.0, 2), (180.0, 1), (181.0, 1), (-181.0, 2), (-180.0, 1)] {
            let cut = cut_at_antimeridian(&[square(west, 10.0, 2.0)], false);
            assert_eq!((cut.len(), area(&cut)), (parts, 4.0), "{west}: {cut:?}");
            assert!(are_valid(&cut), "{west}: {cut:?}");
        }
        // All longitudes, and all of a raster from 0 to 360.
        for (west, parts) in [(-180.0, 1), (0.0, 2)] {
            let cut = cut_at_antimeridian(
                &[square(west, -90.0, 360.0).iter().map(|p| p.min(dvec2(360.0, 90.0))).collect()],
                false,
            );
            assert_eq!((cut.len(), area(&cut)), (parts, 360.0 * 180.0), "{west}: {cut:?}");
            assert!(are_valid(&cut), "{west}: {cut:?}");
        }
        // The longitudes of a raster in another reference system jump.
        let cut = cut_at_antimeridian(&[ring(&[(179.0, 0.0), (-179.0, 0.0), (-179.0, 2.0), (179.0, 2.0)])], true);
        assert_eq!((cut.len(), area(&cut)), (2, 4.0), "{cut:?}");
        assert!(are_valid(&cut));
    }

    #[test]
    fn holes_and_bays_are_cut_too() {
        let hole = |west: f64| square(west, 11.0, 1.0).into_iter().rev().collect::<Vec<_>>();
        // Before, across and behind the antimeridian.
        for (west, parts, rings) in [(177.0, 2, 3), (179.5, 2, 2), (182.0, 2, 3)] {
            let cut = cut_at_antimeridian(&[square(176.0, 10.0, 8.0), hole(west)], false);
            assert_eq!((cut.len(), cut.iter().map(Vec::len).sum::<usize>()), (parts, rings), "{west}: {cut:?}");
            assert!((area(&cut) - 63.0).abs() < 1e-9 && are_valid(&cut), "{west}: {cut:?}");
        }
        // A comb with two teeth across it.
        let comb = ring(&[
            (178.0, 0.0),
            (182.0, 0.0),
            (182.0, 1.0),
            (179.0, 1.0),
            (179.0, 2.0),
            (182.0, 2.0),
            (182.0, 3.0),
            (178.0, 3.0),
        ]);
        let cut = cut_at_antimeridian(&[comb], false);
        assert_eq!((cut.len(), area(&cut)), (3, 9.0), "{cut:?}");
        assert!(are_valid(&cut));
    }

    #[test]
    fn rings_around_a_pole_reach_it() {
        let around: Vec<_> = (0..36).map(|i| dvec2(f64::from(i) * 10.0 - 175.0, 80.0)).collect();
        let cut = cut_at_antimeridian(&[around], true);
        assert!((area(&cut) - 3600.0).abs() < 1e-6 && are_valid(&cut), "{cut:?}");
        // The south pole, and through any longitudes.
        let around: Vec<_> = (0..36).map(|i| dvec2((740.0 - f64::from(i) * 10.0) % 360.0, -80.0)).collect();
        let cut = cut_at_antimeridian(&[around], true);
        assert!((area(&cut) - 3600.0).abs() < 1e-6 && are_valid(&cut), "{cut:?}");
    }
}

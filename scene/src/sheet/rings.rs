//! Rings of equal distance from the nearest of several points.

use glam::{DVec2, dvec2};

/// The steps around a circle.
const STEPS: u32 = 720;

/// Returns the lines at a distance from the nearest of some points, in metres to the right and downwards: the parts of circles that
/// are not within other circles, and inside of a rectangle.
pub(super) fn rings(points: &[DVec2], radius_m: f64, [min, max]: [DVec2; 2]) -> Vec<Vec<DVec2>> {
    let mut lines = Vec::new();
    for (i, centre) in points.iter().enumerate() {
        if points[..i].contains(centre) {
            continue; // the circle is there already
        }
        let is_outer = |at: DVec2| {
            let mut others = points.iter().filter(|other| *other != centre);
            others.all(|other| other.distance(at) >= radius_m * (1.0 - 1e-9))
        };
        let is_drawn = |at: DVec2| at.cmpge(min).all() && at.cmple(max).all() && is_outer(at);
        let at = |step: f64| {
            let angle = step / f64::from(STEPS) * std::f64::consts::TAU;
            *centre + dvec2(libm::sin(angle), -libm::cos(angle)) * radius_m
        };
        let mut line = Vec::new();
        for step in 0..=STEPS {
            let step = f64::from(step);
            match (is_drawn(at(step)), line.is_empty()) {
                (true, true) if step > 0.0 => line.extend([at(border(at, step, step - 1.0, is_drawn)), at(step)]),
                (true, _) => line.push(at(step)),
                (false, true) => {}
                (false, false) => {
                    line.push(at(border(at, step - 1.0, step, is_drawn)));
                    lines.push(std::mem::take(&mut line));
                }
            }
        }
        lines.extend((line.len() > 1).then_some(line));
    }
    lines
}

/// Returns the last step between one inside and one outside that is inside.
fn border(at: impl Fn(f64) -> DVec2, mut inside: f64, mut outside: f64, is_drawn: impl Fn(DVec2) -> bool) -> f64 {
    for _ in 0..30 {
        let middle = (inside + outside) / 2.0;
        if is_drawn(at(middle)) {
            inside = middle;
        } else {
            outside = middle;
        };
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [DVec2; 2] = [DVec2::splat(-1e6), DVec2::splat(1e6)];

    fn length_m(lines: &[Vec<DVec2>]) -> f64 {
        lines.iter().flat_map(|line| line.windows(2)).map(|ends| ends[0].distance(ends[1])).sum()
    }

    #[test]
    fn a_ring_has_its_distance_from_the_nearest_point() {
        let points = [dvec2(0.0, 0.0), dvec2(1000.0, 0.0), dvec2(0.0, 0.0)];
        let lines = rings(&points, 1000.0, ALL);
        for at in lines.iter().flatten() {
            let nearest = points.iter().map(|point| point.distance(*at)).fold(f64::INFINITY, f64::min);
            assert!((nearest - 1000.0).abs() < 1e-3, "{at}: {nearest}");
        }
        // Each circle has a third of its length, 120°, within the other one.
        let circle_m = 2000.0 * std::f64::consts::PI;
        assert!((length_m(&lines) - 2.0 * circle_m * 2.0 / 3.0).abs() < 1.0, "{}", length_m(&lines));
    }

    #[test]
    fn a_ring_ends_at_the_frame() {
        let half = rings(&[DVec2::ZERO], 100.0, [dvec2(-1e3, 0.0), dvec2(1e3, 1e3)]);
        assert!((length_m(&half) - 100.0 * std::f64::consts::PI).abs() < 0.01, "{}", length_m(&half));
        assert!(half.iter().flatten().all(|at| at.y >= 0.0));
        assert!(rings(&[dvec2(5e3, 5e3)], 100.0, [DVec2::ZERO, DVec2::splat(1e3)]).is_empty());
    }
}

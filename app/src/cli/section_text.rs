//! [`section_text`]: a section between viewer and target in plain characters.

use farsight_scene::explain::{Section, SectionHeights, SectionPoint};

const COLUMNS: usize = 72;
const LINES: usize = 10;

/// Draws the ground between viewer and target, the vegetation, the line of sight and the remaining view. Without heights
/// it draws opacities in the characters of a text map.
pub(crate) fn section_text(section: &Section, has_heights: bool) -> String {
    let columns = columns(section);
    let tenths = |value: f32, full: char| match (value * 10.0).round() as u32 {
        0 => '.',
        tenths @ 1..10 => char::from_digit(tenths, 10).unwrap_or(full),
        _ => full,
    };
    let line =
        |character: &dyn Fn(&SectionPoint) -> char| columns.iter().map(|point| character(point)).collect::<String>();
    let left = line(&|point| tenths(point.left, '*'));
    match section.span_m() {
        Some([low, high]) if has_heights => {
            let mut text = profile(&columns, low, high);
            text += &format!("{:>8} {left}\n", "seen");
            text + "\n@ eye   X target   # ground   ^ vegetation   . straight line   seen: in tenths, * is in full\n"
        }
        _ => {
            let mut opacity: Vec<char> = line(&|point| tenths(point.opacity, '#')).chars().collect();
            if let [first, .., last] = &mut opacity[..] {
                (*first, *last) = ('@', 'X');
            }
            let opacity: String = opacity.into_iter().collect();
            let key = "@ eye   X target   # wall   1-9 tenths   seen: in tenths, * is in full";
            format!("{:>8} {opacity}\n{:>8} {left}\n\n{key}\n", "opacity", "seen")
        }
    }
}

/// Returns the point of each column. Short sections repeat points, long ones skip some; the last is always the target.
fn columns(section: &Section) -> Vec<&SectionPoint> {
    let count = section.points.len();
    if count <= COLUMNS {
        let width = COLUMNS / count.max(1);
        return section.points.iter().flat_map(|point| std::iter::repeat_n(point, width)).collect();
    }
    (0..COLUMNS).map(|column| &section.points[column * (count - 1) / (COLUMNS - 1)]).collect()
}

/// Draws the heights, with the heights of the first and the last line as labels.
fn profile(columns: &[&SectionPoint], low: f32, high: f32) -> String {
    let step = (high - low).max(1.0) / (LINES - 1) as f32;
    let level = |height: f32| ((height - low) / step).round() as usize;
    let mut text = String::new();
    for line in (0..LINES).rev() {
        let label = match line {
            0 => format!("{low:.0} m"),
            line if line == LINES - 1 => format!("{:.0} m", low + step * (LINES - 1) as f32),
            _ => String::new(),
        };
        let drawn = columns.iter().enumerate().map(|(column, point)| {
            let Some(SectionHeights { ground, canopy, line: sight }) = point.heights else { return ' ' };
            match line {
                _ if column == 0 && line == level(sight) => '@',
                _ if column + 1 == columns.len() && line == level(sight) => 'X',
                _ if line <= level(ground) && (level(sight) != line || sight < ground) => '#',
                _ if line == level(sight) => '.',
                _ if line <= level(canopy) && canopy - ground > 1.0 => '^',
                _ => ' ',
            }
        });
        text += format!("{label:>8} {}", drawn.collect::<String>()).trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::ivec2;

    fn point(x: i32, opacity: f32, left: f32, heights: Option<SectionHeights>) -> SectionPoint {
        SectionPoint { cell: ivec2(x, 0), distance: f64::from(x), opacity, left, heights }
    }

    #[test]
    fn hills_and_woods_are_drawn_in_profile() {
        let heights = |x: i32| {
            let ground = if (40..60).contains(&x) { 90.0 } else { 0.0 };
            let canopy = if (10..30).contains(&x) { 20.0 } else { ground };
            SectionHeights { ground, canopy, line: 10.0 }
        };
        let points = (0..100).map(|x| point(x, 0.0, 1.0, Some(heights(x))));
        let drawn = section_text(&Section { points: points.collect() }, true);
        let lines: Vec<&str> = drawn.lines().collect();
        assert!(lines[0].starts_with("    90 m ") && lines[0].ends_with("###") && lines[9].starts_with("     0 m ###"));
        assert!(lines[8].contains("@......") && lines[8].contains(".####") && lines[8].ends_with(".X"), "{drawn}");
        assert!(lines[7].contains("^^^^"), "{drawn}");
        assert_eq!(columns(&Section { points: (0..500).map(|x| point(x, 0.0, 1.0, None)).collect() })[71].cell.x, 499);
    }
}

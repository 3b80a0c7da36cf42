//! [`points_on_shapes`]: lines and areas of GeoJSON as points at a spacing; [`Areas`]: areas with heights, such as houses.

use glam::{DVec2, IVec2, dvec2, ivec2};
use serde_json::{Value, json};

use super::error::ObserverError;
use super::found_points::{PointKey, PointKind};
use super::read_points::{FoundPoints, ObserverFormat, ObserverNote, read_points};
use crate::files::Georeference;
use farsight::grid::{CellRect, Grid};

/// The maximum number of points on the shapes of a file.
const MAX_POINTS: usize = 100_000;

/// The metres of a degree of latitude, and of one of longitude on the equator.
const DEGREE_M: [f64; 2] = [111_320.0, 110_574.0];

/// Returns the features of GeoJSON with the points on its lines and areas: each line from its start at a spacing in metres, to its end;
/// the edges of areas likewise, and points within them on a square grid. Points are kept. A spacing along degrees is that on a sphere.
///
/// ```
/// use farsight_scene::cumulative::points_on_shapes;
/// let road = r#"{"type": "Feature", "properties": {"name": "road"}, "geometry":
///     {"type": "LineString", "coordinates": [[600000, 5200000], [600100, 5200000]]}}"#;
/// let points = points_on_shapes(road, 40.0)?;
/// assert!(points.contains("[[600000.0,5200000.0],[600040.0,5200000.0],[600080.0,5200000.0],[600100.0,5200000.0]]"));
/// # Ok::<(), farsight_scene::cumulative::ObserverError>(())
/// ```
///
/// # Errors
/// [`ObserverError`] for text that is no GeoJSON, for coordinates that are no numbers, and for more than 100,000 points.
pub fn points_on_shapes(text: &str, spacing_m: f64) -> Result<String, ObserverError> {
    let mut root = parse(text)?;
    let mut count = 0;
    for_each_feature(&mut root, |number, feature| {
        let Some(Shape { rings, is_area }) = rings_of(number, feature)? else { return Ok(()) };
        let metres = metres_of_unit(&rings);
        let mut points: Vec<DVec2> = rings.iter().flat_map(|ring| along(ring, is_area, metres, spacing_m)).collect();
        if is_area {
            points.extend(within(&rings, metres, spacing_m)?);
        }
        count += points.len();
        if count > MAX_POINTS {
            let spacing = format!("a spacing of {spacing_m} m gives more than {MAX_POINTS} points");
            return Err(ObserverError::Syntax(format!("feature {number}: {spacing}; expected a wider one")));
        }
        let coordinates: Vec<[f64; 2]> = points.into_iter().map(|at| at.to_array()).collect();
        feature["geometry"] = json!({"type": "MultiPoint", "coordinates": coordinates});
        Ok(())
    })?;
    Ok(root.to_string())
}

/// An area with a height, in cells: 0,0 is the centre of cell 0,0.
#[derive(Clone, Debug, PartialEq)]
struct Area {
    height_m: f64,
    /// Outer rings and holes: a point is inside if it is inside an odd number of them.
    rings: Vec<Vec<DVec2>>,
}

/// Areas with heights over the ground on a raster.
#[derive(Clone, Debug, PartialEq)]
pub struct Areas {
    areas: Vec<Area>,
    /// The number of areas without a cell of the raster.
    pub outside: usize,
    /// Notes on the file.
    pub notes: Vec<ObserverNote>,
}

/// The height of an area.
#[derive(Clone, Copy)]
struct AreaHeight {
    height_m: f64,
}

const AREA_KEYS: [PointKey<AreaHeight>; 1] =
    [PointKey { name: "height_m", range: 0.0..=1000.0, unit: "m", field: |area| &mut area.height_m }];

impl Areas {
    /// Reads the polygons of GeoJSON with their property `height_m`, and converts them to the raster of a georeference with
    /// `size` cells.
    ///
    /// # Errors
    /// [`ObserverError`] for the first feature that is no polygon or has no height, and for a file without polygons.
    pub fn read(text: &str, georeference: &Georeference, size: IVec2) -> Result<Self, ObserverError> {
        let mut root = parse(text)?;
        let mut lengths: Vec<Vec<usize>> = Vec::new();
        for_each_feature(&mut root, |number, feature| {
            let label = format!("area {number}");
            let kind = feature["geometry"]["type"].as_str().unwrap_or("feature without geometry").to_owned();
            let Some(Shape { rings, is_area: true }) = rings_of(number, feature)? else {
                return Err(ObserverError::NotAnArea { area: label, kind });
            };
            if feature["properties"]["height_m"].is_null() {
                let expected = "the height over the ground in metres".to_owned();
                return Err(ObserverError::Value {
                    observer: label,
                    key: "height_m",
                    found: "missing".into(),
                    expected,
                });
            }
            lengths.push(rings.iter().map(Vec::len).collect());
            let corners: Vec<[f64; 2]> = rings.iter().flatten().map(|at| at.to_array()).collect();
            feature["geometry"] = json!({"type": "MultiPoint", "coordinates": corners});
            Ok(())
        })?;
        // As points, whose positions are converted together.
        let kind = PointKind { noun: "area", keys: &AREA_KEYS, default: AreaHeight { height_m: 0.0 } };
        let text = root.to_string();
        let FoundPoints { points, notes } = read_points(&text, ObserverFormat::GeoJson, Some(georeference), &kind)?;
        let Georeference { corner: [west, north], cell: [width, height], .. } = *georeference;
        let in_cells = |position: DVec2| {
            let position = georeference.wrapped(position, size);
            dvec2((position.x - west) / width, (north - position.y) / height) - 0.5
        };
        let mut points = points.iter();
        let (mut areas, mut outside) = (Vec::new(), 0);
        for lengths in lengths {
            let mut height_m = 0.0;
            let mut ring = |length: usize| {
                let corners = points.by_ref().take(length);
                corners
                    .inspect(|point| height_m = point.values.height_m)
                    .map(|point| in_cells(point.position))
                    .collect()
            };
            let rings: Vec<Vec<DVec2>> = lengths.into_iter().map(&mut ring).collect();
            let area = Area { height_m, rings };
            match area.bounds().intersect(CellRect::of_size(size)).size().min_element() > 0 {
                true => areas.push(area),
                false => outside += 1,
            }
        }
        Ok(Self { areas, outside, notes })
    }

    /// Returns the heights over the ground of some cells, the highest of each: of the areas with its centre, and of those that are
    /// smaller than a cell. 0 without an area.
    pub fn heights_m(&self, cells: CellRect) -> Grid<f32> {
        let mut heights = Grid::new(cells.width(), cells.height(), 0.0f32);
        for area in &self.areas {
            let rows = area.bounds().intersect(cells);
            let mut is_found = false;
            for y in rows.min.y..rows.max.y {
                let crossings = crossings(&area.rings, f64::from(y));
                for pair in crossings.as_chunks::<2>().0 {
                    let [first, last] = [pair[0].ceil(), pair[1].ceil() - 1.0].map(|x| x as i32);
                    for x in first.max(cells.min.x)..=last.min(cells.max.x - 1) {
                        let height = &mut heights[ivec2(x, y) - cells.min];
                        *height = height.max(area.height_m as f32);
                    }
                    is_found |= first <= last;
                }
            }
            let middle = area.middle().round().as_ivec2();
            if !is_found && area.is_small() && cells.contains(middle) {
                let height = &mut heights[middle - cells.min];
                *height = height.max(area.height_m as f32);
            }
        }
        heights
    }
}

impl Area {
    fn corners(&self) -> impl Iterator<Item = DVec2> {
        self.rings.iter().flatten().copied()
    }

    /// Returns the cells that touch the area.
    fn bounds(&self) -> CellRect {
        let low = self.corners().fold(DVec2::INFINITY, DVec2::min).round();
        let high = self.corners().fold(DVec2::NEG_INFINITY, DVec2::max).round();
        CellRect { min: low.as_ivec2(), max: high.as_ivec2().saturating_add(IVec2::ONE) }
    }

    fn middle(&self) -> DVec2 {
        self.corners().sum::<DVec2>() / self.corners().count().max(1) as f64
    }

    /// Returns `true` for an area that may be between the centres of all cells.
    fn is_small(&self) -> bool {
        self.bounds().size().min_element() <= 2
    }
}

/// Returns where a horizontal line enters and leaves rings, ascending: an even number of positions.
fn crossings(rings: &[Vec<DVec2>], y: f64) -> Vec<f64> {
    let mut found = Vec::new();
    for ring in rings {
        for (i, &from) in ring.iter().enumerate() {
            let to = ring[(i + 1) % ring.len()];
            if (from.y <= y) != (to.y <= y) {
                found.push(from.x + (to.x - from.x) * (y - from.y) / (to.y - from.y));
            }
        }
    }
    found.sort_by(f64::total_cmp);
    found
}

fn parse(text: &str) -> Result<Value, ObserverError> {
    serde_json::from_str(text.trim_start_matches('\u{FEFF}')).map_err(|error| ObserverError::Syntax(error.to_string()))
}

/// Calls `change` with every feature and its number, from 1.
fn for_each_feature(
    root: &mut Value,
    mut change: impl FnMut(usize, &mut Value) -> Result<(), ObserverError>,
) -> Result<(), ObserverError> {
    match root.get("type").and_then(Value::as_str) {
        Some("Feature") => change(1, root),
        Some("FeatureCollection") => {
            let features = root.get_mut("features").and_then(Value::as_array_mut);
            let expected = || ObserverError::Syntax("expected a FeatureCollection with features".to_owned());
            let features = features.ok_or_else(expected)?;
            features.iter_mut().enumerate().try_for_each(|(i, feature)| change(i + 1, feature))
        }
        _ => Err(ObserverError::Syntax("expected a FeatureCollection".to_owned())),
    }
}

/// The lines of a feature, or the rings of its areas.
struct Shape {
    rings: Vec<Vec<DVec2>>,
    is_area: bool,
}

/// Returns the lines or areas of a feature; `None` for other geometries.
fn rings_of(number: usize, feature: &Value) -> Result<Option<Shape>, ObserverError> {
    let geometry = &feature["geometry"];
    let coordinates = &geometry["coordinates"];
    let lists = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let (lines, is_area) = match geometry["type"].as_str() {
        Some("LineString") => (vec![coordinates.clone()], false),
        Some("MultiLineString") => (lists(coordinates), false),
        Some("Polygon") => (lists(coordinates), true),
        Some("MultiPolygon") => (lists(coordinates).iter().flat_map(lists).collect(), true),
        _ => return Ok(None),
    };
    let position = |value: &Value| {
        let part = |i: usize| value.get(i).and_then(Value::as_f64);
        part(0).zip(part(1)).map(|(x, y)| dvec2(x, y)).ok_or_else(|| {
            let expected = "numbers".to_owned();
            let (observer, found) = (format!("feature {number}"), value.to_string());
            ObserverError::Value { observer, key: "coordinates", found, expected }
        })
    };
    let line = |line: &Value| {
        let mut corners = lists(line).iter().map(position).collect::<Result<Vec<_>, _>>()?;
        // A ring is closed: its last corner is its first.
        if is_area && corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        let least = if is_area { 3 } else { 2 };
        if corners.len() < least {
            let kind = if is_area { "a ring" } else { "a line" };
            return Err(ObserverError::Syntax(format!("feature {number}: {kind} of {} corners", corners.len())));
        }
        Ok(corners)
    };
    Ok(Some(Shape { rings: lines.iter().map(line).collect::<Result<_, _>>()?, is_area }))
}

/// Returns the metres of a unit of both coordinates: of degrees, if all may be degrees, else 1.
fn metres_of_unit(rings: &[Vec<DVec2>]) -> DVec2 {
    let corners = || rings.iter().flatten();
    if !corners().all(|at| at.x.abs() <= 360.0 && at.y.abs() <= 90.0) {
        return DVec2::ONE;
    }
    let latitude = corners().map(|at| at.y).sum::<f64>() / corners().count().max(1) as f64;
    DVec2::from(DEGREE_M) * dvec2(libm::cos(latitude.to_radians()), 1.0)
}

/// Returns the points of a line at a spacing, with both ends, or those of a ring.
fn along(line: &[DVec2], is_ring: bool, metres: DVec2, spacing_m: f64) -> Vec<DVec2> {
    let mut points = vec![line[0]];
    let mut left_m = spacing_m;
    let closing = [line[line.len() - 1], line[0]];
    for ends in line.windows(2).chain(is_ring.then_some(&closing[..])) {
        let length_m = ((ends[1] - ends[0]) * metres).length();
        let mut at_m = left_m;
        while at_m < length_m && points.len() <= MAX_POINTS {
            points.push(ends[0] + (ends[1] - ends[0]) * (at_m / length_m));
            at_m += spacing_m;
        }
        left_m = at_m - length_m;
    }
    let last = line[line.len() - 1];
    if !is_ring && points.last() != Some(&last) {
        points.push(last);
    }
    points
}

/// Returns the points of a grid that are inside rings.
fn within(rings: &[Vec<DVec2>], metres: DVec2, spacing_m: f64) -> Result<Vec<DVec2>, ObserverError> {
    let corners = || rings.iter().flatten().copied();
    let (low, high) = (corners().fold(DVec2::INFINITY, DVec2::min), corners().fold(DVec2::NEG_INFINITY, DVec2::max));
    let step = DVec2::splat(spacing_m) / metres;
    let counts = ((high - low) / step).floor();
    if counts.y > MAX_POINTS as f64 || counts.x > MAX_POINTS as f64 {
        return Err(ObserverError::Syntax(format!("a spacing of {spacing_m} m is too narrow for its areas")));
    }
    let mut points = Vec::new();
    for row in 0..=counts.y as usize {
        let y = low.y + (row as f64 + 0.5) * step.y;
        for pair in crossings(rings, y).as_chunks::<2>().0 {
            let first = ((pair[0] - low.x) / step.x - 0.5).ceil().max(0.0) as usize;
            let columns = (first..).map(|column| low.x + (column as f64 + 0.5) * step.x);
            points.extend(columns.take_while(|x| *x < pair[1]).map(|x| dvec2(x, y)));
            if points.len() > MAX_POINTS {
                return Ok(points); // the caller refuses them
            }
        }
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::GeoKeys;

    fn place() -> Georeference {
        Georeference { corner: [1000.0, 2000.0], cell: [10.0, 10.0], keys: GeoKeys::default() }
    }

    fn feature(geometry: &str, height: &str) -> String {
        format!(r#"{{"type": "Feature", "properties": {{"height_m": {height}}}, "geometry": {geometry}}}"#)
    }

    const HOUSE: &str = r#"{"type": "Polygon", "coordinates": [
        [[1010, 1990], [1060, 1990], [1060, 1940], [1010, 1940], [1010, 1990]],
        [[1030, 1970], [1040, 1970], [1040, 1960], [1030, 1960], [1030, 1970]]]}"#;

    #[test]
    fn areas_have_holes_and_stand_on_the_cells_with_their_centres() {
        let areas = Areas::read(&feature(HOUSE, "8.5"), &place(), ivec2(8, 8)).unwrap();
        let heights = areas.heights_m(CellRect::of_size(ivec2(8, 8)));
        let drawn: Vec<String> =
            heights.rows().map(|row| row.iter().map(|h| if *h > 0.0 { '#' } else { '.' }).collect()).collect();
        assert_eq!(
            drawn,
            ["........", ".#####..", ".#####..", ".##.##..", ".#####..", ".#####..", "........", "........"]
        );
        assert_eq!(heights[(1, 1)], 8.5);
        let window = CellRect { min: ivec2(3, 2), max: ivec2(5, 4) };
        assert_eq!(areas.heights_m(window).as_slice(), [8.5, 8.5, 0.0, 8.5]);
    }

    #[test]
    fn small_areas_stand_on_one_cell_and_areas_off_the_map_are_counted() {
        let hut = r#"{"type": "Polygon", "coordinates": [[[1022, 1988], [1024, 1988], [1024, 1986], [1022, 1988]]]}"#;
        let far = r#"{"type": "Polygon", "coordinates": [[[5000, 1988], [5024, 1988], [5024, 1986]]]}"#;
        let text =
            format!(r#"{{"type": "FeatureCollection", "features": [{}, {}]}}"#, feature(hut, "3"), feature(far, "4"));
        let areas = Areas::read(&text, &place(), ivec2(8, 8)).unwrap();
        assert_eq!((areas.areas.len(), areas.outside), (1, 1));
        let heights = areas.heights_m(CellRect::of_size(ivec2(8, 8)));
        assert_eq!(heights.iter().filter(|(_, height)| **height > 0.0).count(), 1);
        assert_eq!(heights[(2, 1)], 3.0);
    }

    #[test]
    fn areas_that_cross_themselves_count_by_the_even_odd_rule() {
        let bow = r#"{"type": "Polygon", "coordinates": [[[1000, 2000], [1080, 1920], [1080, 2000], [1000, 1920]]]}"#;
        let heights =
            Areas::read(&feature(bow, "2"), &place(), ivec2(8, 8)).unwrap().heights_m(CellRect::of_size(ivec2(8, 8)));
        assert!(heights[(1, 4)] > 0.0 && heights[(6, 4)] > 0.0 && heights[(4, 0)] == 0.0 && heights[(4, 7)] == 0.0);
    }

    #[test]
    fn other_features_are_refused() {
        let error = |text: &str| Areas::read(text, &place(), ivec2(8, 8)).unwrap_err().to_string();
        let point = feature(r#"{"type": "Point", "coordinates": [1010, 1990]}"#, "3");
        assert_eq!(error(&point), "area 1 is a Point: expected polygons");
        assert_eq!(
            error(&feature(HOUSE, "null")),
            "area 1: height_m is missing: expected the height over the ground in metres"
        );
        assert!(error(&feature(HOUSE, "-2")).contains("height_m is -2: expected 0 to 1000 m"));
        let line = feature(r#"{"type": "Polygon", "coordinates": [[[1010, 1990], [1020, 1990], [1010, 1990]]]}"#, "3");
        assert!(error(&line).contains("feature 1: a ring of 2 corners"), "{}", error(&line));
    }

    #[test]
    fn points_on_areas_are_on_the_edge_and_inside() {
        let square = feature(
            r#"{"type": "Polygon", "coordinates": [[[1000, 1000], [1100, 1000], [1100, 1100], [1000, 1100], [1000, 1000]]]}"#,
            "1",
        );
        let text = points_on_shapes(&square, 50.0).unwrap();
        let root: Value = serde_json::from_str(&text).unwrap();
        let points = root["geometry"]["coordinates"].as_array().unwrap();
        let has = |x: f64, y: f64| points.iter().any(|point| point[0] == x && point[1] == y);
        assert!(has(1000.0, 1000.0) && has(1050.0, 1000.0) && has(1100.0, 1050.0) && has(1000.0, 1050.0), "{text}");
        assert!(has(1025.0, 1025.0) && has(1075.0, 1075.0), "{text}");
        assert_eq!(points.len(), 8 + 4, "{text}");
        assert!(points_on_shapes(&square, 0.01).unwrap_err().to_string().contains("expected a wider one"));
    }

    #[test]
    fn a_spacing_along_degrees_is_in_metres() {
        let road = feature(r#"{"type": "LineString", "coordinates": [[10.0, 60.0], [10.01, 60.0]]}"#, "1");
        let root: Value = serde_json::from_str(&points_on_shapes(&road, 100.0).unwrap()).unwrap();
        // 0.01° are 557 m at 60°.
        assert_eq!(root["geometry"]["coordinates"].as_array().unwrap().len(), 7);
    }
}

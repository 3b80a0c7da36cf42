//! [`read_csv`]: points of tables, as programs and spreadsheets write them: separated by commas, semicolons or tabs, with decimal
//! points or commas.

use csv::{ReaderBuilder, StringRecord, Trim};
use glam::dvec2;

use super::error::ObserverError;
use super::found_points::{FileContent, FoundPoint, PointKind, PointSystem, not_a_number, parse_number};

/// The columns of coordinates; the last two are degrees on WGS 84.
const COORDINATES: [[&str; 2]; 4] = [["x", "y"], ["easting", "northing"], ["longitude", "latitude"], ["lon", "lat"]];

/// The separators of columns, and their names in messages.
const SEPARATORS: [(char, &str); 3] = [(',', "commas"), (';', "semicolons"), ('\t', "tabs")];

/// Returns the text of a table without the line `sep=;` of Excel, and its separator, with its name: the one of that line, or that of
/// which the header has most.
fn separated(text: &str) -> (&str, (char, &'static str)) {
    let text = text.trim_start_matches(['\r', '\n']);
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let told = first.trim_end_matches('\r').trim_matches('"').strip_prefix("sep=");
    if let Some(told) =
        SEPARATORS.into_iter().find(|(separator, _)| told.is_some_and(|told| told.starts_with(*separator)))
    {
        return (rest, told);
    }
    // Not those in quotes.
    let count =
        |separator: char| first.split('"').step_by(2).map(|part| part.matches(separator).count()).sum::<usize>();
    let most = SEPARATORS.into_iter().rev().max_by_key(|(separator, _)| count(*separator));
    (text, most.unwrap_or(SEPARATORS[0]))
}

/// Reads the points of a table with a header.
pub(super) fn read_csv<T: Copy + 'static>(text: &str, kind: &PointKind<T>) -> Result<FileContent<T>, ObserverError> {
    let syntax = |error: csv::Error| ObserverError::Syntax(error.to_string());
    let (text, (separator, separator_name)) = separated(text);
    let mut reader = ReaderBuilder::new().delimiter(separator as u8).trim(Trim::All).from_reader(text.as_bytes());
    let header: Vec<String> = reader.headers().map_err(syntax)?.iter().map(str::to_ascii_lowercase).collect();
    let column = |name: &str| header.iter().position(|other| other == name);
    let coordinates = COORDINATES.iter().find_map(|names| Some((names, [column(names[0])?, column(names[1])?])));
    let (names, [x, y]) = coordinates
        .ok_or_else(|| ObserverError::NoCoordinates { columns: header.join(", "), separator: separator_name })?;
    let system = if names[0].starts_with("lon") { PointSystem::Wgs84IfPossible } else { PointSystem::Raster };
    let name_column = column("name");
    let keys: Vec<_> = kind.keys.iter().filter_map(|key| Some((key, column(key.name)?))).collect();
    let mut found = Vec::new();
    for (i, record) in reader.records().enumerate() {
        let record: StringRecord = record.map_err(syntax)?;
        let field = |column: usize| record.get(column).unwrap_or_default();
        let name = name_column.map(field).unwrap_or_default();
        let label = kind.label(i + 1, name);
        let coordinate = |key, column| {
            let number = parse_number(field(column)).filter(|number| number.is_finite());
            number.ok_or_else(|| not_a_number(&label, key, field(column)))
        };
        let position = dvec2(coordinate("x", x)?, coordinate("y", y)?);
        let mut values = kind.default;
        for (key, column) in keys.iter().filter(|(_, column)| !field(*column).is_empty()) {
            let value =
                parse_number(field(*column)).ok_or_else(|| key.error(&label, format!("{:?}", field(*column))))?;
            key.set(&mut values, value, &label)?;
        }
        found.push(FoundPoint { name: name.to_owned(), label, position, values });
    }
    let is_read =
        |i: usize| [x, y].contains(&i) || name_column == Some(i) || keys.iter().any(|(_, column)| *column == i);
    let not_read = header.iter().enumerate().filter(|(i, name)| !is_read(*i) && !name.is_empty());
    Ok(FileContent { found, system, not_read: not_read.map(|(_, name)| name.clone()).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separator_is_that_of_the_first_line() {
        for (text, rest, separator) in [
            ("name,x,y\n", "name,x,y\n", ','),
            ("x\n", "x\n", ','),
            ("", "", ','),
            ("name;x;y\n\"a,b,c\";1;2\n", "name;x;y\n\"a,b,c\";1;2\n", ';'),
            ("\"name, and, notes\";x;y\n", "\"name, and, notes\";x;y\n", ';'),
            ("name\tx\ty\n", "name\tx\ty\n", '\t'),
            ("sep=;\r\nx;y\r\n", "x;y\r\n", ';'),
            ("\"sep=\t\"\nx\ty\n", "x\ty\n", '\t'),
            ("sep=|\nx,y\n", "sep=|\nx,y\n", ','),
        ] {
            let (found, (of_text, _)) = separated(text);
            assert_eq!((found, of_text), (rest, separator), "{text:?}");
        }
    }

    #[test]
    fn numbers_have_a_decimal_point_or_comma() {
        for (text, number) in [
            ("12.5", Some(12.5)),
            ("12,5", Some(12.5)),
            ("-0,25", Some(-0.25)),
            ("inf", Some(f64::INFINITY)),
            ("1.234,5", None),
            ("1,234,567", None),
            ("", None),
            ("12 m", None),
        ] {
            assert_eq!(parse_number(text), number, "{text:?}");
        }
    }
}

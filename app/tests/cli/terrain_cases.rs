//! Heightmaps of `tests/data/terrain`, a folder a case: what their cells hold, and what is said of them.

use std::path::{Path, PathBuf};

use super::Folder;

/// The folder of a case.
fn folder_of(case: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/terrain")).join(case)
}

/// Copies the files of a case to a folder.
fn copied(case: &str) -> Folder {
    let folder = Folder::new();
    for file in std::fs::read_dir(folder_of(case)).unwrap_or_else(|error| panic!("{case}: {error}")) {
        let file = file.unwrap();
        folder.write(file.file_name().to_str().unwrap(), std::fs::read(file.path()).unwrap());
    }
    folder
}

/// Returns the elevations of a rectangle of cells, separated by spaces; `-` for no data.
fn elevations(folder: &Folder, file: &str, cells: &str, flags: &str) -> String {
    let scene = format!("export -q --preset viewshed --heightmap {file} {flags}");
    let ended = folder.done(&format!("{scene} --layer elevation --cells {cells} -o - --format csv"));
    let heights = ended.text().lines().skip(1).map(|line| match line.split(',').nth(2).unwrap() {
        "" => "-",
        height => height,
    });
    heights.collect::<Vec<_>>().join(" ")
}

/// Case, flags, rectangle of cells, and their elevations.
type Case = (&'static str, &'static str, &'static str, &'static str);

/// Checks cases whose heightmap is `dem.tif`, read as a whole and in part.
fn check_tif(cases: &[Case]) {
    for (case, flags, cells, wanted) in cases {
        let folder = copied(case);
        for reading in ["whole", "window"] {
            let flags = format!("{flags} --read {reading}");
            assert_eq!(elevations(&folder, "dem.tif", cells, &flags), *wanted, "{case}, {reading}");
        }
    }
}

#[test]
fn numbers_where_white_is_zero_are_read_as_stored() {
    check_tif(&[
        ("miniswhite-u1", "--at 4,4", "0,0,3x1", "100 101 102"),
        ("miniswhite-f4", "--at 4,4", "0,0,3x1", "100 101 102"),
        ("miniswhite-u2", "--at 4,4", "0,1,3x1", "110 111 112"),
        ("miniswhite-i2", "--at 4,4", "0,1,3x1", "110 111 112"),
        ("miniswhite-f8", "--at 4,4", "5,5,3x1", "155 156 157"),
    ]);
}

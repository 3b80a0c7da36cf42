//! Heightmaps in tiles: a `.vrt` file gives what one file gives.

use super::{Folder, RIDGE};

/// The ridge in four tiles, and their mosaic.
fn ridge_in_tiles() -> Folder {
    let folder = Folder::new();
    std::fs::copy(RIDGE, folder.path("ridge.tif")).unwrap();
    let mut sources = String::new();
    for [x, y, width, height] in [[0, 0, 130, 100], [130, 0, 170, 100], [0, 100, 130, 120], [130, 100, 170, 120]] {
        let name = format!("{x}-{y}.tif");
        folder.done(&format!(
            "export -q --preset viewshed --heightmap ridge.tif --at 140,104 --layer elevation --cells {x},{y},{width}x{height} -o {name}"
        ));
        let size = format!("xSize=\"{width}\" ySize=\"{height}\"");
        sources += &format!(
            "<ComplexSource><SourceFilename relativeToVRT=\"1\">{name}</SourceFilename><SourceBand>1</SourceBand>\
             <SrcRect xOff=\"0\" yOff=\"0\" {size}/><DstRect xOff=\"{x}\" yOff=\"{y}\" {size}/><NODATA>-9999</NODATA></ComplexSource>"
        );
    }
    folder.write(
        "mosaic.vrt",
        format!(
            "<VRTDataset rasterXSize=\"300\" rasterYSize=\"220\"><SRS>EPSG:32632</SRS>\
             <GeoTransform>612000, 30, 0, 5206600, 0, -30</GeoTransform><VRTRasterBand dataType=\"Float32\" band=\"1\">\
             <NoDataValue>-9999</NoDataValue>{sources}</VRTRasterBand></VRTDataset>"
        ),
    );
    folder
}

#[test]
fn exports_of_a_mosaic_are_those_of_one_file() {
    let folder = ridge_in_tiles();
    let formats = ["asc", "npy", "csv"];
    for (words, flags) in [
        ("export --preset viewshed --at 140,104 --radius 60", &["-o"; 3][..]),
        ("export --preset viewshed --at 131,99 --radius 20 --layer elevation --read whole --crop map", &["-o"; 3]),
        ("export --at 120,100 --radius 30 --set optics.radius_per_100m=2", &["-o"; 3]),
        ("cumulative --at 140,104 --eye-height 30 --radius 90", &["--union", "--count"]),
    ] {
        let outputs: Vec<_> = formats.iter().zip(flags).collect();
        for name in ["mosaic.vrt", "ridge.tif"] {
            let stem = name.split('.').next().unwrap();
            let files: String = outputs.iter().map(|(format, flag)| format!(" {flag} {stem}.{format}")).collect();
            folder.done(&format!("{words} -q --heightmap {name}{files}"));
        }
        for (format, _) in outputs {
            let [mosaic, file] = ["mosaic", "ridge"].map(|stem| folder.read(&format!("{stem}.{format}")));
            assert!(mosaic == file, "{words}: .{format}");
        }
        assert!(folder.read("mosaic.prj") == folder.read("ridge.prj"), "{words}");
    }
}

#[test]
fn tiles_are_inputs_and_missing_ones_are_counted() {
    let folder = ridge_in_tiles();
    let scene = "export --preset viewshed --heightmap mosaic.vrt --at 140,104 --radius 60";
    for output in ["130-100.tif", "./0-0.tif", "mosaic.vrt"] {
        let words = format!("{scene} -o {output} --format tif");
        folder.refused(2, &words, &[output, "would overwrite the file that --heightmap reads"]);
    }
    std::fs::remove_file(folder.path("0-100.tif")).unwrap();
    let ended = folder.done(&format!("{scene} -o view.npy"));
    let said = "mosaic.vrt: 1 of its 4 tiles is missing, 0-100.tif: its cells are nodata\n";
    assert_eq!(ended.stderr.matches(said).count(), 1, "{}", ended.stderr);
    folder.write("130-100.tif", "no raster");
    folder.refused(3, &format!("{scene} -o view.csv"), &["mosaic.vrt: 130-100.tif: is not a .tif file"]);
    folder.refused(3, &format!("{scene} --humidity mosaic.vrt -o view.csv"), &["mosaic.vrt: ", "a number or a .tif"]);
    folder.write("dem.vrt", "x");
    folder.refused(3, "export --heightmap dem.vrt --at 1,1 -o x.npy", &["dem.vrt: is damaged: "]);
    folder.refused(3, "export --heightmap none.vrt --at 1,1 -o x.npy", &["none.vrt: "]);
    folder.refused(3, &format!("{scene} --heights 0:9 -o view.csv"), &["mosaic.vrt: contains heights in metres"]);
}

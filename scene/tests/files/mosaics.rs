//! Mosaics: `.vrt` files with the tiles of a raster.

use std::fs;
use std::path::Path;

use farsight::glam::{IVec2, ivec2};
use farsight::grid::{CellRect, Grid};
use farsight_scene::files::{
    Format, GeoKeys, Georeference, Heightmap, Input, LengthUnit, OutputFile, Product, Provenance, Raster,
    read_heightmap, read_heightmap_window, read_raster_header, save_product, tile_paths,
};
use tempfile::TempDir;

const RIDGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/ridge.tif");

fn ridge() -> Heightmap {
    read_heightmap(&Input::new(RIDGE)).unwrap()
}

fn bits(grid: &Grid<f32>) -> Vec<u32> {
    grid.as_slice().iter().map(|value| if value.is_nan() { u32::MAX } else { value.to_bits() }).collect()
}

fn window_of(grid: &Grid<f32>, cells: CellRect) -> Grid<f32> {
    Grid::from_fn(cells.width(), cells.height(), |cell| grid[cells.min + cell])
}

/// Writes a tile, whose upper left corner is at `place`.
fn write_tile(path: &Path, heights: Grid<f32>, place: Option<Georeference>) {
    let mut raster = Raster::new("elevation", heights, IVec2::ZERO, IVec2::NEG_ONE, Provenance::default());
    raster.georeference = place;
    save_product(&OutputFile::new(path, Format::Tif), Product::from(raster)).unwrap();
}

/// A source with all cells of a tile; `more` follows its rectangles.
fn source(kind: &str, name: &str, [x, y, width, height]: [i32; 4], more: &str) -> String {
    format!(
        "<{kind}><SourceFilename relativeToVRT=\"1\">{name}</SourceFilename><SourceBand>1</SourceBand>\
         <SourceProperties RasterXSize=\"{width}\" RasterYSize=\"{height}\" DataType=\"Float32\"/>\
         <SrcRect xOff=\"0\" yOff=\"0\" xSize=\"{width}\" ySize=\"{height}\"/>\
         <DstRect xOff=\"{x}\" yOff=\"{y}\" xSize=\"{width}\" ySize=\"{height}\"/>{more}</{kind}>"
    )
}

fn mosaic(size: IVec2, head: &str, band: &str) -> String {
    let IVec2 { x, y } = size;
    format!(
        "<VRTDataset rasterXSize=\"{x}\" rasterYSize=\"{y}\">{head}<VRTRasterBand dataType=\"Float32\" band=\"1\">{band}\
         </VRTRasterBand></VRTDataset>"
    )
}

const PLACE: &str = "<SRS>EPSG:32632</SRS><GeoTransform>612000, 30, 0, 5206600, 0, -30</GeoTransform>";

/// The ridge in tiles of 100x80 cells, those in the south and in the east smaller, in a folder of their own.
fn ridge_in_tiles() -> (TempDir, Input) {
    let (folder, ridge) = (tempfile::tempdir().unwrap(), ridge());
    fs::create_dir(folder.path().join("tiles")).unwrap();
    let size = ridge.elevation_m.size();
    let mut sources = String::from("<NoDataValue>-9999</NoDataValue>");
    for y in (0..size.y).step_by(80) {
        for x in (0..size.x).step_by(110) {
            let cells = CellRect { min: ivec2(x, y), max: ivec2((x + 110).min(size.x), (y + 80).min(size.y)) };
            let name = format!("tiles/{x}_{y}.tif");
            let place = ridge.georeference.as_ref().map(|place| place.at(cells.min));
            write_tile(&folder.path().join(&name), window_of(&ridge.elevation_m, cells), place);
            let rect = [x, y, cells.width() as i32, cells.height() as i32];
            sources += &source("ComplexSource", &name, rect, "<NODATA>-9999</NODATA>");
        }
    }
    let path = folder.path().join("ridge.vrt");
    fs::write(&path, mosaic(size, PLACE, &sources)).unwrap();
    (folder, Input::new(path))
}

#[test]
fn a_mosaic_has_the_bits_and_the_position_of_one_file() {
    let (folder, input) = ridge_in_tiles();
    let (whole, ridge) = (read_heightmap(&input).unwrap(), ridge());
    assert_eq!(bits(&whole.elevation_m), bits(&ridge.elevation_m));
    assert_eq!(
        (&whole.georeference, whole.cell_size_m, &whole.notes),
        (&ridge.georeference, ridge.cell_size_m, &ridge.notes)
    );
    assert_eq!(read_raster_header(&input).unwrap(), read_raster_header(&Input::new(RIDGE)).unwrap());
    let across = [
        CellRect { min: ivec2(100, 70), max: ivec2(125, 95) },
        CellRect { min: ivec2(109, 0), max: ivec2(111, 220) },
        CellRect { min: ivec2(0, 79), max: ivec2(300, 80) },
        CellRect { min: ivec2(299, 219), max: ivec2(300, 220) },
    ];
    for cells in across {
        let window = read_heightmap_window(&input, cells).unwrap();
        assert_eq!(bits(&window), bits(&window_of(&ridge.elevation_m, cells)), "{cells:?}");
    }
    // Only the tiles that a window touches are opened.
    fs::write(folder.path().join("tiles/220_160.tif"), "no raster").unwrap();
    assert!(read_heightmap_window(&input, across[0]).is_ok());
    let error = read_heightmap_window(&input, across[3]).unwrap_err().to_string();
    assert!(error.contains("ridge.vrt: ") && error.contains("220_160.tif: is not a .tif file"), "{error}");
}

#[test]
fn a_folder_of_tiles_has_the_bits_and_the_position_of_one_file() {
    let (folder, _) = ridge_in_tiles();
    let tiles = folder.path().join("tiles");
    fs::rename(tiles.join("0_0.tif"), tiles.join("z.TIFF")).unwrap(); // the first one is not in the corner
    fs::write(tiles.join("0_80.tif.aux.xml"), "<PAMDataset/>").unwrap();
    fs::write(tiles.join("readme.txt"), "no tile").unwrap();
    let (input, ridge) = (Input::new(&tiles), ridge());
    let header = read_raster_header(&input).unwrap().unwrap();
    assert_eq!((header.size, &header.georeference), (ridge.elevation_m.size(), &ridge.georeference));
    let whole = read_heightmap(&input).unwrap();
    assert_eq!(bits(&whole.elevation_m), bits(&ridge.elevation_m));
    let across = CellRect { min: ivec2(100, 70), max: ivec2(125, 95) };
    let window = read_heightmap_window(&input, across).unwrap();
    assert_eq!(bits(&window), bits(&window_of(&ridge.elevation_m, across)));
    assert_eq!(tile_paths(&tiles).len(), 9);
    fs::remove_file(tiles.join("110_80.tif")).unwrap();
    let (gap, map) = (CellRect { min: ivec2(110, 80), max: ivec2(220, 160) }, read_heightmap(&input).unwrap());
    assert!(map.elevation_m.iter().all(|(cell, height)| height.is_nan() == gap.contains(cell)));
}

#[test]
fn tiles_of_a_folder_that_do_not_join_are_refused() {
    let place = ridge().georeference.unwrap();
    let heights = || Grid::new(4, 4, 1.0);
    let refusal = |tile: Georeference| {
        let folder = tempfile::tempdir().unwrap();
        write_tile(&folder.path().join("a.tif"), heights(), Some(place.clone()));
        write_tile(&folder.path().join("b.tif"), heights(), Some(tile));
        read_heightmap(&Input::new(folder.path())).unwrap_err().to_string()
    };
    let moved = |x: f64| Georeference { corner: [place.corner[0] + x, place.corner[1]], ..place.clone() };
    for (tile, fault) in [
        (moved(130.0), "b.tif: lies 0.33,0.00 of a cell off the grid"),
        (
            Georeference { cell: [25.0, 25.0], ..place.clone() },
            "b.tif: has cells of 25x25, and the mosaic has cells of 30x30",
        ),
        (moved(3e12), "b.tif: lies 100000000000 cells away"),
        (moved(6e9), "at most"),
    ] {
        let error = refusal(tile);
        assert!(error.contains(fault), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let error = read_heightmap(&Input::new(folder.path())).unwrap_err().to_string();
    assert!(error.ends_with("holds no tile: expected .tif or .hgt files"), "{error}");
    let srtm = tempfile::tempdir().unwrap();
    fs::write(srtm.path().join("tile.hgt"), vec![0; 2 * 1201 * 1201]).unwrap();
    let error = read_heightmap(&Input::new(srtm.path())).unwrap_err().to_string();
    assert!(error.contains("tile.hgt: has no position"), "{error}");
    fs::rename(srtm.path().join("tile.hgt"), srtm.path().join("N46E007.hgt")).unwrap();
    let header = read_raster_header(&Input::new(srtm.path())).unwrap().unwrap();
    assert_eq!((header.size, header.georeference.unwrap().cell), (IVec2::splat(1201), [1.0 / 1200.0; 2]));
    let other = GeoKeys::geographic();
    write_tile(&folder.path().join("a.tif"), heights(), Some(place.clone()));
    write_tile(&folder.path().join("b.tif"), heights(), Some(Georeference { keys: other, ..moved(120.0) }));
    let error = read_heightmap(&Input::new(folder.path())).unwrap_err().to_string();
    assert!(error.contains("b.tif: is in "), "{error}");
}

#[test]
fn missing_tiles_are_nodata_and_counted_in_a_line() {
    let (folder, input) = ridge_in_tiles();
    fs::remove_file(folder.path().join("tiles/110_80.tif")).unwrap();
    let (map, ridge) = (read_heightmap(&input).unwrap(), ridge());
    let [note] = &map.notes[..] else { panic!("{:?}", map.notes) };
    assert!(
        note.starts_with("1 of its 9 tiles is missing, ") && note.ends_with("110_80.tif: its cells are nodata"),
        "{note}"
    );
    let gap = CellRect { min: ivec2(110, 80), max: ivec2(220, 160) };
    for (cell, height) in map.elevation_m.iter() {
        let expected = if gap.contains(cell) { f32::NAN } else { ridge.elevation_m[cell] };
        assert_eq!(height.is_nan(), expected.is_nan(), "{cell}");
        assert!(height.is_nan() || *height == expected, "{cell}");
    }
    assert_eq!(tile_paths(&folder.path().join("ridge.vrt")).len(), 9);
    for x in [0, 110, 220] {
        for y in [0, 80, 160] {
            let _ = fs::remove_file(folder.path().join(format!("tiles/{x}_{y}.tif")));
        }
    }
    let error = read_heightmap(&input).unwrap_err().to_string();
    assert!(error.contains("none of its 9 tiles is there; the first is "), "{error}");
    assert_eq!(error, read_raster_header(&input).unwrap_err().to_string());
}

/// Reads a mosaic of 3x1 cells with these elements of its band, over the tiles `a.tif`: 1, -5, no data; `b.tif`: -32768, -7, 4.
fn read_row(band: &str, change: impl Fn(Input) -> Input) -> Result<Vec<f32>, String> {
    let folder = tempfile::tempdir().unwrap();
    let row = |values: [f32; 3]| Grid::from_vec(3, 1, values.to_vec()).unwrap();
    write_tile(&folder.path().join("a.tif"), row([1.0, -5.0, f32::NAN]), None);
    write_tile(&folder.path().join("b.tif"), row([-32768.0, -7.0, 4.0]), None);
    let path = folder.path().join("m.vrt");
    fs::write(&path, mosaic(ivec2(3, 1), "", band)).unwrap();
    let map = read_heightmap(&change(Input::new(path))).map_err(|error| error.to_string())?;
    Ok(map.elevation_m.as_slice().iter().map(|height| if height.is_nan() { -1.0 } else { *height }).collect())
}

#[test]
fn upper_tiles_hide_lower_ones_except_where_they_have_no_data() {
    let tile = |kind, name, more| source(kind, name, [0, 0, 3, 1], more);
    let plain = |input: Input| input;
    let (a, b) = (tile("SimpleSource", "a.tif", ""), "<NODATA>-32768</NODATA>");
    assert_eq!(read_row(&a, plain), Ok(vec![1.0, -5.0, -1.0]));
    // The number without data of the source, and that of the mosaic, which hides.
    let over = a.clone() + &tile("ComplexSource", "b.tif", b);
    assert_eq!(read_row(&over, plain), Ok(vec![1.0, -7.0, 4.0]));
    let under = tile("ComplexSource", "b.tif", b) + &tile("ComplexSource", "a.tif", "<NODATA>-5</NODATA>");
    assert_eq!(read_row(&under, plain), Ok(vec![1.0, -7.0, 4.0]));
    let hides = tile("ComplexSource", "b.tif", b) + &a;
    assert_eq!(read_row(&hides, plain), Ok(vec![1.0, -5.0, -1.0]));
    let both = format!("<NoDataValue>-7</NoDataValue>{over}");
    assert_eq!(read_row(&both, plain), Ok(vec![1.0, -5.0, 4.0]));
    let error = read_row(&tile("SimpleSource", "b.tif", ""), plain).unwrap_err();
    assert!(error.contains("b.tif: cell 0,0 has elevation -32768: expected metres"), "{error}");
    // Scale and unit of the mosaic; a flag is stronger.
    let scaled = format!("<Scale>2</Scale><Offset>10</Offset><UnitType>ft</UnitType>{a}");
    assert_eq!(read_row(&scaled, plain), Ok(vec![12.0 * 0.3048, 0.0, -1.0]));
    assert_eq!(read_row(&scaled, |input| input.with_height_unit(LengthUnit::Metre)), Ok(vec![12.0, 0.0, -1.0]));
    let error = read_row(&format!("<UnitType>fathom</UnitType>{a}"), plain).unwrap_err();
    assert!(error.contains("m.vrt: its heights are in the unit \"fathom\""), "{error}");
}

#[test]
fn tiles_of_srtm_share_their_edges() {
    const SIDE: i32 = 1201;
    let folder = tempfile::tempdir().unwrap();
    let height = |x: i32, y: i32| if (x, y) == (3, 4) { -32768 } else { (x + 2 * y) as i16 };
    for (name, start) in [("N46E007.hgt", 0), ("N46E008.hgt", SIDE - 1)] {
        let cells = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| height(start + x, y)));
        fs::write(folder.path().join(name), cells.flat_map(i16::to_be_bytes).collect::<Vec<u8>>()).unwrap();
    }
    let nodata = "<NODATA>-32768</NODATA>";
    let tiles = source("ComplexSource", "N46E007.hgt", [0, 0, SIDE, SIDE], nodata)
        + &source("ComplexSource", "N46E008.hgt", [SIDE - 1, 0, SIDE, SIDE], nodata);
    let head = format!(
        "<GeoTransform>{}, {step}, 0, {}, 0, -{step}</GeoTransform>",
        7.0 - 0.5 / 1200.0,
        47.0 + 0.5 / 1200.0,
        step = 1.0 / 1200.0
    );
    let path = folder.path().join("m.vrt");
    fs::write(&path, mosaic(ivec2(2 * SIDE - 1, SIDE), &head, &tiles)).unwrap();
    let input = Input::new(&path);
    let header = read_raster_header(&input).unwrap().unwrap();
    assert!(header.georeference.unwrap().keys.is_in_degrees(), "those of its tiles");
    let cells = CellRect { min: ivec2(0, 0), max: ivec2(2 * SIDE - 1, 7) };
    let window = read_heightmap_window(&input, cells).unwrap();
    for (cell, found) in window.iter() {
        let expected = height(cell.x, cell.y);
        assert!(if expected == -32768 { found.is_nan() } else { *found == f32::from(expected) }, "{cell}");
    }
    // A tile in another place than its name says.
    fs::write(
        &path,
        mosaic(ivec2(SIDE, SIDE), &head, &source("ComplexSource", "N46E008.hgt", [0, 0, SIDE, SIDE], nodata)),
    )
    .unwrap();
    let error = read_raster_header(&input).unwrap_err().to_string();
    assert!(error.contains("N46E008.hgt: lies at 7.99") && error.contains(", and the mosaic has 6.99"), "{error}");
}

#[test]
fn a_mosaic_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let flat = || Grid::new(4, 3, 7.0);
    let place = |corner, side| Georeference { corner, cell: [side; 2], keys: ridge().georeference.unwrap().keys };
    write_tile(&folder.path().join("a.tif"), flat(), Some(place([612000.0, 5206600.0], 30.0)));
    write_tile(&folder.path().join("fine.tif"), flat(), Some(place([612000.0, 5206600.0], 10.0)));
    let tile = source("SimpleSource", "a.tif", [0, 0, 4, 3], "");
    let of = |head: &str, band: &str| mosaic(ivec2(4, 3), head, band);
    let good = of(PLACE, &tile);
    let path = folder.path().join("m.vrt");
    let error_of = |text: &str| {
        fs::write(&path, text).unwrap();
        read_heightmap(&Input::new(&path)).map(|map| map.elevation_m).map_err(|error| error.to_string())
    };
    assert_eq!(error_of(&good), Ok(flat()));
    let many = tile.repeat(3000);
    assert_eq!(error_of(&of(PLACE, &many)), Ok(flat()), "thousands of tiles");
    let wide = source("SimpleSource", "a.tif", [0, 0, 4, 3], "").replace("xSize=\"4\"", "xSize=\"500000000\"");
    let cases: [(String, &str); 32] = [
        ("x".to_owned(), "is damaged: "),
        (String::new(), "is damaged: "),
        (good.replace("</VRTDataset>", ""), "is damaged: "),
        ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>".to_owned(), "is damaged: "),
        ("<PAMDataset/>".to_owned(), "is no mosaic of GDAL: its first element is <PAMDataset>"),
        (good.replace("rasterXSize=\"4\"", "rasterXSize=\"0\""), "its rasterXSize is \"0\": expected a whole number"),
        (good.replace("rasterXSize=\"4\"", "rasterXSize=\"1e300\""), "its rasterXSize is \"1e300\": expected a number"),
        (good.replace("rasterXSize=\"4\"", "rasterXSize=\"500000000\""), "is too large"),
        (good.replace("rasterXSize=\"4\"", ""), "its rasterXSize is \"\""),
        (good.replace("VRTRasterBand", "RasterBand"), "it has <RasterBand>"),
        (of(PLACE, ""), "names no tile"),
        (
            "<VRTDataset rasterXSize=\"4\" rasterYSize=\"3\"/>".to_owned(),
            "holds 0 bands: expected one (gdalbuildvrt -b 1",
        ),
        (good.replace("</VRTDataset>", "<VRTRasterBand/></VRTDataset>"), "holds 2 bands"),
        (good.replace("a.tif", "m.vrt"), "m.vrt: a mosaic cannot be the tile of another"),
        (
            good.replace("a.tif", "/vsicurl/https://example.org/a.tif"),
            "https://example.org/a.tif: expected a tile in a file",
        ),
        (good.replace("a.tif", "NETCDF:a.nc:a.tif"), "NETCDF:a.nc:a.tif: expected a tile in a file, .tif or .hgt"),
        (good.replace("a.tif", "/dev/zero"), "/dev/zero: expected a tile in a file"),
        (good.replace("a.tif", ""), ": expected a tile in a file"),
        (good.replace("<SourceBand>1<", "<SourceBand>2<"), "its SourceBand is \"2\": expected 1"),
        (good.replacen("xSize=\"4\"", "xSize=\"2\"", 1), "a.tif: 2x3 of its cells are resampled to 4x3 of the mosaic"),
        (good.replacen("xOff=\"0\"", "xOff=\"0.4\"", 1), "its xOff is \"0.4\": expected a whole number of cells"),
        (good.replacen("xOff=\"0\"", "xOff=\"-1\"", 1), "its xOff is \"-1\""),
        (
            good.replacen("xOff=\"0\"", "xOff=\"1\"", 1),
            "a.tif: has 4x3 cells, and the mosaic has those up to 5,3 there",
        ),
        (good.replace("<DstRect", "<Rect"), "it has <Rect>"),
        (of(PLACE, &wide), "a.tif: has 4x3 cells"),
        (of(PLACE, &source("ComplexSource", "a.tif", [0, 0, 4, 3], "<LUT>0:0,9:1</LUT>")), "it has <LUT>"),
        (of(PLACE, &source("ComplexSource", "a.tif", [0, 0, 4, 3], "<NODATA>x</NODATA>")), "its NODATA is \"x\""),
        (of(PLACE, &format!("<PixelFunctionType>sum</PixelFunctionType>{tile}")), "it has <PixelFunctionType>"),
        (good.replace("band=\"1\"", "subClass=\"VRTDerivedRasterBand\""), "it has subClass=\"VRTDerivedRasterBand\""),
        (of(&PLACE.replace("32632", "32633"), &tile), "a.tif: is in EPSG:32632, and the mosaic has EPSG:32633 there"),
        (of(&PLACE.replace("-30", "30"), &tile), "it has rows from the south"),
        (good.replace("a.tif", "fine.tif"), "fine.tif: has cells of 10x10, and the mosaic has cells of 30x30 there"),
    ];
    for (text, said) in cases {
        let error = error_of(&text).expect_err(&text);
        assert!(error.contains("m.vrt: ") && error.contains(said), "{said:?} is missing in {error}");
    }
}

//! Formats are known by extension and by name.

use farsight_scene::files::Format;

#[test]
fn error_of_unknown_format_lists_the_known_ones() {
    let message = |path: &str| Format::from_path(path.as_ref()).unwrap_err().to_string();
    let known = ".png, .npy, .csv, .json, .asc, .tif, .r16 or .txt";
    assert_eq!(message("a/b.bmp"), format!("a/b.bmp: the extension .bmp is unknown; use {known}"));
    assert_eq!(message("a/b"), format!("a/b: the file has no extension; use {known}, or name a format"));
    let name = "tga".parse::<Format>().unwrap_err().to_string();
    assert_eq!(name, "format \"tga\" is not known: expected png, npy, csv, json, asc, tif, hgt, r16, txt");
}

#[test]
fn names_and_extensions_give_their_format() {
    for &format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
        assert_eq!(Format::from_path(format!("x{format}").as_ref()), Ok(format));
        assert_eq!(Format::from_path(format!("x.{}", format.extension().to_uppercase()).as_ref()), Ok(format));
    }
    assert_eq!(Format::from_path("dem.TIFF".as_ref()), Ok(Format::Tif));
}

//! Numbered files.

use std::fs;
use std::path::Path;

use farsight_scene::files::{NumberedName, Sequence, WriteError};

#[test]
fn numbered_name_has_one_placeholder() {
    let name = |pattern: &str, number| NumberedName::parse(Path::new(pattern)).map(|name| name.path(number));
    assert_eq!(name("a/%d.png", 12), Some("a/12.png".into()));
    assert_eq!(name("%02d-x.png", 123), Some("123-x.png".into()));
    for wrong in ["walk.png", "%s.png", "%4d.png", "%0x4d.png", "%d-%d.png", "%d/walk.png", "%099d.png", "%", ""] {
        assert_eq!(name(wrong, 1), None, "{wrong}");
    }
}

#[test]
fn files_of_a_sequence_are_renamed_together() {
    let folder = tempfile::tempdir().unwrap();
    let names = || {
        let entries = fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let sequence = || Sequence::new(NumberedName::parse(&folder.path().join("%02d.txt")).unwrap()).unwrap();
    let mut dropped = sequence();
    dropped.add(|out| Ok(out.write_all(b"a")?)).unwrap();
    drop(dropped);
    assert!(names().is_empty());
    let mut kept = sequence();
    for text in [b"a", b"b", b"c"] {
        kept.add(|out| Ok(out.write_all(text)?)).unwrap();
    }
    assert!(kept.add(|_| Err(WriteError::Empty)).is_err());
    kept.commit().unwrap();
    assert_eq!(names(), ["00.txt", "01.txt", "02.txt"]);
    assert_eq!(fs::read(folder.path().join("01.txt")).unwrap(), b"b");
    assert!(Sequence::new(NumberedName::parse(&folder.path().join("no/%d.txt")).unwrap()).is_err());
}

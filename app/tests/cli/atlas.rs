//! `farsight atlas`: values, parts, resuming, and errors.

use std::process::Stdio;
use std::time::Duration;

use super::{Folder, npy_values};

const SMALL: &str = "--size 48x40 --seed 5 --radius 9";

#[test]
fn layers_go_to_their_files_and_no_part_is_left() {
    let folder = Folder::new();
    let files = "--layer commanded --layer identified --layer farthest -o c.npy -o i.npy -o f.csv";
    let ended = folder.done(&format!("atlas {SMALL} {files}"));
    assert_eq!(ended.out, b"");
    assert_eq!(ended.stderr.lines().count(), 3, "{}", ended.stderr);
    assert!(ended.stderr.starts_with("wrote c.npy: commanded, 48x40 cells, 1920 viewers, at most "));
    // Cells are 100 m wide.
    for (line, [cells, kilometres, unit], factor) in
        [(0, [" at most ", " cells (", " km²)"], 0.01), (2, [" at most ", " cells (", " km)"], 0.1)]
    {
        let line = ended.stderr.lines().nth(line).unwrap();
        let number = |from: &str, to: &str| -> f64 {
            line.split_once(from).and_then(|(_, rest)| rest.split_once(to)).expect(line).0.parse().unwrap()
        };
        assert!((number(cells, kilometres) * factor - number(kilometres, unit)).abs() < 0.001, "{line}");
    }
    assert_eq!(folder.files().into_keys().collect::<Vec<_>>(), ["c.npy", "f.csv", "i.npy"]);
    let commanded = npy_values(&folder.read("c.npy"), 48, 40);
    let identified = npy_values(&folder.read("i.npy"), 48, 40);
    assert!(commanded.iter().all(|&sum| (1.0..=254.0).contains(&sum)));
    assert!(identified.iter().all(|share| (0.0..=1.0).contains(share)));
    let csv = String::from_utf8(folder.read("f.csv")).unwrap();
    assert!(csv.starts_with("x,y,farthest\n0,0,") && csv.lines().count() == 1921);

    // The sum is that of an export from the same cell.
    folder.done(&format!("export {SMALL} --at 20,17 -o v.npy"));
    let sum: f64 = npy_values(&folder.read("v.npy"), 48, 40).into_iter().map(f64::from).sum();
    assert!((f64::from(commanded[17 * 48 + 20]) - sum).abs() < 1e-4 * sum, "{sum}");
}

#[test]
fn one_thread_or_two_and_a_stream_give_the_same_bytes() {
    let folder = Folder::new();
    for (threads, file) in [(1, "one.png"), (2, "two.png")] {
        folder.done(&format!("atlas {SMALL} -q --threads {threads} --scale 5 -o {file}"));
    }
    assert_eq!(folder.read("one.png"), folder.read("two.png"));
    let streamed = folder.done(&format!("atlas {SMALL} --scale 5 -o - --format png"));
    assert_eq!(streamed.out, folder.read("one.png"));
    // The picture carries its scene.
    folder.done("atlas --from one.png -q --scale 5 -o again.png");
    assert_eq!(folder.read("again.png"), folder.read("one.png"));
}

#[test]
fn shards_merged_are_the_whole() {
    let folder = Folder::new();
    folder.done(&format!("atlas {SMALL} -o whole.png -o whole.npy"));
    for i in 1..=3 {
        let ended = folder.done(&format!("atlas {SMALL} --shard {i}/3 -o {i}.part --json"));
        assert!(ended.text().contains("\"viewers\":640"), "{}", ended.text());
    }
    folder.done("atlas merge 3.part 1.part 2.part -o merged.png -o merged.npy");
    for format in ["png", "npy"] {
        assert_eq!(folder.read(&format!("merged.{format}")), folder.read(&format!("whole.{format}")));
    }
    for (words, said) in [
        ("atlas merge 1.part 3.part -o x.npy", "missing: shard 2/3"),
        ("atlas merge 1.part 2.part 2.part 3.part -o x.npy", "2.part and 2.part both hold shard 2/3"),
        ("atlas merge 1.part 2.part whole.npy -o x.npy", "whole.npy: is not a part of an atlas"),
        ("atlas merge 1.part none.part -o x.npy", "none.part: "),
    ] {
        let ended = folder.run(words);
        assert_eq!(ended.code, 3, "{words}");
        assert!(ended.stderr.contains(said), "{words}: {}", ended.stderr);
    }
    folder.done("atlas --size 48x40 --seed 6 --radius 9 --shard 2/3 -o foreign.part");
    let ended = folder.run("atlas merge 1.part foreign.part 3.part -o x.npy");
    assert_eq!(ended.code, 3);
    assert!(ended.stderr.contains("foreign.part belongs to another atlas than 1.part"), "{}", ended.stderr);
    assert!(!folder.path("x.npy").exists());
}

#[test]
fn a_killed_run_resumes_to_the_same_bytes() {
    let folder = Folder::new();
    let scene = "--size 120x120 --radius 40 --threads 1";
    folder.done(&format!("atlas {scene} -o whole.npy"));
    let mut child = folder.command(&format!("atlas {scene} -o a.npy")).stderr(Stdio::null()).spawn().unwrap();
    // As soon as there is something to go on from; a machine quick enough to be done before is no fault.
    let part = folder.path("a.npy.part");
    while child.try_wait().unwrap().is_none() && std::fs::metadata(&part).map_or(0, |part| part.len()) < 40_000 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    child.wait().unwrap();
    if part.exists() {
        let ended = folder.run(&format!("atlas {scene} -o a.npy"));
        assert_eq!(ended.code, 3);
        assert!(ended.stderr.contains("continue it with --resume, or delete it"), "{}", ended.stderr);
        let ended = folder.run(&format!("atlas {scene} --seed 9 --resume -o a.npy"));
        assert_eq!(ended.code, 3);
        assert!(ended.stderr.contains("a.npy.part: belongs to another atlas"), "{}", ended.stderr);
    }
    let ended = folder.done(&format!("atlas {scene} --resume -o a.npy"));
    assert!(!part.exists(), "{}", ended.stderr);
    assert_eq!(folder.read("a.npy"), folder.read("whole.npy"));
}

#[test]
fn truncated_parts_resume_and_damaged_parts_are_errors() {
    let folder = Folder::new();
    folder.done(&format!("atlas {SMALL} --shard 1/1 -o whole.part"));
    let whole = folder.read("whole.part");
    folder.write("cut.part", &whole[..whole.len() - 900]);
    let ended = folder.run("atlas merge cut.part -o x.npy");
    assert_eq!(ended.code, 3);
    assert!(ended.stderr.contains("cut.part is not complete: it holds 1024 of 1920 cells"), "{}", ended.stderr);
    let ended = folder.done(&format!("atlas {SMALL} --shard 1/1 --resume -o cut.part"));
    assert!(ended.stderr.contains("going on after 1024 of 1920 cells"), "{}", ended.stderr);
    assert_eq!(folder.read("cut.part"), whole);

    let mut bytes = whole.clone();
    let last = bytes.len() - 100;
    bytes[last] ^= 1;
    let text = b"radius = 9";
    let at = whole.windows(text.len()).position(|words| words == text).expect("the preset is in the heading");
    let mut other = whole.clone();
    other[at + 9] = b'8';
    folder.write("other.part", other);
    let ended = folder.run("atlas merge other.part -o x.npy");
    assert_eq!(ended.code, 3, "{}", ended.stderr);
    assert!(ended.stderr.contains("other.part: is damaged: its header"), "{}", ended.stderr);
    folder.write("bad.part", &bytes);
    for words in [format!("atlas {SMALL} --shard 1/1 --resume -o bad.part"), "atlas merge bad.part -o x.npy".into()] {
        let ended = folder.run(&words);
        assert_eq!(ended.code, 3, "{words}");
        assert!(ended.stderr.contains("bad.part: is damaged at byte"), "{}", ended.stderr);
    }
    assert_eq!(folder.read("bad.part"), bytes, "a damaged file is left as it is");
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_part_file_and_names_it() {
    let folder = Folder::new();
    let scene = "--size 200x200 --radius 60 --threads 1 --method beam";
    let mut child = folder.command(&format!("atlas {scene} -o a.npy")).stderr(Stdio::piped()).spawn().unwrap();
    let part = folder.path("a.npy.part");
    while child.try_wait().unwrap().is_none() && std::fs::metadata(&part).map_or(0, |part| part.len()) < 20_000 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{words}");
    assert!(words.contains("stopped; a.npy.part holds ") && words.contains("go on with --resume"), "{words}");
    assert!(part.exists() && !folder.path("a.npy").exists());
}

#[test]
fn cells_and_every_choose_the_viewers() {
    let folder = Folder::new();
    folder.write("cells.txt", "x,y\n3,4\n# a tower\n40, 30\n3,4\n");
    folder.done(&format!("atlas {SMALL} -o all.npy"));
    folder.done(&format!("atlas {SMALL} --cells cells.txt -o some.npy"));
    folder.done(&format!("atlas {SMALL} --every 8 -o every.npy"));
    let [all, some, every] = ["all.npy", "some.npy", "every.npy"].map(|file| npy_values(&folder.read(file), 48, 40));
    for (i, value) in all.iter().enumerate() {
        let (x, y) = (i % 48, i / 48);
        let is = |there: bool, other: f32| if there { other == *value } else { other.is_nan() };
        assert!(is([(3, 4), (40, 30)].contains(&(x, y)), some[i]), "{x},{y}: {}", some[i]);
        assert!(is(x % 8 == 0 && y % 8 == 0, every[i]), "{x},{y}: {}", every[i]);
    }
}

#[test]
fn bad_input_exits_with_its_code_and_leaves_no_file() {
    let folder = Folder::new();
    folder.write("outside.txt", "1,1\n48,0\n");
    folder.write("words.txt", "1,1\nhere\n");
    folder.write("empty.txt", "# none\n");
    for (words, code, said) in [
        ("-o a.npy --cells outside.txt", 3, "outside.txt: cell 48,0 is outside the map of 48x40 cells"),
        ("-o a.npy --cells words.txt", 3, "words.txt: line 2: \"here\" is not a cell"),
        ("-o a.npy --cells empty.txt", 3, "empty.txt: the list of cells is empty"),
        ("-o a.npy --cells none.txt", 3, "none.txt: "),
        ("-o a.npy --every 0", 2, "0 is not in 1..=16384"),
        ("-o a.npy --every 2 --cells empty.txt", 2, "cannot be used with"),
        ("-o a.bmp", 2, "the extension .bmp is unknown"),
        ("-o a.npy -o a.npy", 2, "given twice"),
        ("-o -", 2, "needs --format"),
        ("-o - --format csv --resume", 2, "--resume needs a .part file"),
        ("-o a.npy --layer height", 2, "height"),
        ("-o a.npy --layer farthest --layer commanded", 2, "--layer is given 2 times for 1 file;"),
        ("-o a.npy --scale 3", 2, "--scale is for pictures"),
        ("-o a.txt", 2, "not for commanded"),
        ("-o a.txt --layer identified --every 2", 2, "no character for cells without a value"),
        ("-o a.part --shard 0/3", 2, "shard 0/3 does not exist"),
        ("-o a.npy --shard 1/3", 2, "a shard is written to a .part file"),
        ("-o a.part -o b.part --shard 1/3", 2, "one -o FILE.part"),
        ("-o a.part --shard 1/3 --layer farthest", 2, "cannot be used with"),
        ("-o none/a.npy", 4, "there is no folder none"),
        ("-o none/a.part --shard 1/2", 4, "there is no folder none"),
        ("", 2, "--output"),
    ] {
        folder.refused(code, &format!("atlas {SMALL} {words}"), &[said]);
    }
    for (words, code) in [("atlas merge -o a.npy", 2), ("atlas merge outside.txt -o a.npy", 3), ("atlas merge x", 2)] {
        assert_eq!(folder.run(words).code, code, "{words}");
    }
}

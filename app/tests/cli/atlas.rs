//! `farsight atlas`: values, checkpoints and errors.

use std::process::Stdio;
use std::time::Duration;

use super::{Folder, npy_values};

const SMALL: &str = "--size 48x40 --seed 5 --radius 9";

#[test]
fn layers_go_to_their_files_and_no_checkpoint_is_left() {
    let folder = Folder::new();
    let files = "--layer total-visibility --layer identified --layer farthest -o c.npy -o i.npy -o f.csv";
    let ended = folder.done(&format!("atlas {SMALL} {files}"));
    assert_eq!(ended.out, b"");
    assert_eq!(ended.stderr.lines().count(), 3, "{}", ended.stderr);
    assert!(ended.stderr.starts_with("wrote c.npy: total-visibility, 48x40 cells, 1920 viewers, at most "));
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
    let total = npy_values(&folder.read("c.npy"), 48, 40);
    let identified = npy_values(&folder.read("i.npy"), 48, 40);
    assert!(total.iter().all(|&sum| (1.0..=254.0).contains(&sum)));
    assert!(identified.iter().all(|share| (0.0..=1.0).contains(share)));
    let csv = String::from_utf8(folder.read("f.csv")).unwrap();
    assert!(csv.starts_with("x,y,farthest\n0,0,") && csv.lines().count() == 1921);

    // The sum is that of an export from the same cell.
    folder.done(&format!("export {SMALL} --at 20,17 -o v.npy"));
    let sum: f64 = npy_values(&folder.read("v.npy"), 48, 40).into_iter().map(f64::from).sum();
    assert!((f64::from(total[17 * 48 + 20]) - sum).abs() < 1e-4 * sum, "{sum}");
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
fn a_killed_run_resumes_to_the_same_bytes() {
    let folder = Folder::new();
    let scene = "--size 120x120 --radius 16 --threads 1";
    folder.done(&format!("atlas {scene} -o whole.npy"));
    let mut child = folder.command(&format!("atlas {scene} -o a.npy")).stderr(Stdio::null()).spawn().unwrap();
    // As soon as there is something to go on from; a machine quick enough to be done before is no fault.
    let checkpoint = folder.path("a.npy.checkpoint");
    while child.try_wait().unwrap().is_none() && std::fs::metadata(&checkpoint).map_or(0, |file| file.len()) < 40_000 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    child.wait().unwrap();
    if checkpoint.exists() {
        let ended = folder.run(&format!("atlas {scene} -o a.npy"));
        assert_eq!(ended.code, 3);
        assert!(ended.stderr.contains("continue it with --resume, or delete it"), "{}", ended.stderr);
        let ended = folder.run(&format!("atlas {scene} --seed 9 --resume -o a.npy"));
        assert_eq!(ended.code, 3);
        assert!(ended.stderr.contains("a.npy.checkpoint: belongs to another atlas"), "{}", ended.stderr);
    }
    let ended = folder.done(&format!("atlas {scene} --resume -o a.npy"));
    assert!(!checkpoint.exists(), "{}", ended.stderr);
    assert_eq!(folder.read("a.npy"), folder.read("whole.npy"));
}

#[cfg(target_os = "linux")]
#[test]
fn truncated_checkpoints_resume_and_damaged_ones_are_errors() {
    let folder = Folder::new();
    folder.done(&format!("atlas {SMALL} -q -o whole.npy"));
    folder.write_checkpoint(&format!("atlas {SMALL} --checkpoint whole.checkpoint"));
    let whole = folder.read("whole.checkpoint");
    let resume = |name: &str| format!("atlas {SMALL} --resume --checkpoint {name}.checkpoint -o {name}.npy");
    folder.write("cut.checkpoint", &whole[..whole.len() - 900]);
    let ended = folder.done(&resume("cut"));
    assert!(ended.stderr.contains("continuing after 1024 of 1920 cells"), "{}", ended.stderr);
    assert!(folder.read("cut.npy") == folder.read("whole.npy") && !folder.path("cut.checkpoint").exists());

    let mut bytes = whole.clone();
    let last = bytes.len() - 100;
    bytes[last] ^= 1;
    folder.write("bad.checkpoint", &bytes);
    folder.refused(3, &resume("bad"), &["bad.checkpoint: is damaged at byte"]);
    let text = b"radius = 9";
    let at = whole.windows(text.len()).position(|words| words == text).expect("the preset is in the heading");
    let mut other = whole;
    other[at + 9] = b'8';
    folder.write("other.checkpoint", other);
    folder.refused(3, &resume("other"), &["other.checkpoint: is damaged: its header"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_checkpoint_and_names_it() {
    let folder = Folder::new();
    let scene = "--size 200x200 --radius 60 --threads 1 --method beam";
    let mut child = folder.command(&format!("atlas {scene} -o a.npy")).stderr(Stdio::piped()).spawn().unwrap();
    let checkpoint = folder.path("a.npy.checkpoint");
    while child.try_wait().unwrap().is_none() && std::fs::metadata(&checkpoint).map_or(0, |file| file.len()) < 20_000 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{words}");
    assert!(words.contains("stopped; a.npy.checkpoint holds ") && words.contains("continue with --resume"), "{words}");
    assert!(checkpoint.exists() && !folder.path("a.npy").exists());
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
        ("-o - --format csv --resume", 2, "--resume needs a checkpoint"),
        ("-o a.npy --layer height", 2, "height"),
        ("-o a.npy --layer farthest --layer total-visibility", 2, "--layer is given 2 times for 1 file;"),
        ("-o a.npy --scale 3", 2, "--scale is for pictures"),
        ("-o a.txt", 2, "not for total-visibility"),
        ("-o a.txt --layer identified --every 2", 2, "no character for cells without a value"),
        ("-o none/a.npy", 4, "there is no folder none"),
        ("", 2, "--output"),
    ] {
        folder.refused(code, &format!("atlas {SMALL} {words}"), &[said]);
    }
}

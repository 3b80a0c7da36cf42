//! Files of strangers: they read no other file, and need neither endless time nor endless memory.

use serde_json::Value;

use super::{Folder, RIDGE};

/// The JSON of an export whose preset has one more line.
fn json_with_preset_line(folder: &Folder, line: &str) -> Vec<u8> {
    folder.done("export -q --size 32x32 --radius 4 -o good.json");
    let mut file: Value = serde_json::from_slice(&folder.read("good.json")).unwrap();
    let preset = &mut file["farsight"]["preset"];
    *preset = format!("{line}\n{}", preset.as_str().unwrap()).into();
    file.to_string().into_bytes()
}

/// A saved walk with a preset of one line. The checksum is FNV-1a.
fn walk_with_preset(line: &str) -> Vec<u8> {
    let body = serde_json::json!({
        "version": "0.1.0", "name": "", "preset": line, "size": [2, 2], "world": "0", "viewer": [0, 0],
        "memory": [[4, 0]], "turn": 0, "creatures": [],
    });
    with_checksum(&body.to_string())
}

/// The file of a saved walk with this JSON.
fn with_checksum(body: &str) -> Vec<u8> {
    let hash = body
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("farsight walk 1 {hash:016x}\n{body}").into_bytes()
}

#[test]
fn preset_inside_a_file_reads_no_other_file() {
    let folder = Folder::new();
    folder.write("secret.toml", "password = \"geheim\"\n");
    let secret = folder.path("secret.toml").display().to_string();
    for name in ["./secret.toml", &secret, "secret.toml"] {
        let line = format!("extends = \"{}\"", name.replace('\\', "\\\\"));
        folder.write("stranger.json", json_with_preset_line(&folder, &line));
        folder.write("stranger.farsight", walk_with_preset(&line));
        for flag in ["--from stranger.json", "--load stranger.farsight"] {
            let ended = folder.run(&format!("export {flag} -o x.png"));
            assert_eq!(ended.code, 3, "{}", ended.stderr);
            assert!(ended.stderr.contains("is not shipped: expected temperate, clear-day"), "{}", ended.stderr);
            assert!(!ended.stderr.contains("password") && !ended.stderr.contains("geheim"), "{}", ended.stderr);
        }
    }
    // A shipped name is fine.
    folder.write("stranger.json", json_with_preset_line(&folder, "extends = \"fog\""));
    folder.done("export -q --from stranger.json -o x.png");
    // The user's own text may extend a file.
    folder.write("base.toml", "extends = \"fog\"\n");
    assert_eq!(folder.run_with("presets check -", b"extends = \"base.toml\"\n").code, 0);
}

#[test]
fn preset_extends_no_device_stream_host_or_file_elsewhere() {
    let folder = Folder::new();
    folder.write("base.toml", "extends = \"fog\"\n");
    let elsewhere = folder.path("base.toml").display().to_string();
    let names = [
        "/dev/stdin",
        "/dev/fd/0",
        "/dev/zero",
        r"\\host\share\base.toml",
        r"\\.\COM1",
        "//host/share/base.toml",
        "https://example.org/base.toml",
        "file:base.toml",
        "C:base.toml",
        "sub/nul.toml",
        "LPT1",
        &elsewhere,
    ];
    for name in names {
        folder.write("mine.toml", format!("extends = '{name}'\n"));
        let said = format!(
            "farsight: mine.toml: extends: \"{name}\" is not valid: expected the name of a shipped preset, or a path"
        );
        folder.refused(3, "presets check mine.toml", &[&said, "in the folder of this one"]);
    }
    for name in ["base.toml", "./base.toml", "sub/../base.toml", "comb.toml", "console.toml"] {
        folder.write("mine.toml", format!("extends = '{name}'\n"));
        let ended = folder.run("presets check mine.toml");
        let is_missing = ended.stderr.contains("there is no such file");
        assert!(ended.code == 0 || is_missing, "{name}: {}", ended.stderr);
    }
}

#[test]
fn long_chain_of_presets_is_an_error() {
    let folder = Folder::new();
    let name = |i: usize| format!("p{i}.toml");
    for i in 0..3000 {
        folder.write(&name(i), format!("extends = \"{}\"\n", name(i + 1)));
    }
    folder.write(&name(3000), "");
    folder.refused(3, "presets check p0.toml", &["p0.toml: extends: the chain of presets is too long", "at most 32"]);
    // 32 that are extended are read, and one more is not.
    folder.done("presets check p2968.toml");
    folder.refused(3, "presets check p2967.toml", &["too long"]);
}

#[test]
fn scene_of_a_file_that_takes_long_is_refused_unless_it_is_allowed() {
    let folder = Folder::new();
    let said =
        ["its scene takes about ", " of one core and ", "expected at most 10 G cell updates; --allow-cost computes it"];
    let with_preset = |file: &str, preset: &str| {
        let mut json: Value = serde_json::from_slice(&folder.read(file)).unwrap();
        let seed = json["farsight"]["seed"].clone();
        json["farsight"]["preset"] = format!("world = {{ seed = {seed} }}\n{preset}").into();
        json.to_string()
    };
    let bomb = "sight = { method = \"exact\", samples = 32, radius = 4096 }";
    folder.done("export -q --size 32x32 --radius 4 -o good.json");
    folder.write("bomb.json", with_preset("good.json", bomb));
    folder.write("bomb.saved", walk_with_preset(bomb));
    for command in [
        "export --from bomb.json -o x.png",
        "export --load bomb.saved -o x.png",
        "explain --target 3,3 --from bomb.json",
    ] {
        folder.refused(3, command, &said);
    }
    // Its cost includes the flags.
    folder.done("export -q --from bomb.json --size 32x32 --radius 4 -o x.png");
    // Walls end the lines at once, which the estimate does not know.
    let walls = format!("{}\n", "#".repeat(1500)).repeat(1499) + &"#".repeat(1499) + "@\n";
    folder.write("walls.txt", walls);
    folder.done("export -q --map walls.txt --radius 4 -o map.json");
    folder.write("slow.json", with_preset("map.json", "sight = { method = \"exact\", samples = 2, radius = 4096 }"));
    folder.refused(3, "export --from slow.json --map walls.txt -o y.npy", &said);
    folder.done("export -q --from slow.json --map walls.txt --allow-cost -o y.npy");
}

#[test]
fn command_on_a_scene_of_a_file_is_refused_for_all_its_views_together() {
    let folder = Folder::new();
    let with_section = |file: &str, section: &str, values: &str| {
        let mut json: Value = serde_json::from_slice(&folder.read(file)).unwrap();
        let mut preset: toml::Table = json["farsight"]["preset"].as_str().unwrap().parse().unwrap();
        let values: toml::Table = format!("values = {values}").parse().unwrap();
        let section = preset.entry(section).or_insert(toml::Table::new().into());
        section.as_table_mut().unwrap().extend(values["values"].as_table().unwrap().clone());
        json["farsight"]["preset"] = preset.to_string().into();
        json.to_string()
    };
    folder.done("export -q --size 64x64 --radius 4 -o good.json");
    folder.done(&format!("export -q --heightmap {RIDGE} --at 140,104 --radius 4 -o ridge.json"));
    let observers: String = (0..60).map(|i| format!("{},5202895\n", 614_000 + 30 * i)).collect();
    folder.write("observers.csv", format!("x,y\n{observers}"));
    folder.write("slow.json", with_section("good.json", "sight", "{ method = \"exact\", samples = 16, radius = 64 }"));
    folder.write("reference.json", with_section("good.json", "sight", "{ samples = 32, radius = 64 }"));
    folder
        .write("hills.json", with_section("ridge.json", "sight", "{ method = \"exact\", samples = 24, radius = 60 }"));
    let wide = "{ width = 4000, height = 2500 }";
    folder.write("wide.json", with_section("good.json", "world", wide));
    for (command, what) in [
        ("atlas --from slow.json -o a.png".to_owned(), "slow.json: its atlas takes about "),
        ("walk --from slow.json --wander 100 -o a.gif".to_owned(), "slow.json: its film takes about "),
        ("compare --from reference.json".to_owned(), "reference.json: its comparison takes about "),
        ("sky --from wide.json -o a.tif".to_owned(), "wide.json: the sky over its cells takes about "),
        (
            format!("cumulative -q --from hills.json --heightmap {RIDGE} --observers observers.csv --count a.tif"),
            "hills.json: the view of all observers takes about ",
        ),
    ] {
        folder.refused(3, &command, &[what, "expected at most 10 G cell updates; --allow-cost computes it"]);
    }
    // One view, or few, are computed.
    folder.done("export -q --from slow.json -o a.npy");
    folder.done("atlas -q --from slow.json --every 32 -o a.npy");
    folder.done("walk -q --from slow.json --wander 2 -o a.gif");
    folder.done("compare -q --from reference.json --no-time --asymmetry-cells 2 --methods two-parent");
}

/// Every flag that reads a file, with the name of the file left open.
#[cfg(unix)]
const READERS: &[&str] = &[
    "export -o x.png --preset",
    "export -o x.png --from",
    "export -o x.png --load",
    "export -o x.csv --map",
    "export -o x.csv --heightmap",
    "export -o x.csv --heightmap g.asc --humidity",
    "atlas -o x.png --map m.txt --cells",
    "atlas -o x.png --map m.txt --resume --checkpoint",
    "compare --maps",
    "presets check",
    "presets show",
];

#[cfg(unix)]
#[test]
fn pipes_devices_and_folders_are_refused_by_name() {
    use std::process::Command;

    let folder = Folder::new();
    folder.write("m.txt", "....\n.@#.\n");
    folder.write("g.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n1 2\n3 4\n");
    for extension in ["toml", "json", "farsight", "npy", "tif", "txt", "checkpoint"] {
        let name = format!("pipe.{extension}");
        assert!(Command::new("mkfifo").arg(folder.path(&name)).status().unwrap().success());
        std::os::unix::fs::symlink("/dev/zero", folder.path(&format!("zero.{extension}"))).unwrap();
        std::fs::create_dir(folder.path(&format!("folder.{extension}"))).unwrap();
    }
    folder.write("mine.toml", "extends = \"pipe.toml\"\n");
    folder.refused(3, "presets check mine.toml", &["pipe.toml", "it is a pipe, not a file"]);
    for reader in READERS {
        let extension = match reader.split(' ').next_back().unwrap() {
            "--from" => "json",
            "--load" => "farsight",
            "--map" | "--humidity" | "--maps" => "npy",
            "--heightmap" => "tif",
            "--cells" => "txt",
            "--checkpoint" => "checkpoint",
            _ => "toml",
        };
        for (kind, said) in [("pipe", "it is a pipe"), ("zero", "it is a device"), ("folder", "folder")] {
            if kind == "pipe" && ["json", "npy", "tif"].contains(&extension) {
                continue; // maps and pictures may come from another program
            }
            let words = format!("{reader} {kind}.{extension}");
            let ended = folder.run(&words);
            let code = if reader.ends_with("--checkpoint") { 3..=4 } else { 3..=3 };
            assert!(code.contains(&ended.code), "{words}: {} {}", ended.code, ended.stderr);
            assert!(ended.stderr.contains(said), "{words}: {}", ended.stderr);
        }
    }
}

#[cfg(unix)]
#[test]
fn stream_that_a_shell_opens_is_read() {
    let folder = Folder::new();
    folder.write("m.txt", "....\n.@#.\n");
    folder.write("mine.toml", "[sight]\nradius = 3\n");
    for words in [
        "cat m.txt | FARSIGHT export -q --map /dev/stdin -o x.npy",
        "cat mine.toml | FARSIGHT export -q --size 32x32 --preset /dev/stdin -o x.json",
    ] {
        let line = words.replace("FARSIGHT", env!("CARGO_BIN_EXE_farsight"));
        let mut command = std::process::Command::new("sh");
        let ended = command.args(["-c", &line]).current_dir(folder.path("")).output().unwrap();
        assert!(ended.status.success(), "{words}: {}", String::from_utf8_lossy(&ended.stderr));
    }
    let file: Value = serde_json::from_slice(&folder.read("x.json")).unwrap();
    let preset = file["farsight"]["preset"].as_str().unwrap();
    assert!(preset.contains("\nradius = 3 ") || preset.contains("\nradius = 3\n"), "the preset is read, and once");
}

#[cfg(target_os = "linux")]
#[test]
fn endless_line_takes_no_endless_memory() {
    use std::io::Write;

    let folder = Folder::new();
    let limited_to = |kilobytes: u32, words: &str| {
        let line = format!("ulimit -v {kilobytes}; exec {} {words}", env!("CARGO_BIN_EXE_farsight"));
        let mut command = std::process::Command::new("sh");
        let ended = command.args(["-c", &line]).current_dir(folder.path("")).output().unwrap();
        let message = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(3), "{words}: {message}");
        message
    };
    let limited = |words: &str| limited_to(1_200_000, words);
    // Most file systems allocate no blocks for unwritten parts.
    let sparse = |name: &str, head: &[u8]| {
        let mut file = std::fs::File::create(folder.path(name)).unwrap();
        file.write_all(head).unwrap();
        file.set_len(2 << 30).unwrap();
    };
    sparse("long.csv", b"0,1\n0,");
    sparse("quoted.csv", b"0,1\n\"");
    sparse("long.asc", b"ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n");
    assert!(limited("export -o x.png --map long.csv").contains("line 2 has more than 16777216 bytes"));
    assert!(limited("export -o x.png --map quoted.csv").contains("line 2 has more than 16777216 bytes"));
    assert!(limited("export -o x.png --heightmap long.asc").contains("line 6: a word has more than 65536 bytes"));
    sparse("zeros.checkpoint", b"");
    sparse("other.checkpoint", b"farsight atlas checkpoint 0\n");
    for (file, said) in [("zeros", "is not a checkpoint of an atlas"), ("other", "was written by another version")] {
        let message = limited(&format!("atlas --size 9x9 --resume -o x.png --checkpoint {file}.checkpoint"));
        assert!(message.contains(&format!("{file}.checkpoint: {said}")), "{message}");
    }
    // A few bytes of a walk can claim any size.
    let body = "{\"version\":\"0.1.0\",\"name\":\"\",\"preset\":\"\",\"size\":[16384,16384],\"opacity\":[[268435456,0]],\
                \"map\":{\"name\":\"m\",\"digest\":\"\"},\"viewer\":[0,0],\"memory\":[[268435456,0]],\"turn\":0,\
                \"creatures\":[]}";
    folder.write("large.farsight", with_checksum(body));
    let said = limited_to(300_000, "export -o x.png --load large.farsight");
    assert!(said.contains("a map of 16384x16384 cells in a file of"), "{said}");
    let body = "{\"version\":\"0.1.0\",\"name\":\"\",\"preset\":\"[world]\\nwidth = 32\\nheight = 32\",\"world\":\"0\",\
                \"size\":[16384,16384],\"viewer\":[0,0],\"memory\":[[268435456,0]],\"turn\":0,\"creatures\":[]}";
    folder.write("large.farsight", with_checksum(body));
    let said = limited_to(300_000, "export -o x.png --load large.farsight");
    assert!(said.contains("the world differs from that of the saved walk"), "{said}");
}

#[test]
fn control_characters_and_long_names_do_not_reach_the_terminal() {
    let folder = Folder::new();
    let long = "k".repeat(100_000);
    folder.write("long.toml", format!("{long} = 1\n"));
    folder.write("list.toml", format!("[[lamps]]\nat = [1, 1]\n{long} = 1\n"));
    folder.write("value.toml", format!("[sight]\nmethod = \"{long}\"\n"));
    folder.write("parent.toml", format!("extends = \"{long}\"\n"));
    folder.write("key.toml", "\"\\u001b]0;title\\u0007\\n\" = 1\n");
    folder.write("list-key.toml", "[[lamps]]\nat = [1, 1]\n\"\\u001b[2J\" = 1\n");
    folder.write("bytes.toml", "[sight]\n\u{1b}[2J = 3\n");
    folder.write("name.toml", "extends = \"\\u001b[2J\"\n");
    let walk = String::from_utf8(walk_with_preset("")).unwrap();
    let body = walk.split_once('\n').unwrap().1.replace("\"0.1.0\"", "\"\\u001b[2J\\n\"");
    folder.write("version.farsight", with_checksum(&body));
    let mut file: Value = serde_json::from_slice(&json_with_preset_line(&folder, "")).unwrap();
    file["farsight"]["map"] = serde_json::json!({"name": "\u{1b}[2J\n", "digest": "\u{1b}"});
    file["farsight"]["version"] = "\u{1b}[2J\n".into();
    folder.write("map.json", file.to_string());
    let started = std::time::Instant::now();
    let feature = "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[0,0]},\
                   \"properties\":{\"name\":\"NAME\"}}";
    folder.write("far.geojson", feature.replace("NAME", &long));
    folder.write("far.csv", format!("name,x,y\n{long},0,0\n"));
    for (extension, said) in [("geojson", "outside the raster"), ("csv", "outside the raster")] {
        let words = format!("cumulative --heightmap {RIDGE} --observers far.{extension} --count c.tif");
        folder.refused(3, &words, &[said, "kkk…"]);
        assert!(folder.run(&words).stderr.len() < 600);
    }
    let flag_values = [
        "--method",
        "--at",
        "--layer",
        "--path-rule",
        "--set",
        "--size",
        "--sector",
        "--radius",
        "--map",
        "-o",
        "--preset",
    ];
    let mut long_flags: Vec<String> = flag_values.iter().map(|flag| format!("export -o x.png {flag} {long}")).collect();
    long_flags.extend([
        format!("gallery -o x.png --only {long}"),
        format!("export -o x.png --{long}"),
        format!("export --size 9x9 --radius 2 -o {long}/x.png"),
        long.clone(),
    ]);
    for words in &long_flags {
        let ended = folder.run(words);
        let start = &words[..words.len().min(60)];
        assert!(
            [2, 3, 4].contains(&ended.code) && ended.stderr.contains('…'),
            "{start}: {} {}",
            ended.code,
            ended.stderr
        );
        assert!(ended.stderr.len() < 2000, "{start}: {} bytes", ended.stderr.len());
        let is_told = ended.stderr.contains("--help")
            || ended.stderr.contains("could not")
            || ended.stderr.contains("not known")
            || ended.stderr.contains("too long");
        assert!(is_told, "{start}: {}", ended.stderr);
    }
    for words in [
        "presets check long.toml",
        "presets check list.toml",
        "presets check value.toml",
        "presets check parent.toml",
        "presets check key.toml",
        "presets check list-key.toml",
        "presets check bytes.toml",
        "presets check name.toml",
        "export --load version.farsight -o x.png",
        "export --from map.json -o x.png",
        "export --set \u{1b}[2J=1 -o x.png",
        "export --preset \u{1b}[2J -o x.png",
        "export --map \u{1b}[2J.npy -o x.png",
    ] {
        let ended = folder.run(words);
        assert!([2, 3].contains(&ended.code), "{words:?}: {} {:?}", ended.code, ended.stderr);
        let acts = |character: char| character.is_control() && character != '\n';
        assert!(!ended.stderr.contains(acts), "{words:?}: {:?}", ended.stderr);
        assert!(ended.stderr.len() < 2000, "{words:?}: {} bytes", ended.stderr.len());
    }
    assert!(started.elapsed().as_secs() < 20, "no time is lost on long names");
}

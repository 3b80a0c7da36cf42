//! Files of strangers: they read no other file, and need neither endless time nor endless memory.

use serde_json::Value;

use super::Folder;

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
    let body = body.to_string();
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
            assert_eq!(ended.code, 3, "{}", ended.words);
            assert!(ended.words.contains("is not shipped: expected temperate, clear-day"), "{}", ended.words);
            assert!(!ended.words.contains("password") && !ended.words.contains("geheim"), "{}", ended.words);
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

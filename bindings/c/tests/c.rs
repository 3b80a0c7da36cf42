//! The library from C: the header, the examples, bit-identical results, and invalid calls, under the address sanitizer.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use farsight::glam::{IVec2, ivec2};
use farsight::grid::CellRect;
use farsight::{FieldOfView, Grid, Job, OpacityMap};
use farsight_bindings::scene::{NamedScene, SceneLand};
use farsight_bindings::terrain::{self, Eye, Standing};
use farsight_bindings::{Values, sight};
use farsight_scene::cumulative::CumulativeLayer;

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compiles a program with the static library and the address sanitizer.
fn compile(compiler: &str, source: &str, programs: &Path) -> PathBuf {
    let tests = std::env::current_exe().expect("the path of the test");
    let library = tests.parent().expect("a folder").join("libfarsight_c.a");
    let program = programs.join(Path::new(source).file_stem().expect("a name"));
    let standard = if compiler == "c++" { "-std=c++17" } else { "-std=gnu11" };
    let status = Command::new(compiler)
        .args([standard, "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=address", "-I"])
        .args([&folder().join("include"), &folder().join(source), &library])
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program)
        .status();
    assert!(status.expect(compiler).success(), "{source} does not compile");
    program
}

fn run(program: &Path, arguments: &[&str]) -> Output {
    run_command(Command::new(program).args(arguments))
}

fn run_command(command: &mut Command) -> Output {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// `FARSIGHT_WRITE_HEADER=1` writes it.
#[test]
fn header_is_that_of_the_source() {
    let config = cbindgen::Config::from_file(folder().join("cbindgen.toml")).expect("a configuration");
    let source = cbindgen::Builder::new().with_crate(folder()).with_config(config).generate().expect("a header");
    let mut header = Vec::new();
    source.write(&mut header);
    let path = folder().join("include/farsight.h");
    if std::env::var_os("FARSIGHT_WRITE_HEADER").is_some() {
        std::fs::write(&path, &header).expect("the header is written");
    }
    let header = String::from_utf8(header).expect("text");
    assert_eq!(std::fs::read_to_string(path).expect("a header").replace('\r', ""), header);
}

#[cfg(target_os = "linux")]
#[test]
fn examples_show_what_they_say() {
    let programs = tempfile::tempdir().expect("a folder");
    let view = run(&compile("cc", "examples/field_of_view.c", programs.path()), &[]);
    let view = String::from_utf8(view.stdout).expect("text");
    let lines: Vec<_> = view.lines().collect();
    assert_eq!(lines.len(), 11, "{view}");
    assert!(lines[4].starts_with("%%@%%%%%%%   "), "{view}"); // the wall is seen, what is behind it is not
    assert!(view.contains("(22, 1) is seen at 50 %."), "{view}");
    assert!(view.contains("Closed handles are refused: sight: 2 is not valid: expected an open handle."), "{view}");

    let guide = std::fs::read_to_string(folder().join("../../docs/guide/c.md")).expect("a guide");
    let (_, example) = guide.split_once("```c\n").expect("an example");
    let source = programs.path().join("guide.c");
    std::fs::write(&source, example.split("```").next().expect("its end")).expect("a file");
    let guide = run(&compile("cc", source.to_str().expect("a path"), programs.path()), &[]);
    assert_eq!(String::from_utf8_lossy(&guide.stdout), "0.00\n");

    let scene = run(&compile("c++", "examples/scene.cpp", programs.path()), &[]);
    let scene = String::from_utf8(scene.stdout).expect("text");
    assert!(scene.contains("\"losses\":[{\"cause\":") && scene.contains("the ridge is 18 degrees high"), "{scene}");
}

#[cfg(target_os = "linux")]
#[test]
fn bits_are_those_of_the_library() {
    let programs = tempfile::tempdir().expect("a folder");
    let found = run(&compile("cc", "tests/bits.c", programs.path()), &[]).stdout;

    let size = ivec2(70, 50);
    let hash = |cell: IVec2| ((cell.y * size.x + cell.x) as u32).wrapping_mul(2_654_435_761);
    let opacity = Grid::from_fn(70, 50, |cell| match hash(cell) >> 29 {
        0 => (hash(cell) >> 27) as f32 / 4.0,
        _ => 0.0,
    });
    let heights = Grid::from_fn(70, 50, |cell| (hash(cell) >> 22) as f32 * 0.125);
    let values = Values::new(heights.as_slice(), 70, 50).expect("a map");
    let (job, viewers) = (Job::none(), [ivec2(30, 20), ivec2(65, 3)]);
    let eye = Eye { cell_size: (30.0, 25.0), eye: 10.0, target: 2.0, curvature: 0.87, max_distance: Some(900.0) };
    let mut map = OpacityMap::try_from(opacity).expect("opacities");
    map.set(viewers[0], 0.0).expect("a cell");
    let config = sight::sight_config(r#"{"radius": 20, "decay": {"kind": "smooth"}}"#).expect("a configuration");
    let mut fov = FieldOfView::new(config).expect("a configuration");

    let whole = CellRect::of_size(size);
    let mut expected = Vec::new();
    let view = fov.compute(&map, viewers[0]).expect("a view");
    expected.extend(whole.cells().map(|cell| view.get(cell)));
    for viewer in viewers {
        let view = fov.compute(&map, viewer).expect("a view");
        expected.extend(CellRect::around(viewer, 20).cells().map(|cell| view.get(cell)));
    }
    expected.push(fov.line_of_sight(&map, viewers[0], ivec2(41, 25)).expect("a line"));
    let mut seen = vec![0.0; 70 * 50];
    let exact = terrain::method_named("exact").expect("a method");
    terrain::viewshed(values, viewers[0], exact, 0.0, &eye, &Standing::default(), job)
        .expect("a viewshed")
        .write(size, &mut seen);
    expected.extend(seen);
    let two_parent = terrain::method_named("two-parent").expect("a method");
    let nearest = [CumulativeLayer::Nearest];
    let observers = terrain::Observers { cells: &viewers, columns: &[] };
    let layers = terrain::cumulative(values, observers, &nearest, two_parent, (0.0, 0.0), &eye, job).expect("layers");
    expected.extend(layers[0].as_slice());
    for point in terrain::skylines(values, &viewers[..1], 36, 0.0, &eye, job).expect("a skyline") {
        let [x, y] = point.cell.as_vec2().to_array();
        expected.extend([point.elevation_deg as f32, point.distance_m as f32, x, y]);
    }
    let land = SceneLand::Heights { ground: heights, cell_size: (30.0, 25.0) };
    let eye_height = [("optics.eye_height_m", "12")];
    let mut scene = NamedScene::new(None, eye_height, land, Some(viewers[0]), job).expect("a scene");
    scene.scene.place(viewers[1]).expect("a cell");
    expected.extend(scene.layer("perceived").expect("a layer").as_slice());

    let found: Vec<f32> =
        found.chunks_exact(4).map(|bytes| f32::from_ne_bytes(bytes.try_into().expect("four"))).collect();
    assert_eq!(found.len(), expected.len());
    let same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    assert_eq!(found.iter().zip(&expected).position(|pair| !same(pair)), None);
}

/// `FARSIGHT_SECONDS=600` runs for ten minutes, `FARSIGHT_SEED` begins with another call.
#[cfg(target_os = "linux")]
#[test]
fn random_calls_end_without_a_fault() {
    let programs = tempfile::tempdir().expect("a folder");
    let program = compile("cc", "tests/random_calls.c", programs.path());
    let seed = std::env::var("FARSIGHT_SEED").unwrap_or("1".into());
    match std::env::var("FARSIGHT_SECONDS") {
        Ok(seconds) => run(&program, &[&seed, &seconds, "1000000000"]),
        Err(_) => run(&program, &[&seed, "1000000", "3000"]), // the same number of calls on every machine
    };
}

/// Returns the functions that a text declares, each with the number of its parameters.
fn functions(declarations: &str) -> BTreeMap<&str, usize> {
    let declared = declarations.split("farsight_").skip(1).filter_map(|text| {
        let (name, rest) = text.split_once('(')?;
        let parameters = rest.split_once(");")?.0.trim();
        let is_name = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let count = if matches!(parameters, "" | "void") { 0 } else { parameters.split(',').count() };
        is_name.then_some((name, count))
    });
    declared.collect()
}

#[test]
fn declarations_of_c_sharp_are_those_of_the_header() {
    let read = |path| std::fs::read_to_string(folder().join(path)).expect("a file");
    let header: String = read("include/farsight.h").split("*/").filter_map(|part| part.split("/*").next()).collect();
    let sharp = read("examples/Farsight.cs").replace("(UnmanagedType.LPUTF8Str)", "");
    let sharp: String = sharp.lines().filter(|line| line.contains("[DllImport(Library)]")).collect();
    assert_eq!(functions(&sharp), functions(&header));
}

/// Needs the compiler and the runtime of Mono (`mono-mcs` and `mono-runtime` of Debian); without them, the declarations are compared only.
#[cfg(target_os = "linux")]
#[test]
fn example_in_c_sharp_shows_what_it_says() {
    if Command::new("mcs").arg("--version").output().is_err() {
        return;
    }
    let programs = tempfile::tempdir().expect("a folder");
    let program = programs.path().join("Farsight.exe");
    let mut compiler = Command::new("mcs");
    compiler.arg("-warnaserror").arg(format!("-out:{}", program.display())).arg(folder().join("examples/Farsight.cs"));
    run_command(&mut compiler);
    let libraries = std::env::current_exe().expect("the path of the test");
    let shown =
        run_command(Command::new("mono").arg(&program).env("LD_LIBRARY_PATH", libraries.parent().expect("a folder")));

    let opacity = Grid::from_fn(24, 9, |cell| if cell.x == 9 && (3..6).contains(&cell.y) { 1.0 } else { 0.0 });
    let config = sight::sight_config(r#"{"radius": 40}"#).expect("a configuration");
    let mut fov = FieldOfView::new(config).expect("a configuration");
    let map = OpacityMap::try_from(opacity).expect("opacities");
    let seen = 100.0 * fov.compute(&map, ivec2(2, 4)).expect("a view").get(ivec2(12, 4));
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        String::from_utf8_lossy(&shown.stdout),
        format!("farsight {version}: (12, 4) is seen at {seen:.0} %.\n")
    );
}

//! temp
#[cfg(feature = "explorer")]
fn main() {
    let script = std::env::args().nth(1).map(|p| std::fs::read_to_string(p).unwrap());
    let name = std::env::args().nth(2).unwrap_or("temperate".into());
    let preset = Box::new(farsight::Preset::named(&name).unwrap());
    let start = farsight::explorer::Start::Preset { preset, viewer: None };
    let r = farsight::explorer::run(farsight::explorer::ExploreOptions { start, name, script, ..Default::default() });
    if let Err(e) = r {
        eprintln!("{e}");
        std::process::exit(e.exit_code() as i32)
    }
}
#[cfg(not(feature = "explorer"))]
fn main() {}

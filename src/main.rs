//! temp
fn main() {
    let script = std::env::args().nth(1).map(|p| std::fs::read_to_string(p).unwrap());
    let r = farsight::explorer::run(farsight::explorer::ExploreOptions { script, ..Default::default() });
    if let Err(e) = r { eprintln!("{e}"); std::process::exit(e.exit_code() as i32) }
}

use farsight::*;
fn main() {
    let preset = std::env::args().nth(1).unwrap_or("temperate".into());
    let seed: u64 = std::env::args().nth(2).map_or(1, |s| s.parse().unwrap());
    let out = std::env::args().nth(3).unwrap_or("/tmp/look.png".into());
    let whole = std::env::args().nth(4).is_some();
    let mut preset = Preset::named(&preset).unwrap();
    preset.world.seed = seed;
    let t = std::time::Instant::now();
    let mut scene = Scene::generate(preset, None, &Job::quiet()).unwrap();
    eprintln!("generate {:?} viewer {}", t.elapsed(), scene.viewer());
    let t = std::time::Instant::now();
    for _ in 0..20 { scene.see().unwrap(); }
    eprintln!("see {:?}", t.elapsed() / 20);
    let t = std::time::Instant::now();
    for _ in 0..20 { scene.look().unwrap(); }
    eprintln!("look {:?}", t.elapsed() / 20);
    let map = CellRect::of_size(scene.size());
    let (frame, zoom) = if whole { (map, Zoom::PixelsPerCell(2)) } else { (CellRect::around(scene.viewer(), 70).intersect(map), Zoom::PixelsPerCell(7)) };
    let options = PaintOptions { frame, zoom, backdrop: Backdrop::Land, unseen: Unseen::Mapped };
    let t = std::time::Instant::now();
    let picture = paint(&scene, &options);
    eprintln!("paint {:?}", t.elapsed());
    let picture = with_legend(&picture, &scene, &options, "temperate  seed 1  viewer 200,100");
    image::save_buffer(&out, picture.rgba(), picture.width() as u32, picture.height() as u32, image::ColorType::Rgba8).unwrap();
}

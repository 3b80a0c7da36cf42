//! A window of macroquad: the arrow keys move a torch through rooms, and the floor has the colour of what is seen and lit.
//!
//! `cargo run --release -p farsight-app --example torch_window`

use farsight::prelude::*;
use macroquad::prelude as mq;

const ROOMS: &str = "\
########################
#..........#...........#
#..........#...........#
#......................#
#..........#....5555...#
#..........#...........#
####.##########.########
#......................#
#...#....#....#....#...#
#......................#
########################";
const CELL: f32 = 32.0;

#[macroquad::main("Torch")]
async fn main() {
    let map = OpacityMap::from_text(ROOMS).expect("a valid map");
    let mut eyes = FieldOfView::new(SightConfig::default()).expect("a valid configuration");
    let mut light = LightMap::new(&map);
    let mut at = ivec2(4, 3);
    let torch = Lamp::new(at).with_flicker(Flicker::Flame);
    let torch = light.insert(&map, torch).expect("the torch is on the map");
    loop {
        let keys = [(mq::KeyCode::Left, IVec2::NEG_X), (mq::KeyCode::Right, IVec2::X)];
        let keys = keys.into_iter().chain([(mq::KeyCode::Up, IVec2::NEG_Y), (mq::KeyCode::Down, IVec2::Y)]);
        for (_, step) in keys.filter(|(key, _)| mq::is_key_pressed(*key)) {
            if map.get(at + step) < Some(1.0) {
                at += step;
                light.move_to(&map, torch, at).expect("the torch is on the map");
            }
        }
        light.set_time(mq::get_time());
        let view = eyes.compute(&map, at).expect("the torch is on the map");
        mq::clear_background(mq::BLACK);
        for (cell, visibility) in view.visible() {
            let ground = if map.is_wall(cell) { [0.6, 0.5, 0.4] } else { [0.9, 0.9, 0.8] };
            let hue = light.hue_from(&map, cell, at);
            let light = visibility * light.level_from(&map, cell, at);
            let [red, green, blue] = [0, 1, 2].map(|i| ground[i] * hue[i] * light);
            let (x, y) = (cell.x as f32 * CELL, cell.y as f32 * CELL);
            mq::draw_rectangle(x, y, CELL, CELL, mq::Color::new(red, green, blue, 1.0));
        }
        mq::next_frame().await;
    }
}

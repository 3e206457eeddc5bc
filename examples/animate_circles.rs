//! Animates circles with one renderer, which keeps its threads and memory, into animate_circles_00.png and so on.
//!
//!     ffmpeg -i animate_circles_%02d.png film.mp4

use std::error::Error;

use roundel::circles::{CircleScene, PaintedCircle};
use roundel::{Frame, RenderSettings, Renderer, Srgba8};

const FRAMES: usize = 24;

fn main() -> Result<(), Box<dyn Error>> {
    let mut renderer = Renderer::new(&RenderSettings::default())?;
    let mut frame = Frame::new(320, 240, Srgba8::WHITE)?;
    let mut circles: Vec<PaintedCircle> = (0..60_u8)
        .map(|i| PaintedCircle::new([0.0, 0.0], 6.0, Srgba8::rgb(0x1f, 0x77, 0xb4).with_alpha(80 + 2 * i)))
        .collect();
    for step in 0..FRAMES {
        let turn = std::f32::consts::TAU * step as f32 / FRAMES as f32;
        for (circle, place) in circles.iter_mut().zip(0_u8..) {
            let angle = turn + 0.3 * f32::from(place);
            let radius = 1.8 * f32::from(place);
            // std's own sine differs between platforms
            let (sine, cosine) = libm::sincosf(angle);
            circle.center = [160.0 + radius * cosine, 120.0 + radius * sine];
        }
        // the scene borrows the circles: nothing is copied
        let scene = CircleScene::new(320, 240).with_layer(&circles[..]);
        renderer.render(&scene.into(), &mut frame)?;
        frame.save_png(format!("animate_circles_{step:02}.png"))?;
    }
    println!("wrote {FRAMES} pictures");
    Ok(())
}

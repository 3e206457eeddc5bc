//! Draws turning spheres into the buffer of a minifb window; softbuffer and others take the same pixels. The first
//! picture is also written to window_spheres.png, even without a display.

use std::error::Error;

use minifb::{Key, Window, WindowOptions};
use roundel::generate::{self, Pattern};
use roundel::spheres::{Camera, SphereScene};
use roundel::{Frame, RenderSettings, Renderer, Srgba8};

const SIZE: (u32, u32) = (640, 480);

fn main() -> Result<(), Box<dyn Error>> {
    let spheres = generate::spheres(Pattern::Sphereflake, 820, 1);
    let mut renderer = Renderer::new(&RenderSettings::default())?;
    let mut frame = Frame::new(SIZE.0, SIZE.1, Srgba8::BLACK)?;
    let mut draw = |angle: f32| -> roundel::Result<Frame> {
        let (sine, cosine) = libm::sincosf(angle);
        let camera = Camera::look_at([5.0 * sine, 2.0, 5.0 * cosine], [0.0; 3]);
        let scene = SphereScene::new(camera, SIZE.0, SIZE.1).with_spheres(&spheres[..]);
        renderer.render(&scene.into(), &mut frame)?;
        Ok(frame.clone())
    };
    draw(0.0)?.save_png("window_spheres.png")?;
    let Ok(mut window) = Window::new("roundel", SIZE.0 as usize, SIZE.1 as usize, WindowOptions::default()) else {
        println!("no display");
        return Ok(());
    };
    window.set_target_fps(60);
    let (mut buffer, mut angle) = (Vec::new(), 0.0);
    while window.is_open() && !window.is_key_down(Key::Escape) {
        buffer.clear();
        buffer.extend(draw(angle)?.pixels_0rgb());
        window.update_with_buffer(&buffer, SIZE.0 as usize, SIZE.1 as usize)?;
        angle += 0.02;
    }
    Ok(())
}

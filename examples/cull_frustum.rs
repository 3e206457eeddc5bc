//! A loop of a game that simulates only what its camera sees: spheres are tested against the six planes of the camera's
//! frustum. Draws the last step into cull_frustum.png, or into the file named as argument.

use std::error::Error;

use roundel::geom::{Side, Sphere};
use roundel::spheres::{Camera, PaintedSphere, SphereScene};
use roundel::{Frame, RenderSettings, Renderer, Srgba8};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or("cull_frustum.png".to_owned());
    let (width, height) = (480_u32, 360_u32);
    let grid = (0..40_u8).flat_map(|x| (0..40_u8).map(move |z| [f32::from(x) - 20.0, 0.0, f32::from(z) - 20.0]));
    let mut spheres: Vec<_> =
        grid.map(|center| PaintedSphere::new(center, 0.3, Srgba8::rgb(0x88, 0x88, 0x88))).collect();
    let mut renderer = Renderer::new(&RenderSettings::default())?;
    let mut frame = Frame::new(width, height, Srgba8::WHITE)?;
    for step in 0..30_u8 {
        let (sine, cosine) = libm::sincosf(0.05 * f32::from(step));
        let camera = Camera::look_at([0.0, 3.0, 0.0], [10.0 * cosine, 0.0, 10.0 * sine]);
        let seen = camera.frustum(width as f32 / height as f32, 0.1, 100.0);
        let mut simulated = 0;
        for sphere in &mut spheres {
            if seen.side_of(&Sphere::new(sphere.center, sphere.radius)) != Side::Outside {
                simulated += 1;
                // the balls jump, and redden the longer they are seen
                sphere.center[1] = libm::sinf(0.3 * f32::from(step) + sphere.center[0]).abs();
                sphere.color.r = sphere.color.r.saturating_add(8);
            }
        }
        let scene = SphereScene::new(camera, width, height).with_spheres(&spheres[..]);
        let statistics = renderer.render(&scene.into(), &mut frame)?;
        println!("step {step}: {simulated} of {} simulated, {} drawn", spheres.len(), statistics.visible);
    }
    frame.save_png(&path)?;
    Ok(())
}

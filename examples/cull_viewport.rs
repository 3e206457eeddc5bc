//! Culls circles against a viewport, and draws what that does into cull_viewport.png, or the file named as argument:
//! grey ones are outside, blue ones inside, orange ones cross the viewport's edge and would have to be clipped.

use std::error::Error;

use roundel::geom::{Aabb, Body, Circle, box_sphere};
use roundel::{
    Blend, Canvas, CircleScene, Layer, Pattern, Scene, Settings, Srgba8, generate_circles, render, write_png,
};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or("cull_viewport.png".to_owned());
    let viewport = Aabb { min: [110.0, 70.0], max: [290.0, 230.0] };
    let mut circles = generate_circles(Pattern::Uniform, 900, 4);
    for circle in &mut circles {
        let [x, y] = circle.center;
        (circle.center, circle.radius) = ([200.0 + 200.0 * x, 150.0 + 150.0 * y], 130.0 * circle.radius);
        let body = Circle { center: circle.center, radius: circle.radius };
        let touches = box_sphere(&viewport, Body::Solid, &body, Body::Solid);
        let crosses_edge = box_sphere(&viewport, Body::Hollow, &body, Body::Solid);
        circle.color = match (touches, crosses_edge) {
            (false, _) => Srgba8::opaque(0xd8, 0xd8, 0xd8),
            (true, false) => Srgba8::opaque(0x1f, 0x77, 0xb4),
            (true, true) => Srgba8::opaque(0xff, 0x7f, 0x0e),
        };
    }
    let canvas = Canvas { width: 400, height: 300, background: Srgba8::WHITE, blend: Blend::Srgb };
    let scene = Scene::Circles(CircleScene { canvas, layers: vec![Layer::Circles(circles.into())] });
    write_png(path.as_ref(), &render(&scene, &Settings::default())?)?;
    println!("wrote {path}");
    Ok(())
}

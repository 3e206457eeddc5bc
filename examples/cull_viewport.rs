//! Culls circles against a viewport and draws the result into cull_viewport.png, or the file named as argument:
//! grey circles are outside, blue ones inside, orange ones cross the viewport's edge and would have to be clipped.

use std::error::Error;

use roundel::circles::CircleScene;
use roundel::generate::{self, Pattern};
use roundel::geom::{Aabb, Body, Circle, box_sphere};
use roundel::{RenderSettings, Srgba8, render};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or("cull_viewport.png".to_owned());
    let viewport = Aabb { min: [110.0, 70.0], max: [290.0, 230.0] };
    let mut circles = generate::circles(Pattern::Uniform, 900, 4);
    for circle in &mut circles {
        let [x, y] = circle.center;
        (circle.center, circle.radius) = ([200.0 + 200.0 * x, 150.0 + 150.0 * y], 130.0 * circle.radius);
        let body = Circle { center: circle.center, radius: circle.radius };
        let touches = box_sphere(&viewport, Body::Solid, &body, Body::Solid);
        let crosses_edge = box_sphere(&viewport, Body::Hollow, &body, Body::Solid);
        circle.color = match (touches, crosses_edge) {
            (false, _) => Srgba8::rgb(0xd8, 0xd8, 0xd8),
            (true, false) => Srgba8::rgb(0x1f, 0x77, 0xb4),
            (true, true) => Srgba8::rgb(0xff, 0x7f, 0x0e),
        };
    }
    let scene = CircleScene::new(400, 300).with_layer(circles);
    render(&scene.into(), &RenderSettings::default())?.save_png(&path)?;
    println!("wrote {path}");
    Ok(())
}

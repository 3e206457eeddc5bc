//! Draws translucent circles and a ring into draw_circles.png, or into the file named as argument.

use std::error::Error;

use roundel::circles::{CircleScene, PaintedCircle, PaintedEllipse, Stroke};
use roundel::{RenderSettings, Srgba8, render};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or("draw_circles.png".to_owned());
    let disc = |x: f32, y: f32, color: Srgba8| PaintedCircle::new([x, y], 70.0, color.with_alpha(0xb0));
    let discs = vec![
        disc(160.0, 95.0, Srgba8::rgb(0xd6, 0x27, 0x28)),
        disc(125.0, 155.0, Srgba8::rgb(0x2c, 0xa0, 0x2c)),
        disc(195.0, 155.0, Srgba8::rgb(0x1f, 0x77, 0xb4)),
    ];
    let ring = PaintedEllipse::ring([160.0, 135.0], [150.0, 115.0], Stroke::new(3.0), Srgba8::BLACK);
    // bottom to top
    let scene = CircleScene::new(320, 270).with_layer(discs).with_layer(vec![ring]);
    render(&scene.into(), &RenderSettings::default())?.save_png(&path)?;
    println!("wrote {path}");
    Ok(())
}

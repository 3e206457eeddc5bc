//! Draws translucent circles and a ring into draw_circles.png, or into the file named as argument.

use std::error::Error;

use roundel::{
    Blend, Canvas, CircleScene, Layer, PaintedCircle, PaintedEllipse, Scene, Settings, Srgba8, Style, render, write_png,
};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or("draw_circles.png".to_owned());
    let disc = |x: f32, y: f32, color: Srgba8| PaintedCircle { center: [x, y], radius: 70.0, color };
    let discs = vec![
        disc(160.0, 95.0, Srgba8::opaque(0xd6, 0x27, 0x28).with_alpha(0xb0)),
        disc(125.0, 155.0, Srgba8::opaque(0x2c, 0xa0, 0x2c).with_alpha(0xb0)),
        disc(195.0, 155.0, Srgba8::opaque(0x1f, 0x77, 0xb4).with_alpha(0xb0)),
    ];
    let ring = PaintedEllipse {
        center: [160.0, 135.0],
        radii: [150.0, 115.0],
        style: Style::Stroke { width: 3.0 },
        color: Srgba8::BLACK,
    };
    let scene = Scene::Circles(CircleScene {
        canvas: Canvas { width: 320, height: 270, background: Srgba8::WHITE, blend: Blend::Srgb },
        // bottom to top
        layers: vec![Layer::Circles(discs.into()), Layer::Ellipses(vec![ring].into())],
    });
    write_png(path.as_ref(), &render(&scene, &Settings::default())?)?;
    println!("wrote {path}");
    Ok(())
}

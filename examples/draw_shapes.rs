//! Draws a bond between two atoms, an ellipsoid and an arrow into draw_shapes.png, or into the file named as argument.
//!
//!     cargo run --release --example draw_shapes [-- OUT.png]

use std::error::Error;
use std::path::PathBuf;

use roundel::arrows::PaintedArrow;
use roundel::cylinders::PaintedCylinder;
use roundel::ellipsoids::PaintedEllipsoid;
use roundel::glam::Quat;
use roundel::spheres::{Camera, PaintedSphere, Shading, ShadingPreset, SphereScene};
use roundel::{RenderSettings, Srgba8, render};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).map_or("draw_shapes.png".into(), PathBuf::from);
    let [carbon, oxygen] = [Srgba8::rgb(0x90, 0x90, 0x90), Srgba8::rgb(0xff, 0x0d, 0x0d)];
    let [left, right] = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let atoms = vec![PaintedSphere::new(left, 0.5, carbon), PaintedSphere::new(right, 0.5, oxygen)];
    let bond = PaintedCylinder::new(left, right, 0.2, carbon).with_end_color(oxygen);
    let grain = PaintedEllipsoid::new([0.0, 1.2, 0.0], [0.8, 0.3, 0.5], Srgba8::rgb(0x44, 0x77, 0xaa));
    let dipole = PaintedArrow::new([-1.0, -1.0, 0.0], [2.0, 0.0, 0.0], 0.08, Srgba8::rgb(0xdd, 0xaa, 0x33));
    let scene = SphereScene::new(Camera::look_at([2.0, 1.5, 6.0], [0.0, 0.1, 0.0]), 480, 360)
        .with_spheres(atoms)
        .with_cylinders(vec![bond])
        .with_ellipsoids(vec![grain.with_rotation(Quat::from_xyzw(0.0, 0.0, 0.28, 0.96))])
        .with_arrows(&[dipole])
        .with_shading(Shading::preset(ShadingPreset::Studio).with_samples(9));
    render(&scene.into(), &RenderSettings::default())?.save_png(&path)?;
    println!("wrote {}", path.display());
    Ok(())
}

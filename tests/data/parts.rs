//! Single shapes of a scene file are a part of their own.

use crate::files::Folder;
use roundel::io::{LoadOptions, load};
use roundel::{RenderSettings, render};

/// A part of one convex shape has the same surfaces in both models.
#[test]
fn a_single_shape_is_no_part_of_a_file() {
    let folder = Folder::new();
    folder.file("one.csv", "x,y,z\n0,0,0\n");
    for shape in [
        "[[ellipsoid]]\ncenter = [0.9, 0, 0]\nradii = [0.8, 0.6, 0.7]",
        "[[cylinder]]\nstart = [0.5, 0, 0]\nend = [1.5, 0.2, 0.1]\nradius = 0.4",
        "[[sphere]]\ncenter = [0.9, 0, 0]\nradius = 0.7",
    ] {
        let draw = |model: &str| {
            let text = format!(
                "[camera]\neye = [0.4, 0, 6]\ntarget = [0.4, 0, 0]\northo_height = 3\nwidth = 60\nheight = 40\n\
                 [render]\nlook = \"flat\"\noutline_width = 0\nsamples = 1\ntransparency = \"{model}\"\n\
                 [[spheres]]\nfile = \"one.csv\"\nradius = 1\ncolor = \"#f00\"\nopacity = 0.5\n\
                 {shape}\ncolor = \"#0000ff80\"\n"
            );
            let loaded = load(folder.file("scene.toml", text), &LoadOptions::default()).expect("readable");
            render(&loaded.scene, &RenderSettings::default()).expect("it draws")
        };
        assert!(draw("shell").pixels() == draw("surfaces").pixels(), "{shape}");
    }
}

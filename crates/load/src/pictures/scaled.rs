//! Pictures in the size that their figure asks for.

use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::options::load_options::LoadOptions;
use crate::options::picture_settings;
use crate::scene::Scene;
use crate::scene::circles::ViewBox;

/// Scales the pixels of a scene as its figure asks.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
pub fn scaled<'a>(scene: Scene<'a>, figure: &mut Figure, options: &LoadOptions) -> Result<Scene<'a>> {
    let size = scene.size();
    figure.suit_type(size);
    let scale = match options.figure.pixels()? {
        Some(pixels) => {
            /// Least width of a picture beside a legend, in pixels.
            const NARROWEST: f64 = 16.0;
            let pixels = f64::from(pixels);
            let width = pixels - f64::from(figure.fit_legend(pixels, f64::from(size.1) / f64::from(size.0)));
            if width < NARROWEST {
                return Err(Error::setting("figure_width", "leaves no room beside the legend"));
            }
            width / f64::from(size.0)
        }
        None => figure.print.scale,
    };
    if scale == 1.0 || scale == 0.0 {
        return Ok(scene);
    }
    let side = |side: u32| ((f64::from(side) * scale + 0.5) as u32).max(1);
    let (width, height) = scene.size();
    let size = picture_settings::checked(options, (side(width), side(height)))?;
    Ok(match scene {
        Scene::Circles(scene) => {
            figure.scale_circles(f64::from(size.1) / f64::from(height));
            let whole =
                ViewBox { center: [width, height].map(|side| 0.5 * f64::from(side)), height: f64::from(height) };
            figure.move_labels(&whole, size);
            Scene::Circles(scene.in_view_box(&whole, size))
        }
        Scene::Spheres(mut scene) => {
            (scene.view.width, scene.view.height) = size;
            Scene::Spheres(scene)
        }
    })
}

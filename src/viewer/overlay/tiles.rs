//! The tiles over the picture: how many shapes each keeps, and how each tests against the picked circle.
//!
//! A tile is redder the more shapes it keeps, and clear if it keeps none. Tiles that touch the bounding box of the
//! picked circle show the result of the box–circle tests instead: yellow where the rim crosses the tile, blue where the
//! tile lies inside the circle, green where the test rejects what the bounding box would keep.

use super::screen::{Screen, ScreenRect};
use crate::geom::{Aabb, Body, Circle, box_sphere};
use roundel_render::inner::TileMap;

const RED: u32 = 0xd6_27_28;
const YELLOW: u32 = 0xff_d7_4a;
const BLUE: u32 = 0x1f_77_b4;
const GREEN: u32 = 0x2c_a0_2c;
const LINE: u32 = 0x88_88_88;

/// Draws the tiles of a picture that begins `top` rows below the top of the screen. `circle` is the picked circle in
/// the picture's pixels.
pub(in crate::viewer) fn draw(screen: &mut Screen, map: &TileMap, circle: Option<&Circle>, top: u32) {
    let side = map.side as usize;
    let most = map.kept.iter().copied().max().unwrap_or(0);
    let line = screen.line_height();
    for (tile, &kept) in map.kept.iter().enumerate() {
        let rect = ScreenRect { x: tile % map.columns * side, y: tile / map.columns * side, width: side, height: side };
        let color = circle.and_then(|circle| test_color(rect, circle));
        let rect = ScreenRect { y: rect.y + top as usize, ..rect };
        if let Some(color) = color {
            screen.tint(rect, color, 170);
        } else if kept > 0 {
            screen.tint(rect, RED, opacity(kept, most));
        }
        screen.fill(ScreenRect { height: 1, ..rect }, LINE);
        screen.fill(ScreenRect { width: 1, ..rect }, LINE);
        let text = abbreviate(kept);
        if screen.text_width(&text) + 4 <= side && line + 4 <= side {
            let (width, height) = (screen.text_width(&text) + 2, screen.line_height());
            screen.veil(ScreenRect { x: rect.x + 1, y: rect.y + 1, width, height });
            screen.draw_text(rect.x + 2, rect.y + 1, &text);
        }
    }
}

/// Returns the colour for the result of the box–circle tests; `None` for a tile outside the circle's bounding box.
fn test_color(rect: ScreenRect, circle: &Circle) -> Option<u32> {
    #[expect(clippy::cast_precision_loss, reason = "a window has fewer than 2^24 pixels a side")]
    let [left, top, right, bottom] =
        [rect.x, rect.y, rect.x + rect.width, rect.y + rect.height].map(|edge| edge as f32);
    let tile = Aabb { min: [left, top], max: [right, bottom] };
    let [x, y] = circle.center;
    let r = circle.radius;
    if x + r < left || x - r > right || y + r < top || y - r > bottom {
        None
    } else if box_sphere(&tile, Body::Solid, circle, Body::Hollow) {
        Some(YELLOW)
    } else if box_sphere(&tile, Body::Solid, circle, Body::Solid) {
        Some(BLUE)
    } else {
        Some(GREEN)
    }
}

/// Returns a tile's opacity in 256ths. It grows with the logarithm, so that one shape shows beside a million.
fn opacity(kept: u64, most: u64) -> u32 {
    let bits = |count: u64| 64 - count.leading_zeros();
    40 + 120 * bits(kept) / bits(most).max(1)
}

/// Writes a count below a thousand million in at most four characters.
fn abbreviate(count: u64) -> String {
    match count {
        0..1000 => count.to_string(),
        1000..1_000_000 => format!("{}k", count / 1000),
        _ => format!("{}M", count / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_around_a_circle_show_each_test_result() {
        let circle = Circle { center: [100.0, 100.0], radius: 60.0 };
        let tile = |x, y| test_color(ScreenRect { x, y, width: 16, height: 16 }, &circle);
        assert_eq!(tile(96, 96), Some(BLUE));
        assert_eq!(tile(32, 96), Some(YELLOW));
        assert_eq!(tile(41, 41), Some(GREEN), "in the bounding box's corner, which the circle misses");
        assert_eq!(tile(0, 96), None);
    }

    #[test]
    fn counts_are_abbreviated_and_opacity_grows() {
        assert_eq!([0, 999, 1000, 999_999, 12_345_678].map(abbreviate), ["0", "999", "1k", "999k", "12M"]);
        assert!(opacity(1, 1_000_000) < opacity(1000, 1_000_000));
        assert_eq!(opacity(7, 7), 160);
    }
}

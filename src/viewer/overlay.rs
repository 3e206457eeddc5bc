//! The tiles drawn over the picture: how many shapes each keeps, and what became of the shape under the mouse.
//!
//! A tile with nothing in it is left clear: it has rejected everything. Others are the redder the more they keep. Around a
//! picked circle, the tiles of its bounding box show what the box–circle tests say: yellow its rim runs through
//! the tile, blue the tile lies wholly inside, green rejected, though the box reaches it.

use super::screen::{Area, Screen, WHITE};
use crate::geom::{Aabb, Body, Circle, box_sphere};
use crate::render::TileMap;

const RED: u32 = 0xd6_27_28;
const YELLOW: u32 = 0xff_d7_4a;
const BLUE: u32 = 0x1f_77_b4;
const GREEN: u32 = 0x2c_a0_2c;
const LINE: u32 = 0x88_88_88;

/// Draws the tiles; `circle` is what the mouse is over, in pixels of the window.
pub(super) fn draw(screen: &mut Screen, map: &TileMap, circle: Option<&Circle>) {
    let side = map.side as usize;
    let most = map.kept.iter().copied().max().unwrap_or(0);
    let (letter, line) = screen.letter();
    for (tile, &kept) in map.kept.iter().enumerate() {
        let area = Area { x: tile % map.columns * side, y: tile / map.columns * side, width: side, height: side };
        if let Some(color) = circle.and_then(|circle| verdict(area, circle)) {
            screen.tint(area, color, 170);
        } else if kept > 0 {
            screen.tint(area, RED, strength(kept, most));
        }
        screen.fill(Area { height: 1, ..area }, LINE);
        screen.fill(Area { width: 1, ..area }, LINE);
        let text = short(kept);
        if text.len() * letter + 4 <= side && line + 4 <= side {
            screen.write(area.x + 3, area.y + 3, 0, &text);
            screen.write(area.x + 2, area.y + 2, WHITE, &text);
        }
    }
}

/// What the box–circle tests say of a tile; `None` where the circle's bounding box does not reach it.
fn verdict(area: Area, circle: &Circle) -> Option<u32> {
    #[expect(clippy::cast_precision_loss, reason = "a window has fewer than 2^24 pixels a side")]
    let [left, top, right, bottom] =
        [area.x, area.y, area.x + area.width, area.y + area.height].map(|edge| edge as f32);
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

/// How red a tile is, of 256: by the number of digits, so that one shape is seen beside a million.
fn strength(kept: u64, most: u64) -> u32 {
    let digits = |count: u64| 64 - count.leading_zeros();
    40 + 120 * digits(kept) / digits(most).max(1)
}

/// A count in at most four characters.
fn short(count: u64) -> String {
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
    fn tiles_of_a_circle_are_told_apart() {
        let circle = Circle { center: [100.0, 100.0], radius: 60.0 };
        let tile = |x, y| verdict(Area { x, y, width: 16, height: 16 }, &circle);
        assert_eq!(tile(96, 96), Some(BLUE));
        assert_eq!(tile(32, 96), Some(YELLOW));
        assert_eq!(tile(41, 41), Some(GREEN), "the box's corner, which the circle misses");
        assert_eq!(tile(0, 96), None);
    }

    #[test]
    fn counts_are_short() {
        assert_eq!([0, 999, 1000, 999_999, 12_345_678].map(short), ["0", "999", "1k", "999k", "12M"]);
        assert!(strength(1, 1_000_000) < strength(1000, 1_000_000));
        assert_eq!(strength(7, 7), 160);
    }
}

//! A chart, whose picture is a binary snapshot of insta in `tests/chart.rs`.

/// Bars of these heights, 16 × 16 pixels each: rows of red, green, blue and alpha.
#[must_use]
pub fn chart(heights: &[u32]) -> (u32, u32, Vec<u8>) {
    const BAR: u32 = 16;
    let width = BAR * u32::try_from(heights.len()).expect("few bars");
    let mut pixels = Vec::new();
    for y in 0..BAR {
        for x in 0..width {
            let height = heights[(x / BAR) as usize];
            let is_filled = BAR - y <= height && x % BAR > 2;
            pixels.extend(if is_filled { [0x1f, 0x77, 0xb4, 255] } else { [255; 4] });
        }
    }
    (width, BAR, pixels)
}

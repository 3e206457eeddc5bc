//! Text over the picture: numbers, help, the scale bar, and the shape under the mouse.

use std::time::Duration;

use super::super::camera::Viewpoint;
use super::super::pick::PickedShape;
use super::super::progressive::FrameInfo;
use super::super::slider::{SLIDER_HEIGHT, Slider};
use super::super::state::ViewerState;
use super::screen::{Screen, ScreenRect};
use crate::scene::spheres::{Projection, Shading};

#[derive(Clone, Copy, Debug)]
pub(in crate::viewer) struct HudInfo<'a> {
    pub(in crate::viewer) frame: &'a FrameInfo,
    /// The frame's time; `None` leaves it out.
    pub(in crate::viewer) time: Option<Duration>,
    /// The current file and frame; empty if there is only one.
    pub(in crate::viewer) position: &'a str,
    /// The last action or error; may be empty.
    pub(in crate::viewer) message: &'a str,
    pub(in crate::viewer) picked: Option<&'a PickedShape>,
    /// Rows of the screen above and below the picture, which hold marks.
    pub(in crate::viewer) rows_beside: [u32; 2],
    /// Whether one of the marks is a scale bar.
    pub(in crate::viewer) has_scale_bar: bool,
}

/// The help text: keys and what they do.
const HELP: [[&str; 2]; 21] = [
    ["left drag", "orbit (circles: pan)"],
    ["right/shift drag", "pan"],
    ["wheel", "zoom"],
    ["Ctrl+wheel", "zoom to the mouse"],
    ["click", "say what is there"],
    ["shift+click", "also if it is translucent"],
    ["middle click", "turn around it"],
    ["1 3 7 9", "front, right, top, opposite"],
    ["5", "perspective or parallel rays"],
    ["F", "fit everything"],
    ["Enter", "back to the first view"],
    ["L  A  S", "look, occlusion, shadows"],
    ["T", "tiles and what they reject"],
    ["I  H", "numbers, help"],
    ["F12", "screenshot, and its command"],
    ["Space", "play frames as a film"],
    ["Left  Right", "previous, next frame"],
    ["E", "write the film, stop it"],
    ["Up  Down", "previous, next file"],
    ["Esc", "close"],
    ["at rest", "the picture is what `roundel render` draws"],
];

pub(in crate::viewer) fn draw(screen: &mut Screen, state: &ViewerState, info: &HudInfo<'_>) {
    let toggles = state.toggles;
    let (width, height) = screen.size();
    let line = screen.line_height();
    let [above, below] = info.rows_beside.map(|rows| rows as usize);
    let help = toggles.help.then(|| {
        let lines = HELP.map(|[key, what]| format!("{key}\t{what}"));
        let (panel_width, panel_height) = screen.panel_size(&lines);
        let (x, y) = (width.saturating_sub(panel_width) / 2, height.saturating_sub(panel_height) / 2);
        screen.draw_panel(x, y, &lines);
        ScreenRect { x, y, width: panel_width, height: panel_height }
    });
    // overlapping text is unreadable: boxes under the help wait until it is closed
    let panel = |screen: &mut Screen, y: usize, lines: &[String]| {
        let (width, height) = screen.panel_size(lines);
        let rect = ScreenRect { x: line / 2, y, width, height };
        if help.is_none_or(|help| !help.overlaps(rect)) {
            screen.draw_panel(rect.x, y, lines);
        }
    };
    if toggles.hud {
        let lines = [status(state, info)];
        let (width, height) = screen.panel_size(&lines);
        panel(screen, above + line / 2, &lines);
        if help.is_none() && !info.frame.is_final {
            draw_progress(
                screen,
                ScreenRect { x: line / 2, y: above + line / 2 + height, width, height: line / 6 },
                state,
                info,
            );
        }
        if !info.has_scale_bar {
            draw_scale_bar(screen, state);
        }
    }
    let mut bottom = height.saturating_sub(below + line / 2);
    let picture = state.picture().size;
    if toggles.hud && state.slider.is_shown(picture) {
        draw_slider(screen, &state.slider, picture, above);
        bottom = bottom.saturating_sub(SLIDER_HEIGHT as usize);
    }
    if let Some(picked) = info.picked.filter(|_| toggles.hud) {
        let lines: Vec<String> = picked.lines().iter().map(|line| line.replace(":\t", "\t")).collect();
        let (_, panel_height) = screen.panel_size(&lines);
        bottom = bottom.saturating_sub(panel_height);
        panel(screen, bottom, &lines);
        bottom = bottom.saturating_sub(line / 2);
    }
    if !info.message.is_empty() && toggles.hud {
        let lines = [info.message.to_owned()];
        let (_, panel_height) = screen.panel_size(&lines);
        panel(screen, bottom.saturating_sub(panel_height), &lines);
    }
}

/// Describes how close the frame is to the final picture.
pub(in crate::viewer) fn quality(frame: &FrameInfo) -> String {
    match (frame.divisor, frame.level, frame.is_final) {
        (_, _, true) => "finished".to_owned(),
        (1, 0, _) => "refining".to_owned(),
        (1, ..) => "thinned".to_owned(),
        (divisor, 0, _) => format!("1/{divisor} size"),
        (divisor, ..) => format!("1/{divisor} size, thinned"),
    }
}

/// The line at the top: the number of shapes and the look; with tiles also the number of rejected shapes, and the time of a frame.
fn status(state: &ViewerState, info: &HudInfo<'_>) -> String {
    let (frame, final_picture) = (info.frame, state.picture());
    let culled = frame.statistics.culled;
    let seen = frame.statistics.shapes.saturating_sub(culled);
    let mut parts = Vec::new();
    match final_picture.viewpoint {
        Viewpoint::Camera(camera) => {
            parts.push(format!("{seen} {}", if seen == 1 { "sphere" } else { "spheres" }));
            let wanted = final_picture.shading;
            let light = [(wanted.ambient_occlusion.is_on(), ", occlusion"), (wanted.shadows, ", shadows")];
            let light = light.into_iter().filter(|(is_on, _)| *is_on).map(|(_, name)| name);
            parts.push(wanted.look.to_string() + &light.collect::<String>());
            if let Projection::Orthographic { .. } = camera.projection {
                parts.push("parallel rays".to_owned());
            }
        }
        Viewpoint::ViewBox(_) => {
            parts.push(format!("{seen} {}", if seen == 1 { "circle" } else { "circles" }));
            parts.push(format!("{:.4} x", 1.0 / state.units_per_pixel()));
        }
    }
    if state.toggles.tiles {
        parts.push(format!("{culled} culled"));
        parts.extend(info.time.map(|time| format!("{:.1} ms", time.as_secs_f64() * 1e3)));
    }
    if !info.position.is_empty() {
        parts.push(info.position.to_owned());
    }
    if state.is_playing() {
        parts.push("playing".to_owned());
    } else if !frame.is_final {
        parts.push(quality(frame));
    }
    parts.push("H: help".to_owned());
    parts.join("   ")
}

/// Draws the share of the final picture's rays that the frame has as a bar.
fn draw_progress(screen: &mut Screen, bar: ScreenRect, state: &ViewerState, info: &HudInfo<'_>) {
    let rays = |shading: &Shading| u64::from(shading.samples) * u64::from(shading.ambient_occlusion.rays() + 1);
    let (now, wanted) = (rays(&info.frame.shading), rays(&state.picture().shading).max(1));
    let done = usize::try_from(bar.width as u64 * now.min(wanted) / wanted).unwrap_or(bar.width);
    screen.veil(bar);
    screen.fill(ScreenRect { width: done, ..bar }, screen.ink());
}

/// Draws the slider at the bottom of the picture, which begins `above` rows below the top of the screen.
fn draw_slider(screen: &mut Screen, slider: &Slider, size: (u32, u32), above: usize) {
    /// Thickness of the line, and side of the knob on it, in pixels.
    const LINE: usize = 4;
    const KNOB: usize = 12;
    let ink = screen.ink();
    let [first, last, place] = slider.columns(size).map(|column| column as usize);
    let middle = above + (size.1 - SLIDER_HEIGHT / 2) as usize;
    let y = middle - SLIDER_HEIGHT as usize / 2;
    screen.veil(ScreenRect { x: 0, y, width: size.0 as usize, height: SLIDER_HEIGHT as usize });
    screen.fill(ScreenRect { x: first, y: middle - LINE / 2, width: last - first, height: LINE }, GRAY);
    screen.fill(ScreenRect { x: first, y: middle - LINE / 2, width: place - first, height: LINE }, ink);
    let x = place.saturating_sub(KNOB / 2);
    screen.fill(ScreenRect { x, y: middle - KNOB / 2, width: KNOB, height: KNOB }, ink);
}

/// Colour of the slider's line beyond the current frame.
const GRAY: u32 = 0x80_80_80;

/// Draws a bar of a round length in the lower right corner. In perspective its length holds at the target's distance.
fn draw_scale_bar(screen: &mut Screen, state: &ViewerState) {
    let (width, height) = screen.size();
    let line = screen.line_height();
    let (length, label) = round_length(state.units_per_pixel() * (width as f64 / 5.0));
    let pixels = length / state.units_per_pixel();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a fifth of the window")]
    let pixels = pixels as usize;
    let label_width = screen.text_width(&label);
    let box_width = pixels.max(label_width) + line;
    let above = if state.slider.is_shown(state.picture().size) { SLIDER_HEIGHT as usize } else { 0 };
    let (x, y) = (width.saturating_sub(box_width + line / 2), height.saturating_sub(3 * line + above));
    let ink = screen.ink();
    let left = x + (box_width - pixels) / 2;
    let thickness = line / 5;
    screen.fill(ScreenRect { x: left, y: y + line / 2, width: pixels, height: thickness }, ink);
    for end in [left, left + pixels - thickness.min(pixels)] {
        screen.fill(ScreenRect { x: end, y: y + line / 4, width: thickness, height: line / 2 + thickness }, ink);
    }
    screen.draw_text(x + (box_width - label_width) / 2, y + 5 * line / 4, &label);
}

/// Returns the largest length up to `max` that is 1, 2 or 5 times a power of ten, and its label.
fn round_length(max: f64) -> (f64, String) {
    let exponent = libm::floor(libm::log10(max));
    let unit = libm::pow(10.0, exponent);
    let digit = [5.0, 2.0, 1.0].into_iter().find(|digit| digit * unit <= max * (1.0 + 1e-9)).unwrap_or(1.0);
    let length = digit * unit;
    let label = if (-3.0..5.0).contains(&exponent) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 3")]
        let digits = (-exponent).max(0.0) as usize;
        format!("{length:.digits$}")
    } else {
        format!("{digit}e{exponent}")
    };
    (length, label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_bars_have_round_lengths() {
        for (max, length, label) in [
            (7.3, 5.0, "5"),
            (4.9, 2.0, "2"),
            (1.0, 1.0, "1"),
            (0.99, 0.5, "0.5"),
            (0.0031, 0.002, "0.002"),
            (1234.0, 1000.0, "1000"),
            (3e-7, 2e-7, "2e-7"),
            (6.1e9, 5e9, "5e9"),
        ] {
            let (found, found_label) = round_length(max);
            assert!((found / length - 1.0).abs() < 1e-12, "{max}: {found}");
            assert_eq!(found_label, label, "{max}");
        }
    }
}

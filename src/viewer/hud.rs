//! What is written over the picture: numbers, help, the scale bar, and what the mouse points at.

use std::time::Duration;

use super::pick::Picked;
use super::screen::{Area, Screen, WHITE};
use super::state::{Aim, ViewerState};
use crate::scene::spheres::{Projection, Shading};

/// What the shown picture is and what it took.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// `None`: not to be said.
    pub(super) time: Option<Duration>,
    /// Shapes of the scene, and how many of them the picture leaves out.
    pub(super) shapes: u64,
    pub(super) culled: u64,
    pub(super) shading: Shading,
    /// Window pixels to the side of a drawn pixel.
    pub(super) divisor: u32,
    /// The scene has been thinned to one shape in 2^this.
    pub(super) thinned: bool,
    /// Nothing is left to refine.
    pub(super) finished: bool,
    /// File and frame, where there are several.
    pub(super) place: String,
    /// The last thing that went wrong or was done.
    pub(super) message: String,
}

/// The keys and what they do.
const HELP: [&str; 21] = [
    "left drag         orbit (circles: pan)",
    "right/shift drag  pan",
    "wheel             zoom",
    "Ctrl+wheel        zoom to the mouse",
    "click             say what is there",
    "middle click      turn around it",
    "1 3 7 9           front, right, top, opposite",
    "5                 perspective or parallel rays",
    "F                 fit everything",
    "Enter             back to the first view",
    "A  S              ambient occlusion, shadows",
    "T                 tiles and what they reject",
    "I  H              numbers, help",
    "F12               screenshot, and its command",
    "Space             play frames",
    "Left  Right       previous, next frame",
    "Up  Down          previous, next file",
    "Esc               close",
    "",
    "At rest the picture becomes what",
    "`roundel render` draws, to the pixel.",
];

/// Writes all that is switched on.
pub(super) fn write(screen: &mut Screen, state: &ViewerState, facts: &Facts, picked: Option<&Picked>) {
    let switches = state.switches();
    let (width, height) = screen.size();
    let (_, line) = screen.letter();
    if switches.hud {
        screen.panel(line / 2, line / 2, &numbers(state, facts));
        scale_bar(screen, state);
    }
    let mut bottom = height.saturating_sub(line / 2);
    if let Some(picked) = picked.filter(|_| switches.hud) {
        let lines = picked.lines();
        let panel = screen.panel_size(&lines);
        bottom = bottom.saturating_sub(panel.height);
        screen.panel(line / 2, bottom, &lines);
        bottom = bottom.saturating_sub(line / 2);
    }
    if !facts.message.is_empty() && switches.hud {
        let lines = [facts.message.clone()];
        let panel = screen.panel_size(&lines);
        screen.panel(line / 2, bottom.saturating_sub(panel.height), &lines);
    }
    if switches.help {
        let lines = HELP.map(str::to_owned);
        let panel = screen.panel_size(&lines);
        screen.panel(width.saturating_sub(panel.width) / 2, height.saturating_sub(panel.height) / 2, &lines);
    }
}

/// How fine the picture is.
pub(super) fn detail(facts: &Facts) -> String {
    match (facts.divisor, facts.thinned, facts.finished) {
        (_, _, true) => "finished".to_owned(),
        (1, false, _) => "refining".to_owned(),
        (1, true, _) => "thinned".to_owned(),
        (divisor, false, _) => format!("1/{divisor} size"),
        (divisor, true, _) => format!("1/{divisor} size, thinned"),
    }
}

fn numbers(state: &ViewerState, facts: &Facts) -> Vec<String> {
    let time = facts.time.map_or_else(String::new, |time| format!("{:.1} ms  ", time.as_secs_f64() * 1e3));
    let mut lines = vec![time + &detail(facts)];
    let seen = facts.shapes.saturating_sub(facts.culled);
    match state.aim() {
        Aim::Camera(camera) => {
            lines.push(format!("{seen} spheres seen, {} culled", facts.culled));
            let wish = state.shading();
            let shadows = if wish.shadows { "on" } else { "off" };
            lines.push(format!(
                "{}/{} samples  AO {}/{}  shadows {shadows}",
                facts.shading.samples, wish.samples, facts.shading.ao_rays, wish.ao_rays
            ));
            if let Projection::Orthographic { .. } = camera.projection {
                lines.push("parallel rays".to_owned());
            }
        }
        Aim::ViewBox(_) => {
            lines.push(format!("{seen} circles seen, {} culled", facts.culled));
            lines.push(format!("{:.4} x", 1.0 / state.units_per_pixel()));
        }
    }
    if !facts.place.is_empty() {
        lines.push(facts.place.clone());
    }
    if state.playing() {
        lines.push("playing".to_owned());
    }
    lines.push("H: help".to_owned());
    lines
}

/// A bar of a round length in the lower right corner; in perspective it holds as far away as the target.
fn scale_bar(screen: &mut Screen, state: &ViewerState) {
    let (width, height) = screen.size();
    let (letter, line) = screen.letter();
    let (length, label) = round_length(state.units_per_pixel() * (width as f64 / 5.0));
    let pixels = length / state.units_per_pixel();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a fifth of the window")]
    let pixels = pixels as usize;
    let box_width = pixels.max(label.len() * letter) + 2 * letter;
    let (x, y) = (width.saturating_sub(box_width + line / 2), height.saturating_sub(3 * line));
    screen.darken(Area { x, y, width: box_width, height: 5 * line / 2 });
    let left = x + (box_width - pixels) / 2;
    let thin = line / 5;
    screen.fill(Area { x: left, y: y + line / 2, width: pixels, height: thin }, WHITE);
    for end in [left, left + pixels - thin.min(pixels)] {
        screen.fill(Area { x: end, y: y + line / 4, width: thin, height: line / 2 + thin }, WHITE);
    }
    screen.write(x + (box_width - label.len() * letter) / 2, y + 5 * line / 4, WHITE, &label);
}

/// The greatest of 1, 2 and 5 times a power of ten that is not greater, and its name.
fn round_length(most: f64) -> (f64, String) {
    let exponent = libm::floor(libm::log10(most));
    let unit = libm::pow(10.0, exponent);
    let digit = [5.0, 2.0, 1.0].into_iter().find(|digit| digit * unit <= most * (1.0 + 1e-9)).unwrap_or(1.0);
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
        for (most, length, label) in [
            (7.3, 5.0, "5"),
            (4.9, 2.0, "2"),
            (1.0, 1.0, "1"),
            (0.99, 0.5, "0.5"),
            (0.0031, 0.002, "0.002"),
            (1234.0, 1000.0, "1000"),
            (3e-7, 2e-7, "2e-7"),
            (6.1e9, 5e9, "5e9"),
        ] {
            let (found, name) = round_length(most);
            assert!((found / length - 1.0).abs() < 1e-12, "{most}: {found}");
            assert_eq!(name, label, "{most}");
        }
    }

    #[test]
    fn help_fits_a_small_window() {
        assert!(HELP.iter().all(|line| line.len() <= 48 && line.is_ascii()));
    }
}

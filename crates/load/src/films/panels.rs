//! One scale for all panels and frames of a film: cameras, colours and legend, found in one pass over the frames.

use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::films::colors::FrameColors;
use crate::films::framing::Framed;
use crate::films::view::{
    DataFrame, FilmFrames, FilmView, FrameSurvey, IDLE, fix_sizes, largest_alpha, measured, states_camera,
};
use crate::options::load_options::LoadOptions;
use crate::pictures::panel_cameras::{common_aspect, lie_apart, may_look_at_own, share_scale};
use crate::pictures::several::{self, Arranged, FrameChoice, PanelPart};
use crate::scales::arrow_scale::ArrowScale;
use crate::scene::Scene;
use crate::scene::spheres::{Background, Camera, SphereScene};

/// The cameras of a film's panels, before they turn, and the shape of a panel.
#[derive(Clone, Debug)]
pub struct PanelCameras {
    /// One for each panel, in the order of panels, or fewer that repeat: one for all, or for each side.
    pub cameras: Vec<Camera>,
    /// Width and height of a panel that shows everything.
    pub natural: (f64, f64),
}

impl PanelCameras {
    /// The size of a panel in whole pixels.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    pub fn size(&self) -> (u32, u32) {
        let side = |side: f64| ((side + 0.5) as u32).max(1);
        (side(self.natural.0), side(self.natural.1))
    }
}

/// The files and frames that a frame of a film shows side by side.
pub fn files_and_frames(parts: &[DataFrame]) -> (Vec<PathBuf>, FrameChoice) {
    let paths = parts.iter().map(|part| part.path.clone()).collect();
    (paths, FrameChoice::Each(parts.iter().map(|part| part.frame).collect()))
}

/// Finds the colours and cameras that all panels and frames of a film share, for frames of so many parts each. The options of
/// the view have the colours, not the camera. The cameras are `None` where the first frame's panels have the film's cameras.
///
/// # Errors
/// As [`film_view`](super::view::film_view); if files cannot be panels.
pub fn panels_view(
    frames: FilmFrames<'_>,
    parts: usize,
    options: &LoadOptions,
    sweep: Option<[f64; 2]>,
    progress: &mut dyn FnMut(u64) -> Result<()>,
) -> Result<(FilmView, Option<PanelCameras>)> {
    let options = &LoadOptions { frame: None, ..options.clone() };
    let (first, rest) = (&frames.frames[..parts], frames.after(parts));
    let rest_frames = without_repeats(rest.frames, parts);
    let rest = FilmFrames { frames: &rest_frames, ..rest };
    let (paths, choice) = files_and_frames(first);
    let arranged = several::read_panels(&paths, &choice, &before_turns(options, sweep))?;
    let Arranged { drawing, parts, other_sides, .. } = &arranged;
    let Scene::Spheres(all) = &drawing.scene else { unreachable!("panels of files show spheres") };
    let mut fixed = LoadOptions { origin: Some(all.origin), ..options.clone() };
    fix_sizes(&mut fixed, drawing.suited_radius, all);
    let single = of_one_panel(&LoadOptions { origin: fixed.origin, ..options.clone() });
    let read = |frame| measured(frames.files, frame, &single, sweep);
    let first = first.iter().map(read).collect::<Result<Vec<_>>>()?;
    let is_framed = !states_camera(options) && (sweep.is_some() || !rest.frames.is_empty());
    let framings = if is_framed { framings(all, other_sides, parts, &single, sweep) } else { Vec::new() };
    let mut survey =
        FrameSurvey { colors: FrameColors::of(&first, options), arrows: ArrowScale::of(options), framings };
    let notes = survey.add_all(&first, rest, &single, sweep, progress)?;
    let (mut notes, framings) = survey.fix(notes, &mut fixed);
    // the panels of the first frame have its notes
    notes.retain(|note| note.contains(IDLE) || !first.iter().any(|part| part.notes.contains(note)));
    let cameras = if framings.is_empty() { None } else { Some(cameras(framings, &single)?) };
    let has_alpha = matches!(all.view.background, Background::Solid(color) if color.a < 255);
    let alpha = largest_alpha(&drawing.scene);
    Ok((FilmView { options: fixed, notes, has_alpha, alpha }, cameras))
}

/// The options of the picture in a panel, from its first side.
fn of_one_panel(options: &LoadOptions) -> LoadOptions {
    let mut single = LoadOptions { views: Vec::new(), ..options.clone() };
    single.view = options.views.first().copied().or(options.view);
    (single.figure.grid, single.figure.panel_title) = (None, Vec::new());
    single
}

/// The options without the angles of a camera that turns.
pub fn before_turns(options: &LoadOptions, sweep: Option<[f64; 2]>) -> LoadOptions {
    let mut still = options.clone();
    if sweep.is_some() {
        (still.azimuth, still.elevation, still.roll) = (None, None, None);
    }
    still
}

/// The frames without repetitions of the frame of their part before them: a film that has ended holds its last frame.
fn without_repeats(frames: &[DataFrame], parts: usize) -> Vec<DataFrame> {
    let repeats = |index: usize| {
        let before = index.checked_sub(parts).and_then(|before| frames.get(before));
        before.is_some_and(|before| before.path == frames[index].path && before.frame == frames[index].frame)
    };
    (0..frames.len()).filter(|index| !repeats(*index)).map(|index| frames[index].clone()).collect()
}

/// The cameras to find: one for each side, or for each side of each part where files lie far apart.
fn framings(
    all: &SphereScene<'static>,
    other_sides: &[SphereScene<'static>],
    parts: &[PanelPart],
    options: &LoadOptions,
    sweep: Option<[f64; 2]>,
) -> Vec<Framed> {
    let sides = || std::iter::once(all).chain(other_sides);
    if parts.len() > 1 && lie_apart(all, parts) && may_look_at_own(options, parts) {
        let of_part = |index: usize, side: &SphereScene<'static>| {
            let mut own = side.clone();
            let groups = &parts[index].groups;
            own.groups = side.groups[groups.clone()].to_vec();
            own.shapes = side.shapes.of_companions(groups);
            Framed::new(&own, options, sweep).of_part(index)
        };
        return (0..parts.len()).flat_map(|index| sides().map(move |side| of_part(index, side))).collect();
    }
    sides().map(|side| Framed::new(side, options, sweep)).collect()
}

/// The cameras of all panels, at one scale, and the shape of a panel.
fn cameras(framings: Vec<Framed>, options: &LoadOptions) -> Result<PanelCameras> {
    let sides = framings.len();
    let found = framings.into_iter().map(|framing| framing.camera(options)).collect::<Result<Vec<_>>>()?;
    let (_, (width, height)) = *found.first().ok_or_else(|| Error::setting("frames", "must be one at least"))?;
    let natural = match sides {
        1 => (f64::from(width), f64::from(height)),
        _ => (f64::from(height) * common_aspect(&found), f64::from(height)),
    };
    let mut cameras: Vec<Camera> = found.into_iter().map(|(camera, _)| camera).collect();
    if sides > 1 {
        share_scale(cameras.iter_mut());
    }
    Ok(PanelCameras { cameras, natural })
}

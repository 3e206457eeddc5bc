//! Films of panels: several files, or several sides of one, under cameras and scales that all frames share.

use crate::error::{Error, Result};
use crate::io::{GridRequest, LoadOptions, SceneGrid};
use crate::scene::spheres::Camera;
use roundel_load::films::panels::{before_turns, files_and_frames, panels_view};
use roundel_load::films::view::{DataFrame, FilmFrames, FilmView, IDLE, state_camera, turned_camera};
use roundel_load::options::routes::Route;
use roundel_load::options::same_view;
use roundel_load::pictures::several;

/// The panels of a film.
#[derive(Clone, Debug)]
pub(super) struct FilmGrid {
    request: GridRequest,
    /// The panels of the first frame without shapes: their layout, marks and cameras.
    empty: SceneGrid,
    /// The cameras of the panels before they turn.
    cameras: Vec<Camera>,
}

impl FilmGrid {
    /// Finds the options that all frames share, in one pass over them, for frames of so many parts each.
    pub(super) fn plan(
        frames: FilmFrames<'_>,
        parts: usize,
        picture: &LoadOptions,
        sweep: Option<[f64; 2]>,
        progress: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<(Self, FilmView)> {
        let request = GridRequest::new(&*same_view::applied(picture)?)?;
        Route::Film.check(&request.of_panels)?;
        request.count(parts)?;
        let (mut view, stated) = panels_view(frames, parts, &request.of_panels, sweep, progress)?;
        let first = &frames.frames[..parts];
        if let Some(stated) = &stated {
            state_first(&mut view.options, &stated.cameras, sweep);
            let (width, height) = stated.size();
            let own = &request.of_panels;
            (view.options.width, view.options.height) = (own.width.or(Some(width)), own.height.or(Some(height)));
        }
        let (paths, choice) = files_and_frames(first);
        let arranged = several::read_panels(&paths, &choice, &before_turns(&view.options, sweep))?;
        let mut grid = request.arrange(arranged, parts, stated.as_ref())?;
        let mut cameras = Vec::new();
        for scene in grid.scenes() {
            cameras.push(scene.view.camera);
            (view.options.width, view.options.height) = (Some(scene.view.width), Some(scene.view.height));
            (scene.groups, scene.shapes) = Default::default();
        }
        check_cuts(&cameras, picture)?;
        state_first(&mut view.options, &cameras, sweep);
        // an option without effect in one frame may have one in another
        grid.notes.retain(|note| !note.contains(IDLE) || view.notes.contains(note));
        view.notes.retain(|note| !note.contains(IDLE));
        view.notes.splice(0..0, grid.notes.drain(..));
        Ok((Self { request, empty: grid, cameras }, view))
    }

    /// Reads the panels of a frame.
    pub(super) fn read(&self, parts: &[DataFrame], options: &LoadOptions) -> Result<SceneGrid> {
        let (paths, frames) = files_and_frames(parts);
        self.request.arrange_as(&self.empty, &several::read_panels(&paths, &frames, options)?)
    }

    /// Turns the cameras of panels as the options say.
    pub(super) fn turn(&self, panels: &mut SceneGrid, options: &LoadOptions) -> Result<()> {
        for (scene, still) in panels.scenes().zip(&self.cameras) {
            let size = (scene.view.width, scene.view.height);
            scene.view.camera = turned_camera(options, still, scene.origin, size)?;
        }
        Ok(())
    }
}

/// States the camera of the first panel in the options that all panels are read with.
fn state_first(options: &mut LoadOptions, cameras: &[Camera], sweep: Option<[f64; 2]>) {
    let origin = options.origin.unwrap_or_default();
    cameras.iter().take(1).for_each(|camera| state_camera(options, camera, origin, sweep));
}

/// Refuses cuts in front of the camera for panels whose cameras differ: the panels of a frame are read with one camera.
fn check_cuts(cameras: &[Camera], picture: &LoadOptions) -> Result<()> {
    let cut = picture.focus.as_ref().map(|_| "focus").or(picture.slab_thickness.map(|_| "slab"));
    match cut {
        Some(name) if cameras.iter().any(|camera| *camera != cameras[0]) => {
            let message =
                "cuts shapes off in front of one camera, and the panels of this film have several; give one --view";
            Err(Error::setting(name, message))
        }
        _ => Ok(()),
    }
}

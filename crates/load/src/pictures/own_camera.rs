//! Other cameras for a scene that is read.

use crate::error::{Error, Result};
use crate::figure::CellEdges;
use crate::options::camera::CameraRequest;
use crate::options::load_options::LoadOptions;
use crate::pictures::bare_data::corners;
use crate::scene::framed;
use crate::scene::spheres::{Camera, SphereGroup, SphereScene};

/// The camera of a scene before the caller's options, for other options once the scene is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnCamera {
    pub request: CameraRequest,
    /// Whether the corners of the periodic box are to be seen, too.
    pub frames_cell: bool,
}

impl OwnCamera {
    /// The camera that the options ask for, for a picture of the same size.
    pub fn changed(&self, scene: &SphereScene<'_>, cell: Option<&CellEdges>, options: &LoadOptions) -> Result<Camera> {
        let mut groups: Vec<SphereGroup<'_>> = scene.groups.iter().map(SphereGroup::borrowed).collect();
        groups.extend(cell.filter(|_| self.frames_cell).map(|cell| SphereGroup::from(corners(cell))));
        let seen = framed(&groups, &scene.shapes);
        let request = self.request.overridden(options)?.facing(&seen);
        let size = (scene.view.width, scene.view.height);
        request.camera(&seen, size).map_err(|message| Error::setting("eye", message))
    }
}

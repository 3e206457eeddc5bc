//! Scenes of bare data: one file, several, the panels of a grid.

pub mod bare_data;
pub mod own_camera;
pub mod panel_cameras;
pub mod picture_part;
pub mod plane;
pub mod record;
pub mod scaled;
pub mod scene_table;
pub mod several;

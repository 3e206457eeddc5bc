//! Columns of a picture, and the rows of a table as shapes: places, colours, radii, labels.

pub mod alphas;
pub mod canvas;
pub mod circle_outline;
pub mod colors;
pub mod column_plan;
pub mod column_resolver;
pub mod computed;
pub mod computed_places;
pub mod counted_rows;
pub mod density;
pub mod depth;
pub mod displacements;
pub mod draw_order;
pub mod glyphs;
pub mod labels;
pub mod overlap;
pub mod row_notes;
pub mod row_panels;
pub mod row_shapes;
pub mod row_tally;
pub mod selections;
pub mod smoothing;
pub mod vectors;

//! Data and scene files: their contents, the refused ones, and the resulting scenes.

#[path = "../files/mod.rs"]
mod files;

mod array_files;
mod binary_cif;
mod binary_rows;
mod bonds;
mod channels;
mod cif_files;
mod colors;
mod column_files;
mod computed_columns;
mod contacts;
mod copies;
mod data_files;
mod data_formats;
mod dates;
mod density;
mod description;
mod extended_xyz;
#[cfg(feature = "all-formats")]
mod far_positions;
mod figure_words;
mod figures;
mod framing;
mod glyphs;
mod hostile_files;
mod idle_options;
mod lammps;
mod left_out;
mod long_words;
mod memory_files;
mod missing_values;
mod molecules;
mod number_colors;
#[cfg(feature = "all-formats")]
mod option_routes;
mod packed_formats;
mod panels;
mod parts;
mod periodic_images;
mod plane;
mod point_files;
mod precision;
mod scene_files;
mod scene_mistakes;
mod selections;
mod serde;
mod stream_notes;
mod tables;
mod tables_of_programs;
mod trajectory_columns;
mod trajectory_ends;
mod trajectory_formats;
mod vast_circles;

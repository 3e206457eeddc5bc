//! Options of a picture, their values, and the routes to which each applies.

pub mod camera;
pub mod camera_keys;
pub mod command_line;
pub mod contact_rule;
pub mod density_choice;
pub mod figure;
pub mod frame_list;
pub mod idle;
pub mod joined_legend;
pub mod label_text;
pub mod load_options;
pub mod molecule_style;
pub mod option_table;
pub mod option_values;
pub mod orientation;
pub mod panels;
pub mod paper;
pub mod picture_settings;
pub mod ranges;
pub mod routes;
pub mod same_view;
pub mod view_axis;
pub mod visible_share;

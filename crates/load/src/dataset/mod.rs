//! The rows of a file that are drawn: selections, bonds, copies, periodic images, descriptions.

pub mod alternates;
pub mod attached;
pub mod backbone;
pub mod bonding;
pub mod contacts;
pub mod copied_rows;
pub mod copies;
pub mod data_file;
pub mod describe;
pub mod images;
pub mod molecules;
pub mod option_requests;
pub mod selected_rows;
pub mod sticks;
pub mod suggest;
pub mod window;

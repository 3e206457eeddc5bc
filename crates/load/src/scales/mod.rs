//! Ranges of colours, orders of categories, scales of maps and arrows: the content of legends.

pub mod arrow_scale;
pub mod category_order;
pub mod circle_map;
pub mod legend_source;
pub mod map_shape;
pub mod outliers;
pub mod ranks;

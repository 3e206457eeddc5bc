//! One scale for the arrows of several frames or files.

use crate::color::ColorKey;
use crate::figure::{ArrowKey, LegendPart};
use crate::geom::single;
use crate::options::load_options::LoadOptions;

/// The scale of arrows and the end of their ramp, shared by all frames of a film or all parts of a picture.
#[derive(Debug, Default)]
pub(crate) struct ArrowScale {
    /// The longest vector and the scale of its frame or part.
    longest: Option<(f64, f64)>,
    /// The longest vector that the ramp of arrows shows.
    colored: Option<f64>,
}

impl ArrowScale {
    /// `None` without arrows, or if the options state scale and ramp.
    pub(crate) fn of(options: &LoadOptions) -> Option<Self> {
        let is_open = options.vector_scale.is_none() || options.vector_color.as_deref() == Some("length");
        (options.vectors.is_some() && is_open).then(Self::default)
    }

    pub(crate) fn add(&mut self, legend: &[LegendPart]) {
        let mut ramp = None;
        for key in legend {
            match key {
                // arrows follow their ramp
                LegendPart::Colors(ColorKey::Numbers { most, .. }) => ramp = Some(*most),
                LegendPart::Arrows(ArrowKey { longest, scale, .. }) => {
                    if self.longest.is_none_or(|(of_others, _)| *longest > of_others) {
                        self.longest = Some((*longest, *scale));
                    }
                    self.colored = ramp.into_iter().chain(self.colored).reduce(f64::max);
                }
                _ => {}
            }
        }
    }

    /// Sets the scale, and the end of the ramp, where the options leave them open.
    pub(crate) fn fix(&self, options: &mut LoadOptions) {
        options.vector_scale = options.vector_scale.or(self.longest.map(|(_, scale)| single(scale)));
        if let (Some("length"), Some(longest)) =
            (options.vector_color.as_deref(), self.colored.filter(|longest| *longest > 0.0))
        {
            options.vector_color = Some(format!("length {longest}"));
        }
    }
}

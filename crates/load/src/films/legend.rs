//! The parts of a legend that would differ from frame to frame: the ends of ramps, samples of sizes and opacities.

use crate::color::{ColorKey, Scale};
use crate::figure::{LegendPart, OpacityKey};
use crate::options::load_options::LoadOptions;

/// The parts that all frames share.
#[derive(Debug, Default)]
pub(crate) struct FilmLegend(Vec<SharedPart>);

/// A part of the legend, merged over the frames so far.
#[derive(Debug)]
struct SharedPart {
    part: LegendPart,
    /// For a ramp: the range that all frames share, from the greatest minimum to the least maximum.
    inner: [f64; 2],
    /// Whether samples differ between frames, or rounding may decide, as at the ends of a ramp on a non-linear scale.
    differs: bool,
}

impl FilmLegend {
    /// Adds the legend of a frame. Categories and arrows are fixed by options.
    pub(crate) fn add(&mut self, legend: &[LegendPart]) {
        for part in legend {
            let (inner, differs) = match part {
                LegendPart::Colors(ColorKey::Numbers { extremes, scale, .. }) => (*extremes, *scale != Scale::Linear),
                LegendPart::Sizes(_) | LegendPart::Opacities(_) => ([0.0; 2], false),
                _ => continue,
            };
            if !self.0.iter_mut().any(|known| known.merge(part)) {
                self.0.push(SharedPart { part: part.clone(), inner, differs });
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn fix(self, fixed: &mut LoadOptions) {
        fixed.figure.film_legend = Some(self.0.into_iter().filter_map(SharedPart::fixed).collect());
    }
}

impl SharedPart {
    /// Merges a part of another frame into this one; `false` if it describes something else.
    fn merge(&mut self, more: &LegendPart) -> bool {
        match (&mut self.part, more) {
            (
                LegendPart::Colors(ColorKey::Numbers { name, least, most, extremes, missing, counts, .. }),
                LegendPart::Colors(ColorKey::Numbers {
                    name: of,
                    least: from,
                    most: to,
                    extremes: [low, high],
                    missing: more_missing,
                    counts: more_counts,
                    ..
                }),
            ) if name == of => {
                // every frame lists its numbers, or none
                self.differs |= counts.is_empty() != more_counts.is_empty();
                if more_counts.is_empty() {
                    counts.clear();
                }
                // every frame has the entry, or none
                self.differs |= (*missing > 0) != (*more_missing > 0);
                *missing = (*missing).max(*more_missing);
                (*least, *most) = (least.min(*from), most.max(*to));
                *extremes = [extremes[0].min(*low), extremes[1].max(*high)];
                self.inner = [self.inner[0].max(*low), self.inner[1].min(*high)];
            }
            (LegendPart::Sizes(known), LegendPart::Sizes(more)) if known.name == more.name => {
                let largest = |samples: &[[f64; 2]]| samples.first().map_or(0.0, |[_, radius]| *radius);
                self.differs |= known != more;
                if largest(&more.samples) > largest(&known.samples) {
                    known.clone_from(more);
                }
            }
            (LegendPart::Opacities(known), LegendPart::Opacities(more)) if known.name == more.name => {
                self.differs |= known != more;
                let samples = || known.samples.iter().chain(&more.samples).copied();
                let range = [samples().fold(f64::INFINITY, f64::min), samples().fold(0.0, f64::max)];
                *known = OpacityKey::new(known.name.clone(), range);
            }
            _ => return false,
        }
        true
    }

    /// The shared part; `None` if each frame has the same by itself.
    fn fixed(self) -> Option<LegendPart> {
        let Self { mut part, inner, mut differs } = self;
        if let LegendPart::Colors(ColorKey::Numbers { least, most, beyond, extremes, .. }) = &mut part {
            let outside = |[low, high]: [f64; 2]| [low < *least, high > *most];
            *beyond = outside(*extremes);
            differs |= outside(inner) != *beyond;
        }
        differs.then_some(part)
    }
}

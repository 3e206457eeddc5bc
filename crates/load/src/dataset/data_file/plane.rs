//! The rows of a file as circles and lines in the plane.

use std::borrow::Cow;
use std::collections::BTreeMap;

use glam::DVec3;

use crate::color::ColorKey;
use crate::dataset::data_file::DataFile;
use crate::dataset::selected_rows::highlight;
use crate::dataset::window::LeftOut;
use crate::error::Result;
use crate::figure::{DensityFrame, Label, LabelAnchor, LegendPart};
use crate::options::density_choice::DensityChoice;
use crate::options::figure::FileKey;
use crate::options::visible_share::{is_outside, shown};
use crate::rows::canvas::CanvasTransform;
use crate::rows::density;
use crate::rows::density::{DensityColors, DensityPart, PointRows};
use crate::rows::glyphs::RowShape;
use crate::rows::labels::RowLabel;
use crate::rows::overlap::Overlap;
use crate::rows::row_panels::RowPanels;
use crate::rows::row_shapes;
use crate::rows::row_shapes::{CircleLook, Radii, VastCircle};
use crate::rows::row_tally::RowTally;
use crate::scene::circles::{PaintedCircle, PaintedSegment};

/// The rows of a file as circles.
#[derive(Default)]
pub(crate) struct Painted {
    pub(crate) circles: Vec<PaintedCircle>,
    /// What vast circles are drawn as instead, by their indices among the circles.
    pub(crate) vast: BTreeMap<usize, VastCircle>,
    /// The entries of a legend, of categories inside the picture.
    pub(crate) legend: Vec<FileKey>,
    /// Circles outside of the picture.
    pub(crate) outside: usize,
    /// Texts beside circles, in pixels.
    pub(crate) labels: Vec<Label>,
}

impl DataFile {
    /// The rows as circles on a canvas of this size in the order in which they are drawn, highlights in their colours.
    pub(crate) fn circles(&self, look: &CircleLook, transform: &CanvasTransform, size: (u32, u32)) -> Painted {
        let painted = self.circles_of_rows(look, transform, size);
        let vast = match &self.selected.order {
            None => painted.vast,
            Some(places) => {
                let drawn = |(index, row)| Some((index, *painted.vast.get(row)?));
                places.iter().enumerate().filter_map(drawn).collect()
            }
        };
        Painted { circles: self.in_drawn_order(painted.circles), vast, ..painted }
    }

    /// The circle of each row.
    fn circles_of_rows(&self, look: &CircleLook, transform: &CanvasTransform, (width, height): (u32, u32)) -> Painted {
        let mut circles = row_shapes::circles(&self.table, &self.colors, &self.radii, look, transform);
        self.selected.alphas.apply(&mut circles, |circle| &mut circle.color);
        highlight(&mut circles, &self.selected.highlights, |circle| &mut circle.color);
        self.selected.alphas.restore(&mut circles, |circle| &mut circle.color);
        let sides = [width, height].map(f64::from);
        let is_inside = |circle: &PaintedCircle| !is_outside(shown(circle.center, [circle.radius; 2]), sides);
        let inside: Vec<u64> = circles.iter().map(|circle| u64::from(is_inside(circle))).collect();
        let outside = inside.iter().filter(|inside| **inside == 0).count();
        let unit = if self.radii.is_in_data_units() { transform.length(1.0) } else { 1.0 };
        let labels = self.labels_of(&circles);
        let vast = row_shapes::vast_circles(&self.table, &self.radii, &circles, transform);
        Painted {
            legend: self.legend(Some(&inside), &LeftOut::default(), f64::from(unit)),
            circles,
            vast,
            outside,
            labels,
        }
    }

    /// The labels of the circles of rows.
    fn labels_of(&self, circles: &[PaintedCircle]) -> Vec<Label> {
        let anchor = |row: &usize| {
            let PaintedCircle { center: [x, y], radius, color } = circles[*row];
            let place = DVec3::new(f64::from(x), f64::from(y), 0.0);
            // nothing to see
            (color.a > 0 && radius > 0.0).then_some(LabelAnchor { place, radius: f64::from(radius) })
        };
        let label = |RowLabel { rows, text }: &RowLabel| Label {
            text: text.clone(),
            anchors: rows.iter().filter_map(anchor).collect(),
        };
        self.selected.labels.iter().map(label).collect()
    }

    /// The rows as lines to the places of two more columns, highlights in their colours; their widths are the radii of
    /// circles.
    pub(crate) fn segments(
        &self,
        look: &CircleLook,
        transform: &CanvasTransform,
        size: (u32, u32),
    ) -> (Vec<PaintedSegment>, Vec<FileKey>) {
        let Painted { circles, legend, .. } = self.circles_of_rows(look, transform, size);
        let ends = self.plane_ends();
        let segment = |(circle, end): (&PaintedCircle, [f64; 2])| {
            PaintedSegment::new(circle.center, transform.place(end), circle.radius, circle.color)
        };
        let is_whole = |(_, end): &(PaintedCircle, [f64; 2])| end.iter().all(|along| along.is_finite());
        let rows: Vec<_> = self.in_drawn_order(circles.into_iter().zip(ends).collect());
        (rows.iter().filter(|row| is_whole(row)).map(|(circle, end)| segment((circle, *end))).collect(), legend)
    }

    /// The panels of rows by a column, if one is named, or the rule that it breaks.
    pub(crate) fn panels(&self) -> Option<&Result<RowPanels, String>> {
        self.selected.panels.as_ref()
    }

    /// The circles of each panel, in the order in which they are drawn, with their labels; the legend of all, and how many are
    /// outside of the picture.
    pub(crate) fn circles_of_panels(
        &self,
        panels: &RowPanels,
        look: &CircleLook,
        transform: &CanvasTransform,
        size: (u32, u32),
    ) -> (Vec<Painted>, Vec<FileKey>, usize) {
        let all = self.circles_of_rows(look, transform, size);
        let rows = self.in_drawn_order((0..all.circles.len()).collect());
        let mut of_panels: Vec<Painted> = panels.names.iter().map(|_| Painted::default()).collect();
        for row in rows {
            let panel = &mut of_panels[panels.of_rows[row]];
            if let Some(vast) = all.vast.get(&row) {
                panel.vast.insert(panel.circles.len(), *vast);
            }
            panel.circles.push(all.circles[row]);
        }
        for (label, anchors) in self.selected.labels.iter().zip(all.labels) {
            // a label of several rows stands beside those in one panel
            if let Some(row) = label.rows.first() {
                of_panels[panels.of_rows[*row]].labels.push(anchors);
            }
        }
        (of_panels, all.legend, all.outside)
    }

    /// The shapes of rows in the order in which they are drawn.
    fn in_drawn_order<T: Copy>(&self, shapes: Vec<T>) -> Vec<T> {
        match &self.selected.order {
            None => shapes,
            Some(places) => places.iter().map(|place| shapes[*place]).collect(),
        }
    }

    /// The numbers of rows that a density sums up, if a column is named.
    pub(crate) fn weights(&self) -> Option<&[f64]> {
        self.selected.weights.as_deref()
    }

    /// The density of rows in a picture, or in each panel, and its legend.
    pub(crate) fn density(
        &self,
        choice: &DensityChoice,
        look: &CircleLook,
        transform: &CanvasTransform,
        part: &DensityPart,
        colors: &DensityColors,
    ) -> Result<(Vec<DensityFrame>, FileKey)> {
        let mut discs = row_shapes::discs(&self.table, &self.radii, look, transform, 1);
        discs.iter_mut().for_each(|disc| *disc = part.disc(*disc));
        if self.spreads_by_column(choice) {
            // no place for a mass; a radius of 0 that is meant makes a point
            discs.iter_mut().filter(|(_, radius)| *radius <= 0.0).for_each(|(_, radius)| *radius = f32::NAN);
        }
        let weights = self.weights();
        let of_panel = |panels: &RowPanels, panel: usize| PointRows {
            discs: panels.rows(panel).map(|row| discs[row]).collect(),
            weights: weights.map(|weights| Cow::Owned(panels.rows(panel).map(|row| weights[row]).collect())),
        };
        let parts = match self.panels() {
            None | Some(Err(_)) => vec![PointRows { discs, weights: weights.map(Cow::Borrowed) }],
            Some(Ok(panels)) => (0..panels.names.len()).map(|panel| of_panel(panels, panel)).collect(),
        };
        let (frames, mut key) = density::drawn(choice, &parts, part.size, colors)?;
        if let (DensityChoice::Mean(column), ColorKey::Numbers { dates, .. }) = (choice, &mut key) {
            *dates = self.source.dates.iter().any(|name| name.eq_ignore_ascii_case(column));
        }
        Ok((frames, FileKey { file: self.source.file.clone(), key: LegendPart::Colors(key) }))
    }

    /// Whether a density spreads masses over circles whose radii come from a column.
    fn spreads_by_column(&self, choice: &DensityChoice) -> bool {
        matches!(choice, DensityChoice::Mass(_)) && !matches!(self.radii, Radii::Suited | Radii::Constant(_))
    }

    /// The note on rows whose mass a density cannot spread.
    pub(crate) fn note_of_massless(&self, choice: &DensityChoice) -> Option<String> {
        let tally = || RowTally::of_table(&self.table, &self.colors, &self.radii);
        let RowTally { rows, sizeless, .. } = self.spreads_by_column(choice).then(tally)?;
        let file = &self.source.file;
        (sizeless > 0)
            .then(|| format!("{file}: {sizeless} of {rows} rows have no radius above 0: their masses count nothing"))
    }

    /// How much the circles of rows overlap in a picture of this size that shows a share of them.
    pub(crate) fn overlap(
        &self,
        look: &CircleLook,
        transform: &CanvasTransform,
        size: (u32, u32),
        share: f64,
    ) -> Overlap {
        /// Rows that are looked at, at most.
        const ROWS: usize = 1 << 17;
        let every = self.table.rows().div_ceil(ROWS).max(1);
        let mut discs = row_shapes::discs(&self.table, &self.radii, look, transform, every);
        if let Some(Ok(panels)) = self.panels() {
            let fullest = panels.fullest();
            let mut of_rows = panels.of_rows.iter().step_by(every);
            discs.retain(|_| of_rows.next() == Some(&fullest));
        }
        Overlap::new(&discs, every as f64 * share, size)
    }

    /// Whether rows are lines in the plane.
    pub(crate) fn has_segments(&self) -> bool {
        matches!(self.glyphs.request.rows, RowShape::Segment { .. })
    }

    pub(crate) fn plane_ends(&self) -> Vec<[f64; 2]> {
        self.glyphs.columns.plane_ends(&self.table)
    }
}

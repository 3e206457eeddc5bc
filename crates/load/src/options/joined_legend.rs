//! The legend of several files: equal entries are merged.

use std::mem::discriminant;
use std::path::Path;

use crate::color::{Category, ColorKey, sort_categories};
use crate::figure::LegendPart;
use crate::options::figure::FileKey;

/// Merges the legend entries of several files: categories and ramps that agree are joined. Ambiguous names get the
/// names of their files.
pub(crate) fn joined(keys: &[FileKey]) -> Vec<LegendPart> {
    let mut joined: Vec<(Vec<&str>, LegendPart)> = Vec::new();
    for FileKey { file, key } in keys {
        let file = file.as_str();
        match joined.iter_mut().find_map(|(of, known)| join(known, key, of.contains(&file)).then_some(of)) {
            Some(files) if files.contains(&file) => {}
            Some(files) => files.push(file),
            None => joined.push((vec![file], key.clone())),
        }
    }
    // colours and sizes by one column have one name on purpose
    let known: Vec<_> =
        joined.iter_mut().map(|(files, key)| (files.clone(), discriminant(key), key.name_mut().clone())).collect();
    for (files, key) in &mut joined {
        let (kind, name) = (discriminant(key), key.name_mut());
        let is_repeated = known.iter().any(|(of, other, known)| *other == kind && known == name && of != files);
        if is_repeated && !name.is_empty() {
            let short = |file: &str| Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
            let of = match files[..] {
                [first, second] => format!("{}, {}", short(first), short(second)),
                [first] => short(first),
                _ => format!("{} and {} more", short(files[0]), files.len() - 1),
            };
            *name = format!("{name} ({of})");
        }
    }
    joined.into_iter().map(|(_, key)| key).collect()
}

/// Gives a frame's legend a part that all frames of a film share: samples, or whether numbers are beyond a ramp.
pub(crate) fn set_part(legend: &mut [LegendPart], of_film: &LegendPart) {
    for part in legend {
        match (part, of_film) {
            (
                LegendPart::Colors(ColorKey::Numbers { name, beyond, missing, counts, .. }),
                LegendPart::Colors(ColorKey::Numbers {
                    name: of,
                    beyond: of_all,
                    missing: any_missing,
                    counts: listed,
                    ..
                }),
            ) if name == of => {
                (*beyond, *missing) = (*of_all, *any_missing);
                if listed.is_empty() {
                    counts.clear();
                }
            }
            (LegendPart::Sizes(key), LegendPart::Sizes(of_all)) if key.name == of_all.name => key.clone_from(of_all),
            (LegendPart::Opacities(key), LegendPart::Opacities(of_all)) if key.name == of_all.name => {
                key.clone_from(of_all);
            }
            _ => {}
        }
    }
}

/// Merges a colour key into another if the two agree; returns whether they do. Different names for one colour, in
/// different files, do not agree.
fn join(known: &mut LegendPart, more: &LegendPart, is_same_file: bool) -> bool {
    let (LegendPart::Colors(known), LegendPart::Colors(more)) = (&mut *known, more) else { return known == more };
    match (known, more) {
        (ColorKey::Categories { name, items }, ColorKey::Categories { name: other, items: more }) => {
            let agrees = |item: &Category| match items.iter().find(|known| known.name == item.name) {
                Some(known) => known.color == item.color,
                None => is_same_file || items.iter().all(|known| known.color != item.color),
            };
            if name != other || !more.iter().all(agrees) {
                return false;
            }
            for item in more {
                match items.iter_mut().find(|known| known.name == item.name) {
                    Some(known) => known.count += item.count,
                    None => items.push(item.clone()),
                }
            }
            sort_categories(items);
            true
        }
        (
            ColorKey::Numbers {
                name,
                map,
                scale,
                least,
                most,
                shown,
                beyond,
                extremes,
                alpha,
                dates,
                missing,
                counts,
                alphas,
                quantiles,
            },
            ColorKey::Numbers {
                name: other,
                map: of,
                scale: by,
                least: from,
                most: to,
                shown: part,
                beyond: more,
                extremes: [lowest, highest],
                alpha: through,
                dates: are_dates,
                missing: more_missing,
                counts: more_counts,
                alphas: more_alphas,
                quantiles: more_quantiles,
            },
        ) => {
            let agrees = name == other
                && map == of
                && scale == by
                && least == from
                && most == to
                && alpha == through
                && dates == are_dates
                && quantiles == more_quantiles;
            if agrees {
                if shown == part && counts.len() == more_counts.len() {
                    counts.iter_mut().zip(more_counts).for_each(|(count, more)| *count += more);
                } else {
                    counts.clear();
                }
                if alphas != more_alphas {
                    alphas.clear();
                }
                let whole = [*least, *most];
                if shown.is_some() || part.is_some() {
                    let [[low, high], [from, to]] = [shown.unwrap_or(whole), part.unwrap_or(whole)];
                    *shown = Some([low.min(from), high.max(to)]);
                }
                *missing += more_missing;
                *beyond = [beyond[0] || more[0], beyond[1] || more[1]];
                *extremes = [extremes[0].min(*lowest), extremes[1].max(*highest)];
            }
            agrees
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::{Scale, Srgba8};

    #[test]
    fn files_with_one_name_for_a_color_share_entries() {
        let chains = |file: &str, items: &[(&str, u8)]| FileKey {
            file: format!("data/{file}"),
            key: LegendPart::Colors(ColorKey::Categories {
                name: "chain".to_owned(),
                items: items.iter().map(|(name, red)| Category::new(*name, Srgba8::rgb(*red, 0, 0), 1)).collect(),
            }),
        };
        let names =
            |keys: &[FileKey]| -> Vec<String> { joined(keys).iter_mut().map(|part| part.name_mut().clone()).collect() };
        let (a, more) = (chains("a.pdb", &[("A", 1), ("B", 2)]), chains("b.pdb", &[("B", 2), ("C", 3)]));
        assert_eq!(names(&[a.clone(), more.clone()]), ["chain"]);
        // a colour of A that is D's, too
        let other = chains("d.pdb", &[("D", 1)]);
        assert_eq!(names(&[a.clone(), more.clone(), other.clone()]), ["chain (a.pdb, b.pdb)", "chain (d.pdb)"]);
        let third = chains("c.pdb", &[("A", 1)]);
        assert_eq!(names(&[a.clone(), more, third, other]), ["chain (a.pdb and 2 more)", "chain (d.pdb)"]);
        // frames of a file with more categories than colours
        assert_eq!(names(&[a, chains("a.pdb", &[("D", 1)])]), ["chain"]);
    }

    #[test]
    fn whole_numbers_are_counted_over_files_unless_one_has_others() {
        let numbers = |counts: &[u64]| {
            LegendPart::Colors(ColorKey::Numbers {
                name: "coordination".to_owned(),
                map: "viridis",
                scale: Scale::Linear,
                least: 5.0,
                most: 7.0,
                shown: None,
                beyond: [false; 2],
                extremes: [5.0, 7.0],
                alpha: u8::MAX,
                dates: false,
                missing: 0,
                counts: counts.to_vec(),
                alphas: Vec::new(),
                quantiles: Vec::new(),
            })
        };
        let of = |file: &str, counts: &[u64]| FileKey { file: file.to_owned(), key: numbers(counts) };
        assert_eq!(joined(&[of("a.csv", &[1, 0, 2]), of("b.csv", &[0, 4, 1])]), [numbers(&[1, 4, 3])]);
        assert_eq!(joined(&[of("a.csv", &[1, 0, 2]), of("b.csv", &[])]), [numbers(&[])], "a ramp");
        // so in films
        let mut frame = [numbers(&[1, 0, 2])];
        set_part(&mut frame, &numbers(&[]));
        assert_eq!(frame, [numbers(&[])]);
    }
}

//! Settings that must not change a pixel: instruction set, number of threads, tile size, culling.

use roundel::{Culling, RenderSettings, SimdLevel};

pub(super) const THREADS: [usize; 3] = [1, 2, 7];

/// Tile sizes from the smallest to a whole small picture, with one that is not a power of two.
const TILES: [u32; 5] = [8, 16, 37, 64, 128];

fn settings(simd: SimdLevel, threads: usize, tile: u32, culling: Culling) -> RenderSettings {
    RenderSettings::default().with_simd(simd).with_threads(threads).with_tile_size(tile).with_culling(culling)
}

/// Returns the default settings, and every instruction set with every tile size, with and without culling. The number
/// of threads cycles, so that every two values of different settings occur together.
pub(super) fn pairwise(levels: &[SimdLevel]) -> Vec<RenderSettings> {
    let mut all = vec![RenderSettings::default()];
    for (row, &level) in levels.iter().enumerate() {
        for (column, &tile) in TILES.iter().enumerate() {
            let threads = |turn: usize| THREADS[turn % THREADS.len()];
            all.push(settings(level, threads(row + column), tile, Culling::On));
            all.push(settings(level, threads(row + column + 1), tile, Culling::Off));
        }
    }
    all
}

/// Returns the default settings with and without culling, and every value of every other setting: for pictures that
/// take long.
pub(super) fn each_value(levels: &[SimdLevel]) -> Vec<RenderSettings> {
    let default = RenderSettings::default();
    let mut all = vec![default, default.with_culling(Culling::Off)];
    for &level in levels {
        all.extend([settings(level, 1, 37, Culling::On), settings(level, 7, 128, Culling::On)]);
    }
    all.extend([8, 16, 64].map(|tile| settings(SimdLevel::Auto, 2, tile, Culling::On)));
    all
}

/// Returns each instruction set once. Threads and tile size cycle with `frame`, so that all frames together try every
/// value.
pub(super) fn one_per_level(levels: &[SimdLevel], frame: usize) -> Vec<RenderSettings> {
    let each = |(row, &level): (usize, &SimdLevel)| {
        let turn = frame + row;
        settings(level, THREADS[turn % THREADS.len()], TILES[turn % TILES.len()], Culling::On)
    };
    levels.iter().enumerate().map(each).collect()
}

/// Returns the flags of `roundel render` for these settings.
pub(super) fn flags(settings: &RenderSettings) -> String {
    let count = |value: Option<usize>| value.map_or("default".to_owned(), |value| value.to_string());
    let tile = settings.tile_size.map_or("default".to_owned(), |tile| tile.to_string());
    let culling = if settings.culling == Culling::On { "" } else { " --no-cull" };
    format!("--simd {} --threads {} --tile {tile}{culling}", settings.simd.name(), count(settings.threads))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CULLING: [Culling; 2] = [Culling::On, Culling::Off];
    const LEVELS: [SimdLevel; 4] = [SimdLevel::Avx512, SimdLevel::Avx2, SimdLevel::Sse42, SimdLevel::Sse2];

    #[test]
    fn pairwise_settings_have_every_two_values_together() {
        let all = pairwise(&LEVELS);
        let occurs = |test: &dyn Fn(&RenderSettings) -> bool| assert!(all.iter().any(test), "{all:?}");
        for tile in TILES {
            for level in LEVELS {
                occurs(&|settings| settings.tile_size == Some(tile) && settings.simd == level);
            }
            for threads in THREADS {
                occurs(&|settings| settings.tile_size == Some(tile) && settings.threads == Some(threads));
            }
            for culling in CULLING {
                occurs(&|settings| settings.tile_size == Some(tile) && settings.culling == culling);
            }
        }
        for threads in THREADS {
            for level in LEVELS {
                occurs(&|settings| settings.threads == Some(threads) && settings.simd == level);
            }
            for culling in CULLING {
                occurs(&|settings| settings.threads == Some(threads) && settings.culling == culling);
            }
        }
        for level in LEVELS {
            for culling in CULLING {
                occurs(&|settings| settings.simd == level && settings.culling == culling);
            }
        }
    }

    #[test]
    fn each_value_occurs() {
        let all = each_value(&LEVELS);
        let occurs = |test: &dyn Fn(&RenderSettings) -> bool| assert!(all.iter().any(test), "{all:?}");
        LEVELS.iter().for_each(|&level| occurs(&|settings| settings.simd == level));
        THREADS.iter().for_each(|&threads| occurs(&|settings| settings.threads == Some(threads)));
        TILES.iter().for_each(|&tile| occurs(&|settings| settings.tile_size == Some(tile)));
        CULLING.iter().for_each(|&culling| occurs(&|settings| settings.culling == culling));
    }

    #[test]
    fn one_per_level_tries_each_value_over_many_frames() {
        let turns: Vec<RenderSettings> = (0..15).flat_map(|frame| one_per_level(&LEVELS, frame)).collect();
        assert_eq!(one_per_level(&LEVELS, 3).iter().map(|settings| settings.simd).collect::<Vec<_>>(), LEVELS);
        for threads in THREADS {
            for tile in TILES {
                let tried =
                    |settings: &&RenderSettings| settings.threads == Some(threads) && settings.tile_size == Some(tile);
                assert_eq!(turns.iter().filter(tried).count(), LEVELS.len());
            }
        }
    }
}

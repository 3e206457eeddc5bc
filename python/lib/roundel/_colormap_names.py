"""The names of colour maps, for checkers of types."""

from __future__ import annotations

from typing import Literal

__all__ = ["ColormapName"]

# colour maps: made by crates/load/src/scene_file/reference/python.rs
ColormapName = Literal[
    "viridis", "viridis_r", "inferno", "inferno_r", "magma", "magma_r", "plasma", "plasma_r", "cividis",
    "cividis_r", "turbo", "turbo_r", "blues", "blues_r", "greens", "greens_r", "greys", "greys_r", "oranges",
    "oranges_r", "purples", "purples_r", "reds", "reds_r", "ylorrd", "ylorrd_r", "ylgnbu", "ylgnbu_r", "rdbu",
    "rdbu_r", "rdylbu", "rdylbu_r", "rdylgn", "rdylgn_r", "piyg", "piyg_r", "puor", "puor_r", "spectral",
    "spectral_r", "brbg", "brbg_r", "bugn", "bugn_r", "bupu", "bupu_r", "cmrmap", "cmrmap_r", "gnbu", "gnbu_r",
    "grays", "grays_r", "orrd", "orrd_r", "prgn", "prgn_r", "pubu", "pubu_r", "pubugn", "pubugn_r", "purd",
    "purd_r", "rdgy", "rdgy_r", "rdpu", "rdpu_r", "wistia", "wistia_r", "ylgn", "ylgn_r", "ylorbr", "ylorbr_r",
    "afmhot", "afmhot_r", "autumn", "autumn_r", "berlin", "berlin_r", "binary", "binary_r", "bone", "bone_r",
    "brg", "brg_r", "bwr", "bwr_r", "cool", "cool_r", "coolwarm", "coolwarm_r", "copper", "copper_r",
    "cubehelix", "cubehelix_r", "gist_earth", "gist_earth_r", "gist_gray", "gist_gray_r", "gist_grey",
    "gist_grey_r", "gist_heat", "gist_heat_r", "gist_ncar", "gist_ncar_r", "gist_rainbow", "gist_rainbow_r",
    "gist_stern", "gist_stern_r", "gist_yarg", "gist_yarg_r", "gist_yerg", "gist_yerg_r", "gnuplot", "gnuplot_r",
    "gnuplot2", "gnuplot2_r", "gray", "gray_r", "hot", "hot_r", "hsv", "hsv_r", "jet", "jet_r", "managua",
    "managua_r", "nipy_spectral", "nipy_spectral_r", "ocean", "ocean_r", "pink", "pink_r", "rainbow",
    "rainbow_r", "seismic", "seismic_r", "spring", "spring_r", "summer", "summer_r", "terrain", "terrain_r",
    "twilight", "twilight_r", "twilight_shifted", "twilight_shifted_r", "vanimo", "vanimo_r", "winter",
    "winter_r", "acton", "acton_r", "bam", "bam_r", "bamo", "bamo_r", "bamako", "bamako_r", "batlow", "batlow_r",
    "batlowk", "batlowk_r", "batloww", "batloww_r", "bilbao", "bilbao_r", "broc", "broc_r", "broco", "broco_r",
    "buda", "buda_r", "bukavu", "bukavu_r", "cork", "cork_r", "corko", "corko_r", "davos", "davos_r", "devon",
    "devon_r", "fes", "fes_r", "glasgow", "glasgow_r", "grayc", "grayc_r", "hawaii", "hawaii_r", "imola",
    "imola_r", "lajolla", "lajolla_r", "lapaz", "lapaz_r", "lipari", "lipari_r", "lisbon", "lisbon_r", "navia",
    "navia_r", "nuuk", "nuuk_r", "oleron", "oleron_r", "oslo", "oslo_r", "roma", "roma_r", "romao", "romao_r",
    "tofino", "tofino_r", "tokyo", "tokyo_r", "turku", "turku_r", "vik", "vik_r", "viko", "viko_r", "flag",
    "flag_r", "prism", "prism_r", "tab10", "tab20", "tab20b", "tab20c", "accent", "dark2", "paired", "pastel1",
    "pastel2", "set1", "set2", "set3", "tableau10", "okabe-ito", "distinct", "jmol", "soft",
]
# end of colour maps

//! Colours of data: by chain, by element, by category, by number.

use crate::files::{Folder, PDB, color, only_circles, only_spheres, overrides};
use roundel::color::{ColorKey, ColorRange, Scale};
use roundel::io::{FrameChoice, LegendChoice, LoadOptions, LoadedScene, describe, load, load_several};
use roundel::{Scene, Srgba8};

/// The colours of the spheres of [`PDB`]: nitrogen and carbon of chain A, oxygen of chain B.
fn pdb(change: impl FnOnce(&mut LoadOptions)) -> Vec<Srgba8> {
    let scene = Folder::new().spheres("m.pdb", PDB, &overrides(change));
    only_spheres(&scene).iter().map(|sphere| sphere.color).collect()
}

#[test]
fn several_chains_are_told_apart_and_have_lighter_carbons() {
    let chains = ["#56b4e9", "#83dcff", "#e69f00"].map(color);
    assert_eq!(pdb(|_| ()), chains, "Okabe and Ito's, carbons 14.4 L* lighter");
    assert_eq!(pdb(|o| o.color_by = Some("chain".into())), chains);
    let set1 = ["#e41a1c", "#ff513e", "#377eb8"].map(color);
    assert_eq!(pdb(|o| o.palette = Some("set1".into())), set1);
    let elements = ["#3050f8", "#909090", "#ff0d0d"].map(color);
    assert_eq!(pdb(|o| o.color_by = Some("element".into())), elements);
}

#[test]
fn elements_take_a_palette_of_their_own() {
    let soft = ["#4567d6", "#919191", "#e35648"].map(color);
    assert_eq!(pdb(|o| o.palette = Some("soft".into())), soft, "no colours of chains");
    assert_eq!(pdb(|o| (o.palette, o.color_by) = (Some("soft".into()), Some("element".into()))), soft);
    let jmol = ["#3050f8", "#909090", "#ff0d0d"].map(color);
    assert_eq!(pdb(|o| o.palette = Some("jmol".into())), jmol);
    let folder = Folder::new();
    folder.file("m.pdb", PDB);
    let scene = "[[spheres]]\nfile = \"m.pdb\"\ncolor_by = { column = \"element\", map = \"soft\" }\n";
    let scene = folder.spheres("m.toml", scene, &LoadOptions::default());
    assert_eq!(only_spheres(&scene).iter().map(|sphere| sphere.color).collect::<Vec<_>>(), soft);
    for other in ["chain", "resid", "constant"] {
        let wanted = overrides(|o| (o.palette, o.color_by) = (Some("soft".into()), Some(other.into())));
        let error = load(folder.file("n.pdb", PDB), &wanted).expect_err(other).to_string();
        assert!(error.contains("soft has the colours of elements; color_by element takes them"), "{error}");
    }
}

#[test]
fn colors_of_chains_do_not_depend_on_what_is_drawn() {
    assert_eq!(pdb(|o| o.only = Some("chain A".into())), ["#56b4e9", "#83dcff"].map(color));
    assert_eq!(pdb(|o| o.only = Some("chain B".into())), [color("#e69f00")]);
    assert_eq!(pdb(|o| o.hide = Some("chain A".into())), [color("#e69f00")]);
    assert_eq!(pdb(|o| (o.only, o.color_by) = (Some("chain B".into()), Some("chain".into()))), [color("#e69f00")]);
}

#[test]
fn one_chain_beside_water_is_colored_by_element() {
    let one: String = PDB.replace("LIG B", "HOH B");
    let colors = |only: &str| {
        let scene = Folder::new().spheres("m.pdb", &one, &overrides(|o| o.only = Some(only.into())));
        only_spheres(&scene).iter().map(|sphere| sphere.color).collect::<Vec<_>>()
    };
    assert_eq!(colors("chain A"), ["#3050f8", "#909090"].map(color));
    assert_eq!(colors("all"), ["#3050f8", "#909090", "#ff0d0d"].map(color));
}

#[test]
fn radii_of_particles_do_not_depend_on_what_is_drawn() {
    let rows: String = (0..64).map(|i| format!("{},{},{},{i}\n", i % 4, i / 4 % 4, i / 16)).collect();
    let (folder, text) = (Folder::new(), format!("x,y,z,v\n{rows}"));
    let radius = |only: &str| {
        let scene = folder.spheres("p.csv", &text, &overrides(|o| o.only = Some(only.into())));
        only_spheres(&scene)[0].radius
    };
    assert_eq!(radius("v < 3"), radius("all"));
    let sized = |only: &str| {
        let wanted = overrides(|o| (o.only, o.r) = (Some(only.into()), Some("v".into())));
        let circles = only_circles(&folder.circles("c.csv", text.replace("x,y,z", "x,y,w"), &wanted));
        circles.iter().map(|circle| circle.radius).fold(0.0, f32::max)
    };
    assert!(sized("v < 16") < 0.8 * sized("all"), "areas compare with those of all rows");
}

#[test]
fn residues_have_separate_colors_and_shortage_is_noted() {
    let atom = |number: usize, name: &str| {
        let x = number as f64;
        format!("HETATM{number:>5}  C1  {name:<4}A{number:>4}    {x:>8.3}   0.000   0.000  1.00  0.00           C\n")
    };
    let folder = Folder::new();
    let by = |names: &[String]| {
        let text: String = names.iter().enumerate().map(|(index, name)| atom(index, name)).collect();
        let path = folder.file("r.pdb", &text);
        let wanted = overrides(|o| o.color_by = Some("resname".into()));
        let colors = only_spheres(&folder.spheres("r.pdb", &text, &wanted)).iter().map(|s| s.color).collect::<Vec<_>>();
        (colors, roundel::io::load(path, &wanted).expect("a molecule").notes)
    };
    let (colors, notes) = by(&["LPD", "NA", "CL", "HIE", "HIS"].map(String::from));
    assert_eq!(colors[3], colors[4], "force fields' names of histidine are histidine");
    assert!((0..4).all(|a| (0..a).all(|b| colors[a] != colors[b])), "{colors:?}");
    assert_eq!(notes, Vec::<String>::new());
    let (_, notes) = by(&(0..42).map(|index| format!("X{index:02}")).collect::<Vec<_>>());
    assert!(notes.len() == 1 && notes[0].contains("42 categories of resname share 41 colours"), "{notes:?}");
}

#[test]
fn categories_have_sixty_four_colors_and_shortage_is_noted() {
    let folder = Folder::new();
    let rows = |count: usize| (0..count).map(|i| format!("{i},0,s{i}\n")).collect::<String>();
    let path = folder.file("t.csv", format!("x,y,kind\n{}", rows(60)));
    let notes = |palette: Option<&str>| {
        let wanted = overrides(|o| (o.color, o.palette) = (Some("kind".into()), palette.map(Into::into)));
        roundel::io::load(&path, &wanted).expect("a table").notes
    };
    assert_eq!(notes(None), Vec::<String>::new());
    let found = notes(Some("tab10"));
    let expected = "60 categories of kind share 10 colours of the palette tab10; --palette distinct has 64";
    assert!(found.len() == 1 && found[0].ends_with(expected), "{found:?}");
}

#[test]
fn copies_are_colored_by_where_they_stand() {
    let folder = Folder::new();
    let path = folder.file("m.pdb", PDB);
    let wanted = overrides(|o| {
        (o.assembly, o.color_by) = (Some(1), Some("z".into()));
        o.highlight = vec![("element O".into(), color("#010203"))];
    });
    let scene = folder.spheres("m.pdb", PDB, &wanted);
    let spheres: Vec<_> = scene.groups.iter().flat_map(|group| group.spheres.iter()).collect();
    assert_eq!(spheres.iter().map(|sphere| sphere.center[2]).collect::<Vec<_>>(), [3.0, 3.0, -3.0, 33.0, 33.0, 27.0]);
    assert_ne!(spheres[0].color, spheres[3].color, "the copy is elsewhere");
    assert_eq!([spheres[2].color, spheres[5].color], [color("#010203"); 2]);
    let source = describe(&path, &wanted).expect("a molecule").sources.remove(0);
    let Some(ColorKey::Numbers { least, most, .. }) = source.colors else { panic!("numbers") };
    assert_eq!((least, most), (-3.0, 33.0));
    let text = "2\nLattice=\"4 0 0 0 4 0 0 0 4\"\nC 0 0 0\nC 1 0 0\n";
    let wanted = overrides(|o| (o.replicate, o.color_by) = (Some([2, 1, 1]), Some("index".into())));
    let scene = folder.spheres("c.xyz", text, &wanted);
    let colors: Vec<_> =
        scene.groups.iter().flat_map(|group| group.spheres.iter()).map(|sphere| sphere.color).collect();
    assert_eq!((colors.len(), colors[0], colors[3]), (4, color("#440154"), color("#fde725")));
    let ghosts = LoadOptions { opacity: vec![(None, 0.2), (Some("x > 0.5".into()), 0.6)], ..wanted };
    let scene = folder.spheres("c.xyz", text, &ghosts);
    let alphas = scene.groups.iter().flat_map(|group| group.spheres.iter()).map(|sphere| sphere.color.a);
    assert_eq!(alphas.collect::<Vec<_>>(), [51, 153, 51, 153], "copies are as translucent as their originals");
    // selections by position see the original of a copy, with a note
    let path = folder.file("c.xyz", text);
    for (copies, is_noted) in [(2, true), (1, false)] {
        let wanted = overrides(|o| (o.replicate, o.only) = (Some([copies, 1, 1]), Some("x < 2".into())));
        let notes = load(&path, &wanted).expect("atoms").notes.join("\n");
        assert_eq!(notes.contains("c.xyz: selections by x take that of the file"), is_noted, "{notes}");
    }
}

#[test]
fn types_have_one_color_in_all_files_and_frames() {
    let folder = Folder::new();
    let dump = |types: &[&str]| {
        let head = format!("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n{}\n", types.len());
        let rows: String =
            types.iter().enumerate().map(|(row, kind)| format!("{} {kind} {row} 0 0\n", row + 1)).collect();
        format!("{head}ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\nITEM: ATOMS id type x y z\n{rows}")
    };
    let colors = |types: &[&str], frame: i64, map: Option<&str>| {
        let wanted = overrides(|o| {
            (o.color_by, o.frame, o.palette) = (Some("type".into()), Some(frame), map.map(str::to_owned));
        });
        let text = dump(&["1", "2", "3"]) + &dump(types);
        only_spheres(&folder.spheres("t.dump", text, &wanted)).iter().map(|sphere| sphere.color).collect::<Vec<_>>()
    };
    let all = colors(&["2"], 0, None);
    assert_eq!(colors(&["3", "2"], 1, None), [all[2], all[1]]);
    assert_eq!(colors(&["2"], 1, None), [all[1]]);
    // more than the palette has, or names: in the order of their rows
    let tab = colors(&["2"], 0, Some("tab10"));
    assert_eq!(colors(&["30", "2"], 1, Some("tab10")), tab[..2]);
    assert_eq!(colors(&["b", "a"], 1, None), all[..2]);
}

#[test]
fn categories_have_one_color_in_all_parts_of_a_picture() {
    let folder = Folder::new();
    let text = |kinds: &[&str]| {
        let rows: String = kinds.iter().enumerate().map(|(row, kind)| format!("X {row} 0 0 {kind}\n")).collect();
        format!("{}\nProperties=species:S:1:pos:R:3:kind:S:1\n{rows}", kinds.len())
    };
    let first = folder.file("a.xyz", text(&["aa", "bb", "cc"]));
    let second = folder.file("b.xyz", text(&["dd", "cc", "aa"]));
    let both = folder.file("c.xyz", text(&["aa", "bb", "cc"]) + &text(&["dd", "cc", "aa"]));
    let options = overrides(|o| {
        (o.color_by, o.figure.legend, o.width) = (Some("kind".into()), Some(LegendChoice::ON), Some(200));
    });
    let colors = |loaded: &LoadedScene<'_>| -> Vec<Srgba8> {
        let Scene::Spheres(scene) = &loaded.scene else { panic!("spheres") };
        scene.groups.iter().flat_map(|group| group.spheres.iter()).map(|sphere| sphere.color).collect()
    };
    let files = load_several(&[first.clone(), second.clone()], &FrameChoice::One, &options).expect("two files");
    let found = colors(&files);
    assert_eq!(found[4..], [found[2], found[0]], "{found:?}");
    assert!(!found[..3].contains(&found[3]), "dd has a colour of its own");
    let frames = load_several(&[both], &FrameChoice::All, &options).expect("two frames");
    assert_eq!(colors(&frames), found);
}

#[test]
fn highlights_have_entries_of_their_own() {
    let folder = Folder::new();
    let path = folder.file("m.pdb", PDB);
    let marked = overrides(|o| {
        o.highlight = vec![("chain B".into(), color("#ff0000")), ("name CA".into(), color("#00ff00"))];
        o.highlight_labels = vec!["ligand".into()];
    });
    let source = describe(&path, &marked).expect("a molecule").sources.remove(0);
    let Some(ColorKey::Categories { items, .. }) = source.colors else { panic!("chains") };
    let names: Vec<_> = items.iter().map(|item| (item.name.as_str(), item.count)).collect();
    assert_eq!(names, [("A", 1)], "what a highlight covers wholly is not listed");
    let marks: Vec<_> = source.highlights.iter().map(|item| (item.name.as_str(), item.color, item.count)).collect();
    assert_eq!(marks, [("ligand", color("#ff0000"), 1), ("name CA", color("#00ff00"), 1)]);
}

#[test]
fn scenes_keep_their_colors_of_chains() {
    let folder = Folder::new();
    folder.file("m.pdb", PDB);
    let colors = |keys: &str| {
        let text = format!("[[spheres]]\nfile = \"m.pdb\"\n{keys}\n");
        let scene = folder.spheres("m.toml", text, &LoadOptions::default());
        only_spheres(&scene).iter().map(|sphere| sphere.color).collect::<Vec<_>>()
    };
    assert_eq!(colors(""), ["#3050f8", "#909090", "#ff0d0d"].map(color));
    assert_eq!(colors("color_by = \"chain\""), ["#1f77b4", "#1f77b4", "#ff7f0e"].map(color));
    let okabe = colors("color_by = { column = \"chain\", map = \"okabe-ito\" }");
    assert_eq!(okabe, ["#56b4e9", "#56b4e9", "#e69f00"].map(color));
}

/// A table with twenty ordinary values, and one that a typing error made a million times too large.
fn table() -> String {
    let rows: String = (0..20).map(|i| format!("{i},0,{}\n", i + 1)).collect();
    format!("x,y,v\n{rows}20,0,1e6\n")
}

fn by_v(change: impl FnOnce(&mut LoadOptions)) -> Vec<Srgba8> {
    let wanted = overrides(|o| {
        o.color = Some("v".into());
        change(o);
    });
    let circles = only_circles(&Folder::new().circles("t.csv", table(), &wanted));
    circles.iter().map(|circle| circle.color.with_alpha(255)).collect()
}

#[test]
fn one_outlier_does_not_flatten_the_colors_and_info_says_so() {
    let [first, last] = ["#440154", "#fde725"].map(color);
    let robust = by_v(|_| ());
    assert_eq!((robust[0], robust[19], robust[20]), (first, last, last));
    assert_ne!(robust[9], robust[10]);
    let all = by_v(|o| o.color_range = Some(ColorRange::Percentiles([0.0, 100.0])));
    assert_eq!((all[0], all[19], all[20]), (first, first, last), "one colour for all others");
    let given = by_v(|o| o.color_range = Some(ColorRange::Numbers([10.0, 20.0])));
    assert_eq!((given[0], given[9], given[19]), (first, first, last));
    let folder = Folder::new();
    let path = folder.file("t.csv", table());
    let found = describe(&path, &overrides(|o| o.color = Some("v".into()))).expect("valid");
    let Some(ColorKey::Numbers { name, map, scale, least, most, beyond, .. }) = &found.sources[0].colors else {
        panic!("{found:?}")
    };
    assert_eq!((&**name, *map, *scale, *least, *most), ("v", "viridis", Scale::Linear, 1.0, 20.0));
    assert_eq!(*beyond, [false, true]);
    let said = "    colours     by v from 1 to 20 (viridis); greater numbers have the last colour\n";
    assert!(found.to_string().contains(said), "{found}");
}

#[test]
fn colors_follow_map_and_scale() {
    let plasma = by_v(|o| o.colormap = Some("plasma".into()));
    assert_eq!(plasma[0], color("#0d0887"));
    let log =
        by_v(|o| (o.color_scale, o.color_range) = (Some(Scale::Log.into()), Some(ColorRange::Numbers([1.0, 16.0]))));
    let linear = by_v(|o| o.color_range = Some(ColorRange::Numbers([0.0, 4.0])));
    // 2, 4 and 8 of 1 to 16 are 1, 2 and 3 of 0 to 4
    assert_eq!([log[1], log[3], log[7]], [linear[0], linear[1], linear[2]]);
    let categories = by_v(|o| o.palette = Some("tab10".into()));
    assert_eq!(categories[..2], ["#1f77b4", "#ff7f0e"].map(color));
}

#[test]
fn info_lists_categories_with_their_colors() {
    let folder = Folder::new();
    let found = describe(folder.file("m.pdb", PDB), &LoadOptions::default()).expect("valid");
    assert!(found.to_string().contains("    colours     by chain: A #56b4e9, B #e69f00\n"), "{found}");
    let Some(ColorKey::Categories { items, .. }) = &found.sources[0].colors else { panic!("{found:?}") };
    assert_eq!(items.iter().map(|item| item.count).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn colors_that_mean_nothing_are_refused() {
    let folder = Folder::new();
    let table = |change: &dyn Fn(&mut LoadOptions)| folder.refusal_with("t.csv", table(), &overrides(change));
    let hint = "; color_by names a column of t.csv";
    assert_eq!(table(&|o| o.colormap = Some("plasma".into())), format!("colormap is for colours by a column{hint}"));
    assert_eq!(table(&|o| o.palette = Some("set1".into())), format!("palette is for colours by a column{hint}"));
    assert_eq!(
        table(&|o| o.color_scale = Some(Scale::Log.into())),
        format!("color_scale is for colours by numbers{hint}")
    );
    let range = Some(ColorRange::Numbers([0.0, 1.0]));
    assert_eq!(table(&|o| o.color_range = range), format!("color_range is for colours by numbers{hint}"));
    assert!(table(&|o| o.colormap = Some("vridis".into())).starts_with(
        "colormap must be one of these maps, got \"vridis\"; did you mean \"viridis\"? (accepted: viridis, "
    ));
    assert_eq!(
        table(&|o| o.palette = Some("viridis".into())),
        "palette takes separate colours; viridis is a ramp for numbers, which colormap takes"
    );
    assert_eq!(
        table(&|o| (o.color, o.color_scale, o.color_range) = (Some("v".into()), Some(Scale::Log.into()), range)),
        "color_range must be positive for the scale log, got 0"
    );
    let scene = "[camera]\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1";
    assert_eq!(
        folder.refusal_with("s.toml", scene, &overrides(|o| o.palette = Some("set1".into()))),
        "palette is for bare data; s.toml is a scene, whose tables have keys for it"
    );
}

#[test]
fn categories_take_colors_in_the_order_that_is_asked_for() {
    let folder = Folder::new();
    let table = folder.file("k.csv", "x,y,z,kind\n0,0,0,oak\n4,0,0,ash\n8,0,0,elm\n");
    let drawn = |color_by: &str, listed: &[&str]| {
        let mut options = LoadOptions { color_by: Some(color_by.into()), ..LoadOptions::default() };
        options.categories = ["elm", "fir", "oak"].map(str::to_owned).to_vec();
        options.legend_categories = listed.iter().map(|&name| name.to_owned()).collect();
        load(&table, &options).expect("a table")
    };
    let loaded = drawn("kind", &[]);
    let Scene::Spheres(scene) = &loaded.scene else { panic!("spheres") };
    let colors: Vec<_> = scene.groups[0].spheres.iter().map(|sphere| sphere.color).collect();
    assert_eq!(colors, ["#2ca02c", "#d62728", "#1f77b4"].map(color), "oak, ash and elm");
    assert_eq!(loaded.notes, Vec::<String>::new());
    for color_by in ["x", "#123456"] {
        let notes = drawn(color_by, &[]).notes;
        assert!(notes[0].contains("--categories changes nothing"), "{notes:?}");
    }
    let notes = drawn("kind", &["yew"]).notes;
    assert!(notes.iter().any(|note| note.contains("the legend lists no yew")), "{notes:?}");
}

#[test]
fn misspelt_categories_are_noted_and_those_of_other_pictures_are_not() {
    let folder = Folder::new();
    let table = folder.file("k.csv", "x,y,z,kind\n0,0,0,maple\n4,0,0,ash\n");
    let notes = |categories: &[&str]| {
        let categories = categories.iter().map(|&name| name.to_owned()).collect();
        let options = LoadOptions { color_by: Some("kind".into()), categories, ..LoadOptions::default() };
        load(&table, &options).expect("a table").notes
    };
    assert_eq!(notes(&["ash", "birch", "maple"]), Vec::<String>::new());
    assert_eq!(notes(&["mapel", "maple"]), Vec::<String>::new(), "maple has a colour, too");
    let noted = notes(&["ash", "mapel"]);
    assert!(
        noted.len() == 1 && noted[0].contains(r#"no row has "mapel" of --categories; did you mean "maple"?"#),
        "{noted:?}"
    );
}

#[test]
fn maps_and_ranges_of_the_other_kind_are_called_so() {
    let refused = |change: fn(&mut LoadOptions)| {
        let folder = Folder::new();
        let refused = load(folder.file("m.pdb", PDB), &overrides(change)).expect_err("no such colours");
        folder.message(&refused)
    };
    let palette = refused(|o| o.palette = Some("viridis".into()));
    assert_eq!(palette, "palette takes separate colours; viridis is a ramp for numbers, which colormap takes");
    let colormap = refused(|o| (o.colormap, o.color_by) = (Some("set2".into()), Some("x".into())));
    assert_eq!(colormap, "colormap takes a ramp for numbers; set2 has separate colours, which palette takes");
    let reversed = refused(|o| o.color_range = Some(ColorRange::Percentiles([98.0, 2.0])));
    assert!(reversed.starts_with("color_range is for numbers"), "{reversed}");
}

//! The spheres of the demo: a liposome, cut open, with receptors in its membrane and a gold particle inside, among
//! droplets with a molecule each. Lengths are ångströms; the droplets are three times as large as they would be.

use std::f32::consts::PI;

use glam::{DVec3, Mat3, Quat, Vec3};
use roundel::generate::{self, Pattern};
use roundel::io::{LoadOptions, MemoryFiles, MoleculeStyle};
use roundel::spheres::{Gloss, PaintedSphere, Pose, SphereGroup};
use roundel::{Result, Scene, Srgba8};

/// Metarhodopsin II, entry 3PQR of the Protein Data Bank.
const RECEPTOR: &[u8] = include_bytes!("../../../docs/scenes/opsin.pdb.gz");

/// The middle of the receptor, and its longest axis, which points out of the membrane.
const RECEPTOR_MIDDLE: Vec3 = Vec3::new(-39.3, -8.7, 38.1);
const RECEPTOR_AXIS: Vec3 = Vec3::new(0.9969, 0.0758, -0.0220);
const RECEPTOR_LENGTH: f32 = 78.0;

/// The radius of the hole in the membrane around a receptor's axis.
const RECEPTOR_RADIUS: f32 = 19.0;

/// The directions of the receptors from the middle of the liposome.
const RECEPTORS: [Vec3; 8] = [
    Vec3::new(-0.80, -0.10, 0.60),
    Vec3::new(-0.35, -0.75, 0.55),
    Vec3::new(0.55, -0.70, 0.45),
    Vec3::new(-0.62, 0.72, 0.25),
    Vec3::new(0.95, 0.05, -0.25),
    Vec3::new(0.10, 0.10, -1.00),
    Vec3::new(0.25, 0.95, -0.30),
    Vec3::new(-0.95, -0.35, -0.10),
];

/// The radius of the liposome to the middle of its membrane.
const MEMBRANE: f32 = 80.0;

/// The area of the membrane's surface that a lipid takes.
const AREA_OF_LIPID: f32 = 54.0;

/// The beads of a lipid, from its head to the end of its tail: distance from the middle of the membrane, radius, colour.
const BEADS: [(f32, f32, Srgba8); 6] = [
    (20.5, 3.4, Srgba8::rgb(0x2f, 0x6d, 0xb5)),
    (15.8, 3.0, Srgba8::rgb(0x8f, 0xb8, 0xde)),
    (12.0, 2.7, Srgba8::rgb(0xf0, 0xe4, 0xc4)),
    (8.6, 2.6, Srgba8::rgb(0xee, 0xdc, 0xb0)),
    (5.2, 2.6, Srgba8::rgb(0xea, 0xd4, 0x9c)),
    (1.8, 2.6, Srgba8::rgb(0xe6, 0xcc, 0x88)),
];

/// The edge of gold's cubic cell, the radius of an atom in it, and half the height of the particle.
const GOLD_CELL: f32 = 4.08;
const GOLD_ATOM: f32 = 1.44;
const GOLD_PARTICLE: f32 = 27.0;

/// The middles of the droplets, and their radius.
const DROPLETS: [Vec3; 5] = [
    Vec3::new(-128.0, 62.0, 70.0),
    Vec3::new(-118.0, -86.0, 60.0),
    Vec3::new(128.0, 92.0, 40.0),
    Vec3::new(132.0, -66.0, 70.0),
    Vec3::new(-36.0, 108.0, 60.0),
];
const DROPLET: PaintedSphere =
    PaintedSphere { center: [0.0; 3], radius: 18.5, color: Srgba8 { r: 0x8c, g: 0xd3, b: 0xff, a: 0x48 } };

/// Caffeine.
const MOLECULE: &[u8] = include_bytes!("../../../docs/scenes/caffeine.xyz");

/// The normal of the plane that the molecule lies in.
const MOLECULE_NORMAL: Vec3 = Vec3::new(0.274, -0.418, 0.866);

/// How many times its size the molecule is drawn, and the share of their radii that its atoms keep.
const MAGNIFIED: f32 = 2.7;
const BALL: f32 = 0.55;

/// Returns the membrane, the receptors, the gold particle and the droplets.
pub(super) fn groups() -> Result<[SphereGroup<'static>; 4]> {
    let mut lipids = leaflet(1.0);
    lipids.extend(leaflet(-1.0));
    Ok([lipids.into(), receptors()?, gold().into(), droplets()?])
}

/// Places lipids side by side on a sphere, with their heads outward (side 1) or inward (side −1).
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some thousands of lipids")]
fn leaflet(side: f32) -> Vec<PaintedSphere> {
    let radius = MEMBRANE + side * BEADS[0].0;
    let count = (4.0 * PI * radius * radius / AREA_OF_LIPID) as usize;
    let jitters = generate::spheres(Pattern::Uniform, count, 7);
    let mut spheres = Vec::new();
    for (place, jitter) in generate::spheres(Pattern::Sunflower, count, 0).iter().zip(&jitters) {
        let jitter = Vec3::from(jitter.center);
        let outward = (Vec3::from(place.center) + jitter * (1.4 / radius)).normalize();
        let is_cut_away = outward.x > -0.25 && outward.y > -0.15 && outward.z > 0.15;
        let is_hole = |place: &Vec3| (place.normalize() - outward).length() * MEMBRANE < RECEPTOR_RADIUS;
        if is_cut_away || RECEPTORS.iter().any(is_hole) {
            continue;
        }
        for (depth, radius, color) in BEADS {
            // tails sway more than heads
            let sway = jitter * (0.12 * (BEADS[0].0 - depth));
            let center = outward * (MEMBRANE + side * (depth + jitter.y)) + sway;
            spheres.push(PaintedSphere::new(center, radius, color));
        }
    }
    spheres
}

/// Copies of the receptor with their axes across the membrane, from dark inside to bright outside.
fn receptors() -> Result<SphereGroup<'static>> {
    let mut atoms = atoms("opsin.pdb.gz", RECEPTOR)?;
    for atom in &mut atoms {
        let along = (Vec3::from(atom.center) - RECEPTOR_MIDDLE).dot(RECEPTOR_AXIS) / RECEPTOR_LENGTH;
        atom.color = mixed(Srgba8::rgb(0x7b, 0x1e, 0x5a), Srgba8::rgb(0xf2, 0xa0, 0x3d), 0.48 + along);
    }
    let pose = |direction: &Vec3| {
        let outward = direction.normalize();
        let rotation = Mat3::from_quat(Quat::from_rotation_arc(RECEPTOR_AXIS.normalize(), outward));
        Pose { rotation, translation: outward * MEMBRANE - rotation * RECEPTOR_MIDDLE }
    };
    Ok(SphereGroup::new(atoms, RECEPTORS.iter().map(pose).collect::<Vec<_>>()))
}

/// Fills a truncated octahedron with atoms of a face-centred cubic lattice.
fn gold() -> Vec<PaintedSphere> {
    let mut atoms = Vec::new();
    for (x, y, z) in (-14i8..15).flat_map(|x| (-14i8..15).flat_map(move |y| (-14i8..15).map(move |z| (x, y, z)))) {
        let center = Vec3::from([x, y, z].map(f32::from)) * (GOLD_CELL / 2.0);
        let far = center.abs();
        let is_inside = far.max_element() <= GOLD_PARTICLE && far.element_sum() <= 1.55 * GOLD_PARTICLE;
        if (x + y + z) % 2 == 0 && is_inside {
            atoms.push(PaintedSphere::new(center, GOLD_ATOM, Srgba8::rgb(0xf5, 0xb8, 0x2e)));
        }
    }
    atoms
}

/// Translucent spheres with a molecule inside, each turned another way.
fn droplets() -> Result<SphereGroup<'static>> {
    let mut spheres = atoms("caffeine.xyz", MOLECULE)?;
    let middle = spheres.iter().map(|atom| Vec3::from(atom.center)).sum::<Vec3>() / spheres.len().max(1) as f32;
    for atom in &mut spheres {
        atom.center = ((Vec3::from(atom.center) - middle) * MAGNIFIED).into();
        atom.radius *= MAGNIFIED * BALL;
    }
    spheres.push(DROPLET);
    let pose = |center: &Vec3| {
        let facing = (Vec3::Z + center.normalize() * 0.7).normalize();
        let rotation = Mat3::from_quat(Quat::from_rotation_arc(MOLECULE_NORMAL.normalize(), facing));
        Pose { rotation, translation: *center }
    };
    let gloss = vec![Some(Gloss::new(0.5)); spheres.len()];
    Ok(SphereGroup::new(spheres, DROPLETS.iter().map(pose).collect::<Vec<_>>()).with_gloss(gloss))
}

/// Reads the atoms of a molecule, with their usual radii and colours.
fn atoms(name: &str, file: &[u8]) -> Result<Vec<PaintedSphere>> {
    let options = LoadOptions { style: vec![(None, MoleculeStyle::Spacefill)], ..LoadOptions::default() };
    let loaded = MemoryFiles::new().with(name, file).load(name, &options)?;
    let Scene::Spheres(scene) = loaded.scene else { return Ok(Vec::new()) };
    let origin = DVec3::from(scene.in_data([0.0; 3])).as_vec3();
    let atoms = scene.groups.iter().flat_map(|group| group.spheres.to_vec());
    Ok(atoms.map(|atom| PaintedSphere { center: (Vec3::from(atom.center) + origin).into(), ..atom }).collect())
}

/// Mixes two colours: 0 is the first.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "means of bytes are bytes")]
fn mixed(first: Srgba8, second: Srgba8, share: f32) -> Srgba8 {
    let share = share.clamp(0.0, 1.0);
    let mix = |first: u8, second: u8| (f32::from(first) * (1.0 - share) + f32::from(second) * share).round() as u8;
    Srgba8::rgb(mix(first.r, second.r), mix(first.g, second.g), mix(first.b, second.b))
}

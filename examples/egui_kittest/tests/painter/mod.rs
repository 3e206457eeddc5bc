//! Draws egui's triangles on the CPU, so that the test needs no GPU. Textures are sampled at their nearest texel, which
//! is right for text, since egui puts glyphs on whole pixels.

use std::collections::BTreeMap;

use egui::epaint::{ImageDelta, Primitive, Vertex};
use egui::{Color32, ColorImage, Context, FullOutput, ImageData, Mesh, Rect, TextureId, TexturesDelta};
use egui_kittest::TestRenderer;
use image::{Rgba, RgbaImage};

/// A renderer for `HarnessBuilder::renderer`.
#[derive(Default)]
pub struct Painter {
    textures: BTreeMap<TextureId, ColorImage>,
}

impl TestRenderer for Painter {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        for (id, changes) in delta.set.drain() {
            changes.into_iter().for_each(|change| self.set_texture(id, change));
        }
        for id in delta.free.drain() {
            self.textures.remove(&id);
        }
    }

    fn render(&mut self, context: &Context, output: &FullOutput) -> Result<RgbaImage, String> {
        let scale = context.pixels_per_point();
        let size = context.content_rect().size() * scale;
        let mut picture = RgbaImage::new(size.x.round() as u32, size.y.round() as u32);
        for clipped in context.tessellate(output.shapes.clone(), scale) {
            let Primitive::Mesh(mesh) = clipped.primitive else { return Err("callbacks need a GPU".to_owned()) };
            let texture = self.textures.get(&mesh.texture_id).ok_or("a texture is missing")?;
            paint(&mesh, texture, clipped.clip_rect, scale, &mut picture);
        }
        // from premultiplied alpha
        for Rgba([r, g, b, a]) in picture.pixels_mut() {
            [*r, *g, *b, *a] = Color32::from_rgba_premultiplied(*r, *g, *b, *a).to_srgba_unmultiplied();
        }
        Ok(picture)
    }
}

impl Painter {
    fn set_texture(&mut self, id: TextureId, change: ImageDelta) {
        let ImageData::Color(part) = change.image;
        let Some([left, top]) = change.pos else {
            self.textures.insert(id, (*part).clone());
            return;
        };
        if let Some(texture) = self.textures.get_mut(&id) {
            for (row, pixels) in part.pixels.chunks(part.width()).enumerate() {
                let start = (top + row) * texture.width() + left;
                texture.pixels[start..start + pixels.len()].copy_from_slice(pixels);
            }
        }
    }
}

/// Blends a mesh into a picture of premultiplied colours.
fn paint(mesh: &Mesh, texture: &ColorImage, clip: Rect, scale: f32, picture: &mut RgbaImage) {
    let (width, height) = picture.dimensions();
    let pixels = |from: f32, to: f32, end: u32| from.round().max(0.0) as u32..to.round().clamp(0.0, end as f32) as u32;
    for triangle in mesh.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|corner| mesh.vertices[triangle[corner] as usize]);
        // counter-clockwise
        let [a, b, c] = if edge(&a, &b, place(&c)) < 0.0 { [a, c, b] } else { [a, b, c] };
        let area = edge(&a, &b, place(&c));
        let bounds = Rect::from_points(&[a.pos, b.pos, c.pos]).expand(1.0).intersect(clip) * scale;
        for y in pixels(bounds.min.y, bounds.max.y, height) {
            for x in pixels(bounds.min.x, bounds.max.x, width) {
                let center = [x, y].map(|side| (f64::from(side) + 0.5) / f64::from(scale));
                let weights = [(&b, &c), (&c, &a), (&a, &b)].map(|(from, to)| {
                    let weight = edge(from, to, center);
                    (weight > 0.0 || weight == 0.0 && owns_its_edge(from, to)).then_some(weight / area)
                });
                if let [Some(first), Some(second), Some(third)] = weights {
                    let mix = |number: fn(&Vertex) -> f32| {
                        first * f64::from(number(&a)) + second * f64::from(number(&b)) + third * f64::from(number(&c))
                    };
                    let texel = texel(texture, [mix(|corner| corner.uv.x), mix(|corner| corner.uv.y)]);
                    let color = [
                        mix(|corner| corner.color.r().into()),
                        mix(|corner| corner.color.g().into()),
                        mix(|corner| corner.color.b().into()),
                        mix(|corner| corner.color.a().into()),
                    ];
                    blend(picture.get_pixel_mut(x, y), color, texel);
                }
            }
        }
    }
}

fn place(corner: &Vertex) -> [f64; 2] {
    [corner.pos.x.into(), corner.pos.y.into()]
}

/// Twice the area of the triangle of an edge and a point.
fn edge(from: &Vertex, to: &Vertex, [x, y]: [f64; 2]) -> f64 {
    let ([left, top], [right, bottom]) = (place(from), place(to));
    (right - left) * (y - top) - (bottom - top) * (x - left)
}

/// Of two triangles that share an edge, one paints the pixels on it.
fn owns_its_edge(from: &Vertex, to: &Vertex) -> bool {
    to.pos.y < from.pos.y || (to.pos.y == from.pos.y && to.pos.x > from.pos.x)
}

/// The nearest colour of a texture.
fn texel(texture: &ColorImage, place: [f64; 2]) -> [u8; 4] {
    let [column, row] = [0, 1].map(|axis| {
        let texels = texture.size[axis];
        ((place[axis] * texels as f64) as usize).min(texels - 1)
    });
    texture.pixels[row * texture.width() + column].to_array()
}

/// Lays a colour, multiplied by a texel, over a pixel.
fn blend(Rgba(below): &mut Rgba<u8>, color: [f64; 4], texel: [u8; 4]) {
    let top = [0, 1, 2, 3].map(|channel| color[channel] * f64::from(texel[channel]) / 255.0);
    for (below, top_channel) in below.iter_mut().zip(top) {
        *below = (top_channel + f64::from(*below) * (1.0 - top[3] / 255.0)).round().min(255.0) as u8;
    }
}

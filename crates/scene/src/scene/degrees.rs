//! Angles as people write them.

/// The angle in degrees that converts back to exactly these radians, in few digits if possible. Every angle that was
/// read in degrees has one.
pub fn degrees(radians: f32) -> f32 {
    let nearest = radians.to_degrees();
    // few digits, as people write angles, if that is exact
    for digits in 0..4 {
        let rounded: f32 = format!("{nearest:.digits$}").parse().expect("a formatted number parses");
        if rounded.to_radians() == radians {
            return rounded;
        }
    }
    let (mut below, mut above) = (nearest, nearest);
    for _ in 0..8 {
        if let Some(found) = [below, above].into_iter().find(|degrees| degrees.to_radians() == radians) {
            return found;
        }
        (below, above) = (below.next_down(), above.next_up());
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_convert_back_to_the_same_radians() {
        for tenth in 1..1790_u16 {
            let radians = (f32::from(tenth) * 0.1).to_radians();
            assert_eq!(degrees(radians).to_radians(), radians, "{tenth}");
        }
        assert_eq!(degrees(30.0_f32.to_radians()), 30.0);
    }
}

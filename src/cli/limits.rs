//! `--limit-…`: how much a command may take.

use clap::Args;
use roundel::Budget;

/// Limits that stop a slip of the finger or a hostile file before memory is asked for.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Limits (checked before memory is asked for)")]
pub(super) struct Limits {
    /// Pixels of a picture; a frame has at most 2^30 whatever this says
    #[arg(long, value_name = "N", default_value_t = Budget::default().pixels)]
    limit_pixels: u64,
    /// Shapes of a scene, copies counted
    #[arg(long, value_name = "N", default_value_t = Budget::default().shapes)]
    limit_shapes: u64,
    /// Bytes for shapes and pixels together: 512M, 8G; K, M, G and T are powers of 1024
    #[arg(long, value_name = "SIZE", default_value = "16G", value_parser = size)]
    limit_memory: u64,
}

/// Limits where there are no shapes.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Limits (checked before memory is asked for)")]
pub(super) struct PictureLimits {
    /// Pixels of a picture; a frame has at most 2^30 whatever this says
    #[arg(long, value_name = "N", default_value_t = Budget::default().pixels)]
    limit_pixels: u64,
    /// Bytes for the pixels of both pictures: 512M, 8G; K, M, G and T are powers of 1024
    #[arg(long, value_name = "SIZE", default_value = "16G", value_parser = size)]
    limit_memory: u64,
}

impl Limits {
    /// The flags as the library takes them.
    pub(super) fn budget(self) -> Budget {
        Budget { pixels: self.limit_pixels, shapes: self.limit_shapes, memory: self.limit_memory }
    }
}

impl PictureLimits {
    /// The flags as the library takes them.
    pub(super) fn budget(self) -> Budget {
        Budget { pixels: self.limit_pixels, memory: self.limit_memory, ..Budget::default() }
    }
}

/// A number of bytes: `8G`, `8GiB` and `8GB` are all 8 × 1024³.
fn size(text: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let bare = lower.strip_suffix("ib").or_else(|| lower.strip_suffix('b')).unwrap_or(&lower);
    let (digits, shift) = match bare.char_indices().next_back() {
        Some((place, 'k')) => (&bare[..place], 10),
        Some((place, 'm')) => (&bare[..place], 20),
        Some((place, 'g')) => (&bare[..place], 30),
        Some((place, 't')) => (&bare[..place], 40),
        _ => (bare, 0),
    };
    let number = digits.parse::<u64>().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
    number
        .and_then(|number| number.checked_mul(1 << shift))
        .ok_or_else(|| "must be a whole number of bytes, such as 1000000, 512M or 8G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_powers_of_1024_and_never_overflow() {
        for (text, bytes) in [
            ("0", 0),
            ("1000000", 1_000_000),
            ("64K", 1 << 16),
            ("512M", 1 << 29),
            ("512MiB", 1 << 29),
            ("8g", 8 << 30),
            ("8GB", 8 << 30),
            ("1T", 1 << 40),
            ("12b", 12),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "G", "-1", "+1", "1.5G", "8 G", "1E", "many", "18446744073709551616", "16777216T", "é"] {
            size(text).expect_err(text);
        }
    }
}

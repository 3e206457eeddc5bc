//! `--limit-…`: limits on the input and the picture of a command.

use clap::Args;
use roundel::Budget;

use super::numbers::whole_u64;

/// Limits that stop a typing error or a hostile file before memory is allocated.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct LimitFlags {
    /// Pixels per picture, at most 2^30, or 2^32 of a PNG that is written while it is drawn
    #[arg(long, value_name = "N", default_value_t = Budget::default().pixels, value_parser = whole_u64)]
    limit_pixels: u64,
    /// Shapes per scene, copies included
    #[arg(long, value_name = "N", default_value_t = Budget::default().shapes, value_parser = whole_u64)]
    limit_shapes: u64,
    /// Memory for shapes and pixels, such as 512M or 8G
    #[arg(long, value_name = "BYTES", default_value = "16G", value_parser = bytes)]
    limit_memory: u64,
}

/// Limits of commands that read images only.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct ImageLimitFlags {
    /// Pixels per image, at most 2^30
    #[arg(long, value_name = "N", default_value_t = Budget::default().pixels, value_parser = whole_u64)]
    limit_pixels: u64,
    /// Memory for the pixels of both images, such as 512M or 8G
    #[arg(long, value_name = "BYTES", default_value = "16G", value_parser = bytes)]
    limit_memory: u64,
}

impl LimitFlags {
    pub(super) fn budget(self) -> Budget {
        Budget { pixels: self.limit_pixels, shapes: self.limit_shapes, memory: self.limit_memory }
    }
}

impl ImageLimitFlags {
    pub(super) fn budget(self) -> Budget {
        Budget { pixels: self.limit_pixels, memory: self.limit_memory, ..Budget::default() }
    }
}

/// Parses a number of bytes. The units are powers of 1024: `8G`, `8GiB` and `8GB` are all 8 × 1024³.
fn bytes(text: &str) -> Result<u64, String> {
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
    fn units_are_powers_of_1024_and_overflow_is_refused() {
        for (text, number) in [
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
            assert_eq!(bytes(text), Ok(number), "{text}");
        }
        for text in ["", "G", "-1", "+1", "1.5G", "8 G", "1E", "many", "18446744073709551616", "16777216T", "é"] {
            bytes(text).expect_err(text);
        }
    }
}

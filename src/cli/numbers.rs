//! Numbers in arguments. The error messages say what is accepted; clap adds the flag and the value.

use std::str::FromStr;

use roundel::Error;

/// Parses a value as the library does. The message says only what is accepted: clap puts the flag before it.
pub(super) fn parsed<T: FromStr<Err = Error>>(text: &str) -> Result<T, String> {
    text.parse().map_err(Error::rule)
}

pub(super) fn whole_u32(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("must be a whole number from 0 to {}", u32::MAX))
}

pub(super) fn whole_u64(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "must be a whole number from 0 to 2^64-1".to_owned())
}

/// Lets negative numbers follow flags as their values: `--samples -1` is a wrong number and not an unknown flag `-1`.
pub(super) fn accept_negative_numbers(command: clap::Command) -> clap::Command {
    let accept = |flag: clap::Arg| {
        let has_value = !flag.is_positional() && flag.get_action().takes_values();
        if has_value { flag.allow_negative_numbers(true) } else { flag }
    };
    command.mut_args(accept).mut_subcommands(accept_negative_numbers)
}

/// Parses a whole number from 1, such as `1000000`, `1.5e6` or `1_000_000`.
pub(super) fn count(text: &str) -> Result<u64, String> {
    /// A hundred thousand million: terabytes of text.
    const MAX: u64 = 100_000_000_000;
    let plain = text.replace('_', "");
    let count = match plain.split_once(['e', 'E']) {
        None => plain.parse().ok(),
        Some((digits, exponent)) => {
            let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
            let exponents = exponent.parse::<u32>().ok().zip(u32::try_from(part.len()).ok());
            let power = exponents.and_then(|(all, after_point)| 10u64.checked_pow(all.checked_sub(after_point)?));
            let digits = format!("{whole}{part}").parse::<u64>().ok();
            digits.zip(power).and_then(|(digits, power)| digits.checked_mul(power))
        }
    };
    count
        .filter(|count| (1..=MAX).contains(count))
        .ok_or_else(|| format!("must be a whole number from 1 to {MAX}, such as 1000, 1.5e6 or 1_000_000"))
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn counts_may_have_a_point_and_an_exponent() {
        for (text, number) in [("7", 7), ("1_000", 1000), ("2e3", 2000), ("1.6e7", 16_000_000), ("12.5E1", 125)] {
            assert_eq!(count(text), Ok(number), "{text}");
        }
        for text in ["0", "-1", "1.5", "1.25e1", "e3", "1e99", "1e-2", "many"] {
            assert!(count(text).is_err(), "{text}");
        }
    }
}

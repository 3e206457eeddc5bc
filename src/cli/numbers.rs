//! Numbers in arguments. The error messages say what is accepted; clap adds the flag and the value.

use roundel::spheres::AmbientOcclusion;

/// Parses a number.
pub(super) fn number(text: &str) -> Result<f32, String> {
    text.parse().map_err(|_| "must be a number".to_owned())
}

/// Parses a whole number of 32 bits.
pub(super) fn whole_u32(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("must be a whole number from 0 to {}", u32::MAX))
}

/// Parses a kind of ambient occlusion.
pub(super) fn ambient_occlusion(text: &str) -> Result<AmbientOcclusion, String> {
    text.parse().map_err(|_| "must be smooth, off or a whole number from 0".to_owned())
}

/// Parses a whole number of 64 bits.
pub(super) fn whole_u64(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("must be a whole number from 0 to {}", u64::MAX))
}

/// Lets negative numbers follow flags as their values: `--samples -1` is a wrong number and not an unknown flag `-1`.
pub(super) fn accept_negative_numbers(command: clap::Command) -> clap::Command {
    let accept = |flag: clap::Arg| {
        let has_value = !flag.is_positional() && flag.get_action().takes_values();
        if has_value { flag.allow_negative_numbers(true) } else { flag }
    };
    command.mut_args(accept).mut_subcommands(accept_negative_numbers)
}

/// Parses a whole number from 1, such as `1000000`, `1e6` or `1_000_000`.
pub(super) fn count(text: &str) -> Result<u64, String> {
    /// A hundred thousand million: terabytes of text.
    const MAX: u64 = 100_000_000_000;
    let plain = text.replace('_', "");
    let count = match plain.split_once(['e', 'E']) {
        None => plain.parse().ok(),
        Some((digits, exponent)) => {
            let power = exponent.parse().ok().and_then(|exponent| 10u64.checked_pow(exponent));
            digits.parse::<u64>().ok().zip(power).and_then(|(digits, power)| digits.checked_mul(power))
        }
    };
    count
        .filter(|count| (1..=MAX).contains(count))
        .ok_or_else(|| format!("must be a whole number from 1 to {MAX}, such as 1000, 1e6 or 1_000_000"))
}

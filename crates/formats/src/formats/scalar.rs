//! Numbers of binary files.

use crate::data::Kind;

/// The type of a number in a binary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

/// The byte order of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Endian {
    Little,
    Big,
}

impl Endian {
    /// The unsigned number of up to eight bytes.
    pub(super) fn whole(self, bytes: &[u8]) -> u64 {
        let append = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
        match self {
            Self::Big => bytes.iter().fold(0, append),
            Self::Little => bytes.iter().rev().fold(0, append),
        }
    }
}

impl Scalar {
    /// The type of a kind, `I` (signed), `U` (unsigned) or `F`, and a size in bytes.
    pub(super) fn of(kind: &str, size: usize) -> Option<Self> {
        Some(match (kind, size) {
            ("I", 1) => Self::I8,
            ("I", 2) => Self::I16,
            ("I", 4) => Self::I32,
            ("I", 8) => Self::I64,
            ("U", 1) => Self::U8,
            ("U", 2) => Self::U16,
            ("U", 4) => Self::U32,
            ("U", 8) => Self::U64,
            ("F", 4) => Self::F32,
            ("F", 8) => Self::F64,
            _ => return None,
        })
    }

    /// Size in bytes.
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    pub(super) fn kind(self) -> Kind {
        match self {
            Self::F32 => Kind::F32,
            Self::F64 => Kind::F64,
            _ => Kind::Integer,
        }
    }

    /// The number at the start of the bytes.
    #[inline]
    pub(super) fn read(self, bytes: &[u8], endian: Endian) -> f64 {
        #[inline]
        fn first<const N: usize>(bytes: &[u8], endian: Endian) -> [u8; N] {
            let mut first = [0; N];
            first.copy_from_slice(&bytes[..N]);
            if endian == Endian::Big {
                first.reverse();
            }
            first
        }
        match self {
            Self::I8 => f64::from(i8::from_le_bytes(first(bytes, endian))),
            Self::U8 => f64::from(bytes[0]),
            Self::I16 => f64::from(i16::from_le_bytes(first(bytes, endian))),
            Self::U16 => f64::from(u16::from_le_bytes(first(bytes, endian))),
            Self::I32 => f64::from(i32::from_le_bytes(first(bytes, endian))),
            Self::U32 => f64::from(u32::from_le_bytes(first(bytes, endian))),
            Self::I64 => i64::from_le_bytes(first(bytes, endian)) as f64,
            Self::U64 => u64::from_le_bytes(first(bytes, endian)) as f64,
            Self::F32 => f64::from(f32::from_le_bytes(first(bytes, endian))),
            Self::F64 => f64::from_le_bytes(first(bytes, endian)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_are_read_in_both_orders() {
        let (little, big) = (Endian::Little, Endian::Big);
        assert_eq!(Scalar::I16.read(&[0xfe, 0xff, 7], little), -2.0);
        assert_eq!(Scalar::U16.read(&[1, 2], big), 258.0);
        assert_eq!(Scalar::I8.read(&[0x80], big), -128.0);
        assert_eq!(Scalar::F32.read(&1.5_f32.to_be_bytes(), big), 1.5);
        assert_eq!(Scalar::F64.read(&(-0.1_f64).to_le_bytes(), little), -0.1);
        assert_eq!(Scalar::I64.read(&(-3_i64).to_be_bytes(), big), -3.0);
        assert_eq!(Scalar::U32.read(&u32::MAX.to_le_bytes(), little), f64::from(u32::MAX));
    }
}

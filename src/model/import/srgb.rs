//! Conversion of colors between files that use sRGB and files that use linear light.

/// Returns the linear light, 0 to 1, of an sRGB code from 0 to 255, which may be fractional.
pub fn linear(code: f64) -> f64 {
    let c = code / 255.0;
    if c <= 0.040_45 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) }
}

/// Returns the 8-bit code of a channel value from 0 to 1, without change of its encoding.
pub(crate) fn code(share: f64) -> u8 {
    (share.clamp(0.0, 1.0) * 255.0).round() as u8
}

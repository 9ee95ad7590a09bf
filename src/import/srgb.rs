//! Conversion of colors between files, which use sRGB or linear light.

/// Returns the linear light, 0 to 1, of an 8-bit sRGB code, which may be fractional.
pub(crate) fn linear(code: f64) -> f64 {
    let c = code / 255.0;
    if c <= 0.040_45 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) }
}

/// Returns the 8-bit code of a fraction of the full code, 0 to 1.
pub(crate) fn code(share: f64) -> u8 {
    (share.clamp(0.0, 1.0) * 255.0).round() as u8
}

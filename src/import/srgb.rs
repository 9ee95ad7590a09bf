//! Colours between files, which are sRGB or linear light.

/// Linear light, 0 to 1, of an 8-bit sRGB code, whole or between two.
pub(crate) fn linear(code: f64) -> f64 {
    let c = code / 255.0;
    if c <= 0.040_45 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) }
}

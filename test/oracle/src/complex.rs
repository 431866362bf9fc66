//! Complex numbers, written a second time: LANGUAGE.md, "Types". A quotient by hand of the conjugate, where
//! that neither overflows nor vanishes.

/// A real part and an imaginary one.
pub(crate) type Parts = (f64, f64);

pub(crate) fn product((a, b): Parts, (c, d): Parts) -> Parts {
    (a * c - b * d, a * d + b * c)
}

/// Both values are scaled by the larger part of the divisor first.
pub(crate) fn quotient((a, b): Parts, (c, d): Parts) -> Parts {
    let scale = c.abs().max(d.abs());
    let (c, d) = (c / scale, d / scale);
    let (re, im) = product((a / scale, b / scale), (c, -d));
    let size = c * c + d * d;
    (re / size, im / size)
}

pub(crate) fn root((re, im): Parts) -> Parts {
    let size = re.hypot(im);
    if size == 0.0 {
        return (0.0, im);
    }
    // Half of the angle.
    let angle = im.atan2(re) / 2.0;
    let root = size.sqrt();
    let real = if im == 0.0 && re < 0.0 { 0.0 } else { root * angle.cos() };
    (real, if im == 0.0 && re >= 0.0 { im } else { root * angle.sin() })
}

pub(crate) fn exponential((re, im): Parts) -> Parts {
    (re.exp() * im.cos(), re.exp() * im.sin())
}

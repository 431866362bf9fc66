//! Functions of numbers that processors have no instruction for.

macro_rules! functions {
    ($($double:ident $single:ident($method:ident $(, $argument:ident)?);)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C-unwind" fn $double(value: f64 $(, $argument: f64)?) -> f64 {
            value.$method($($argument)?)
        }

        #[unsafe(no_mangle)]
        pub(crate) extern "C-unwind" fn $single(value: f32 $(, $argument: f32)?) -> f32 {
            value.$method($($argument)?)
        }
    )*};
}

functions! {
    comet_rt_sin_f64 comet_rt_sin_f32(sin);
    comet_rt_cos_f64 comet_rt_cos_f32(cos);
    comet_rt_pow_f64 comet_rt_pow_f32(powf, exponent);
}

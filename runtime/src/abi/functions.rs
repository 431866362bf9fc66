//! Functions of numbers that processors have no instruction for.

macro_rules! functions {
    ($($double:ident $single:ident($method:ident);)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C-unwind" fn $double(value: f64) -> f64 {
            value.$method()
        }

        #[unsafe(no_mangle)]
        pub(crate) extern "C-unwind" fn $single(value: f32) -> f32 {
            value.$method()
        }
    )*};
}

functions! {
    comet_rt_sin_f64 comet_rt_sin_f32(sin);
    comet_rt_cos_f64 comet_rt_cos_f32(cos);
}

//! The address of every function of the C ABI: what the JIT resolves calls with, since a Rust executable
//! exports none of them.

use crate::abi;
use crate::abi::declared::{arguments, result};
use comet_abi::functions::{FUNCTIONS, Function};

/// A function of the C ABI.
#[derive(Clone, Copy, Debug)]
pub struct Symbol {
    /// Its name in C.
    pub name: &'static str,
    /// The address of its code.
    pub address: *const (),
}

/// Returns all functions, in the order of their declarations.
pub fn table() -> Vec<Symbol> {
    let symbol = |(function, address): (&Function, _)| Symbol { name: function.symbol, address };
    FUNCTIONS.iter().zip(addresses()).map(symbol).collect()
}

macro_rules! addresses {
    ($($(#[$doc:meta])* $constant:ident : $module:ident [$($function:ident $($element:ident)?),+] $arguments:tt -> $result:tt;)*) => {
        fn addresses() -> Vec<*const ()> {
            vec![$($(abi::$module::$function as *const (),)+)*]
        }

        /// Checks that each Rust function has the declared type.
        const _: () = {
            let mut index = 0;
            $($(
                let function = pointer!($module $function $arguments $result);
                let declared = FUNCTIONS[index].agrees_with(arguments(function), result(function));
                assert!(declared, concat!("`", stringify!($function), "` is declared with other types"));
                index += 1;
            )+)*
            assert!(index == FUNCTIONS.len());
        };
    };
}

/// Makes a pointer of a function, whose types the compiler infers.
macro_rules! pointer {
    // C returns an array through an argument in front of the others.
    ($module:ident $function:ident ($($argument:ident : $kind:expr),*) (Array($element:expr))) => {
        abi::$module::$function as extern "C-unwind" fn(_, $(any_type!($argument)),*)
    };
    ($module:ident $function:ident ($($argument:ident : $kind:expr),*) ($($result:expr)?)) => {
        abi::$module::$function as extern "C-unwind" fn($(any_type!($argument)),*) -> _
    };
}

macro_rules! any_type {
    ($argument:ident) => {
        _
    };
}

comet_abi::with_functions!(addresses);

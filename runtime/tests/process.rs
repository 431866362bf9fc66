//! What a whole process shows: output, messages and exit codes. Each case runs in a child, which is this
//! program again.

use comet_runtime as _;
use std::ffi::{CString, c_char, c_int, c_void};
use std::process::{Command, Output};

type Tensor = *mut c_void;

unsafe extern "C" {
    fn comet_rt_main(argc: c_int, argv: *const *const c_char, program: extern "C" fn()) -> c_int;
    fn comet_rt_tensor_new(format: *const c_char, name: *const c_char, at: *const c_char) -> Tensor;
    fn comet_rt_tensor_set_dim(tensor: Tensor, mode: i64, extent: i64, stated: *const c_char);
    fn comet_rt_tensor_alloc(tensor: Tensor, at: *const c_char);
    fn comet_rt_read(tensor: Tensor, source: *const c_char, triangle: i64, at: *const c_char);
    fn comet_rt_print(tensor: Tensor, at: *const c_char);
    fn comet_rt_print_scalar_f64(value: f64, bare: i8);
    fn comet_rt_print_scalar_i64(value: i64, bare: i8);
    fn comet_rt_print_elapsed(start: f64, end: f64);
    fn comet_rt_fill_f64(tensor: Tensor, value: f64, at: *const c_char);
    fn comet_rt_div_i64(dividend: i64, divisor: i64, at: *const c_char) -> i64;
    fn comet_rt_size_begin(name: *const c_char, known: i64, at: *const c_char) -> *mut c_void;
    fn comet_rt_size_from_read(
        size: *mut c_void,
        source: *const c_char,
        tensor: *const c_char,
        rank: i64,
        mode: i64,
        at: *const c_char,
    );
    fn comet_rt_size_end(size: *mut c_void) -> i64;
}

const AT: *const c_char = c"p.ta:2:3".as_ptr();

fn read_csr() -> Tensor {
    // SAFETY: the texts end in zero.
    unsafe {
        let tensor = comet_rt_tensor_new(c"f64 i32 (0 : D, 1 : CU)".as_ptr(), c"A".as_ptr(), AT);
        comet_rt_read(tensor, c"env:0".as_ptr(), 1, AT);
        tensor
    }
}

extern "C" fn prints() {
    // SAFETY: handles and texts are valid.
    unsafe {
        comet_rt_print(read_csr(), AT);
        comet_rt_print_scalar_f64(1.0 / 3.0, 1);
        comet_rt_print_scalar_i64(-7, 0);
        comet_rt_print_elapsed(1.0, 3.5);
    }
}

extern "C" fn divides() {
    // SAFETY: the text ends in zero.
    unsafe {
        comet_rt_print_scalar_i64(1, 1);
        comet_rt_div_i64(7, 0, AT);
    }
}

extern "C" fn allocates() {
    // SAFETY: handles and texts are valid.
    unsafe {
        let tensor = comet_rt_tensor_new(c"f64 i64 (0 : D, 1 : D)".as_ptr(), c"Big".as_ptr(), AT);
        comet_rt_tensor_set_dim(tensor, 0, 1 << 24, AT);
        comet_rt_tensor_set_dim(tensor, 1, 1 << 24, AT);
        comet_rt_tensor_alloc(tensor, AT);
    }
}

extern "C" fn misuses() {
    // SAFETY: handles and texts are valid; that the tensor is sparse is what the run time must find.
    unsafe {
        let tensor = comet_rt_tensor_new(c"f64 i32 (0 : CU)".as_ptr(), c"A".as_ptr(), AT);
        comet_rt_fill_f64(tensor, 1.0, AT);
    }
}

extern "C" fn sizes() {
    // SAFETY: handles and texts are valid.
    unsafe {
        let size = comet_rt_size_begin(c"i".as_ptr(), 5, c"p.ta:1:1".as_ptr());
        comet_rt_size_from_read(size, c"env:0".as_ptr(), c"A".as_ptr(), 2, 0, AT);
        comet_rt_print_scalar_i64(comet_rt_size_end(size), 1);
    }
}

/// Not a test of its own: what a child runs.
#[test]
fn child() {
    let Ok(case) = std::env::var("COMET_TEST_CHILD") else { return };
    let program = match case.as_str() {
        "prints" => prints,
        "divides" => divides,
        "allocates" => allocates,
        "misuses" => misuses,
        _ => sizes,
    };
    let flags = std::env::var("COMET_TEST_FLAGS").unwrap_or_default();
    let arguments: Vec<CString> =
        ["p"].into_iter().chain(flags.split_whitespace()).map(|flag| CString::new(flag).unwrap()).collect();
    let pointers: Vec<_> = arguments.iter().map(|argument| argument.as_ptr()).collect();
    // SAFETY: the arguments end in zero and outlive the call.
    let code = unsafe { comet_rt_main(pointers.len() as c_int, pointers.as_ptr(), program) };
    std::process::exit(code);
}

fn run(case: &str, flags: &str, file: Option<&std::path::Path>) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "process::child", "--nocapture"])
        // On one core a test's name would come before its output.
        .env("RUST_TEST_THREADS", "2")
        .env("COMET_TEST_CHILD", case)
        .env("COMET_TEST_FLAGS", flags);
    match file {
        Some(file) => command.env("SPARSE_FILE_NAME0", file),
        None => command.env_remove("SPARSE_FILE_NAME0"),
    };
    command.output().unwrap()
}

/// Standard output after the line that the test program itself prints.
fn printed(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.trim_start().strip_prefix("running 1 test\n").unwrap().to_owned()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn matrix() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = "%%MatrixMarket matrix coordinate real general\n3 4 3\n3 2 0.123456789\n1 4 2\n1 1 1e10\n";
    std::fs::write(folder.path().join("a.mtx"), text).unwrap();
    folder
}

const ARRAYS: &str = "data = \n3,\ndata = \n-1,\ndata = \n0,2,2,3,\ndata = \n0,3,1,\n";
const SCALARS: &str = "data = \n-7,\nELAPSED_TIME = 2.500000\n";

#[test]
fn tensors_and_scalars_are_printed() {
    let folder = matrix();
    let output = run("prints", "", Some(&folder.path().join("a.mtx")));
    assert_eq!(printed(&output), format!("{ARRAYS}data = \n1e+10,2,0.123457,\n0.333333\n{SCALARS}"));
    assert_eq!((output.status.code(), errors(&output)), (Some(0), String::new()));
}

#[test]
fn flags_win_over_the_environment() {
    let folder = matrix();
    let path = folder.path().join("a.mtx");
    for key in ["0", "A"] {
        let flags = format!("--print=exact --threads 1 --input {key}={}", path.display());
        let output = run("prints", &flags, Some(std::path::Path::new("/no/such.mtx")));
        let expected = format!("{ARRAYS}data = \n10000000000,2,0.123456789,\n0.3333333333333333\n{SCALARS}");
        assert_eq!((printed(&output), errors(&output)), (expected, String::new()));
    }
    let output = run("prints", "--input B=x.mtx", Some(&path));
    assert_eq!(errors(&output), "note: no read asked for `--input B=x.mtx`: expected `A`, `0`\n");
}

#[test]
fn errors_carry_their_place_and_end_with_code_1() {
    let output = run("prints", "", None);
    assert_eq!(output.status.code(), Some(1));
    let expected = "error: p.ta:2:3: no file to read `A` from: set the environment variable `SPARSE_FILE_NAME0`, or pass \
                    `--input 0=PATH` or `--input A=PATH`\n";
    assert_eq!(errors(&output), expected);

    let output = run("divides", "", None);
    assert_eq!((output.status.code(), printed(&output)), (Some(1), "1\n".to_owned()));
    assert_eq!(errors(&output), "error: p.ta:2:3: division of the integer 7 by zero\n");

    let output = run("allocates", "", None);
    assert_eq!(output.status.code(), Some(1));
    let message = errors(&output);
    assert!(
        message.starts_with("error: p.ta:2:3: out of memory: `Big` (values) needs 2251799813685248 bytes"),
        "{message}"
    );

    let folder = matrix();
    let output = run("sizes", "", Some(&folder.path().join("a.mtx")));
    let message = errors(&output);
    assert!(
        message
            .starts_with("error: p.ta:2:3: the size of `i` is 5 by the text at p.ta:1:1, but 3 by mode 0 of"),
        "{message}"
    );

    let output = run("divides", "--wrong", None);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).starts_with("error: unknown argument `--wrong`, expected"));
}

#[test]
fn mistakes_of_the_compiler_end_with_code_2() {
    let output = run("misuses", "", None);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(errors(&output), "error: p.ta:2:3: internal: `A` is filled, but not dense\n");
}

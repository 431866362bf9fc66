//! From the LLVM dialect to code that runs: in memory, as an executable, as text.

use comet_backend_cpu::native::{
    self, CodeKind, LinkOptions, LlvmContext, NativeError, Optimization, Platform, Processes, Product,
    Target, Unit,
};
use melior::Context;
use melior::ir::Module;
use std::process::Command;
use std::sync::atomic::{AtomicI64, Ordering};

const LEVELS: [Optimization; 4] = [Optimization::O0, Optimization::O1, Optimization::O2, Optimization::O3];

fn with_unit<T>(text: &str, level: Optimization, work: impl FnOnce(Unit<'_>) -> T) -> T {
    with_unit_for("native", text, level, work)
}

fn with_unit_for<T>(cpu: &str, text: &str, level: Optimization, work: impl FnOnce(Unit<'_>) -> T) -> T {
    let context = Context::new_with_registry(&comet_dialects::registration::dialects(), false);
    let module = Module::parse(&context, text).expect("the test's module is valid");
    let llvm = LlvmContext::create();
    let target = Target::new(Platform::HOST, cpu, level).expect("LLVM knows the processor");
    work(Unit::translate(&module, &llvm, target).expect("the module is in the LLVM dialect"))
}

/// A program that prints 6 · 7 through the runtime.
const PRINTS: &str = "
    llvm.func @comet_rt_print_scalar_i64(i64, i8)
    llvm.func @product(%a: i64, %b: i64) -> i64 {
      %0 = llvm.mul %a, %b : i64
      llvm.return %0 : i64
    }
    llvm.func @main() attributes {llvm.emit_c_interface} {
      %a = llvm.mlir.constant(6 : i64) : i64
      %b = llvm.mlir.constant(7 : i64) : i64
      %bare = llvm.mlir.constant(1 : i8) : i8
      %0 = llvm.call @product(%a, %b) : (i64, i64) -> i64
      llvm.call @comet_rt_print_scalar_i64(%0, %bare) : (i64, i8) -> ()
      llvm.return
    }";

/// Code in memory runs, at every level, and sees this process's memory.
#[test]
fn code_in_memory_runs() {
    static CELL: AtomicI64 = AtomicI64::new(0);
    let address = (&raw const CELL).addr();
    let text = format!(
        "llvm.func @main() {{
           %0 = llvm.mlir.constant({address} : i64) : i64
           %1 = llvm.inttoptr %0 : i64 to !llvm.ptr
           %2 = llvm.load volatile %1 : !llvm.ptr -> i64
           %3 = llvm.mlir.constant(5 : i64) : i64
           %4 = llvm.add %2, %3 : i64
           llvm.store volatile %4, %1 : i64, !llvm.ptr
           llvm.return
         }}"
    );
    for level in LEVELS {
        with_unit(&text, level, |unit| {
            unit.optimize().unwrap();
            unit.into_jit().unwrap().run();
        });
    }
    assert_eq!(CELL.load(Ordering::Relaxed), 20);
}

/// Code in memory finds the runtime's functions and those of the C library.
#[test]
fn code_in_memory_calls() {
    static CELL: AtomicI64 = AtomicI64::new(0);
    let address = (&raw const CELL).addr();
    let text = format!(
        "llvm.func @comet_rt_div_i64(i64, i64, !llvm.ptr) -> i64
         llvm.func @hypot(f64, f64) -> f64
         llvm.func @main() {{
           %0 = llvm.mlir.constant({address} : i64) : i64
           %1 = llvm.inttoptr %0 : i64 to !llvm.ptr
           %2 = llvm.mlir.constant(84 : i64) : i64
           %3 = llvm.mlir.constant(2 : i64) : i64
           %4 = llvm.call @comet_rt_div_i64(%2, %3, %1) : (i64, i64, !llvm.ptr) -> i64
           %5 = llvm.mlir.constant(3.0 : f64) : f64
           %6 = llvm.mlir.constant(4.0 : f64) : f64
           %7 = llvm.call @hypot(%5, %6) : (f64, f64) -> f64
           %8 = llvm.fptosi %7 : f64 to i64
           %9 = llvm.add %4, %8 : i64
           llvm.store volatile %9, %1 : i64, !llvm.ptr
           llvm.return
         }}"
    );
    with_unit(&text, Optimization::O0, |unit| unit.into_jit().unwrap().run());
    assert_eq!(CELL.load(Ordering::Relaxed), 47);
}

/// A call of a function that is nowhere is our mistake, and is reported before the program would jump to
/// address 0.
#[test]
fn missing_functions_are_told() {
    let text = "llvm.func @comet_rt_nothing()
                llvm.func @main() {
                  llvm.call @comet_rt_nothing() : () -> ()
                  llvm.return
                }";
    let error = with_unit(text, Optimization::O0, |unit| unit.into_jit().err());
    assert!(matches!(error, Some(NativeError::Internal(message)) if message.contains("comet_rt_nothing")));
}

/// What the code generator cannot do ends the process by our handler. The process that ends is this test, run
/// once more on its own.
#[cfg(target_arch = "x86_64")]
#[test]
fn fatal_errors_end_by_the_handler() {
    const CHILD: &str = "COMET_TEST_FATAL_ERROR";
    if std::env::var_os(CHILD).is_none() {
        let mut child = Command::new(std::env::current_exe().unwrap());
        let output = child
            .args(["--exact", "fatal_errors_end_by_the_handler", "--nocapture"])
            .env(CHILD, "1")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(42));
        assert!(String::from_utf8_lossy(&output.stderr).contains("told: "));
        return;
    }
    native::on_fatal_error(|message| {
        eprintln!("told: {message}");
        std::process::exit(42)
    });
    let text = "llvm.func @main() {
                  %0 = llvm.mlir.constant(dense<3> : vector<2xi64>) : vector<2xi64>
                  %1 = llvm.call_intrinsic \"llvm.x86.aesni.aesimc\"(%0) : (vector<2xi64>) -> vector<2xi64>
                  %2 = llvm.mlir.constant(1 : i64) : i64
                  %3 = llvm.alloca %2 x vector<2xi64> : (i64) -> !llvm.ptr
                  llvm.store volatile %1, %3 : vector<2xi64>, !llvm.ptr
                  llvm.return
                }";
    // This processor has no such instruction.
    with_unit_for("x86-64", text, Optimization::O0, |unit| unit.code(CodeKind::Object)).unwrap();
}

/// An executable has the runtime in it, runs on its own, and takes the runtime's flags.
#[test]
fn executables_run() {
    let folder = tempfile::tempdir().unwrap();
    let object = with_unit(PRINTS, Optimization::O3, |unit| {
        unit.add_entry(Processes::One).unwrap();
        unit.optimize().unwrap();
        unit.code(CodeKind::Object).unwrap()
    });
    let options = LinkOptions { product: Product::Executable, has_lines: false, processes: Processes::One };
    let program = native::link(&object, folder.path(), options).unwrap();
    let output = Command::new(&program).arg("--print=exact").output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "42");
    assert_eq!(Command::new(&program).arg("--unknown").output().unwrap().status.code(), Some(1));
}

/// Only the program and its entry are visible outside, so that the rest may be inlined and dropped.
#[test]
fn everything_else_is_private() {
    let text = with_unit(PRINTS, Optimization::O3, |unit| {
        unit.add_entry(Processes::One).unwrap();
        unit.optimize().unwrap();
        unit.ir_text()
    });
    let defined: Vec<&str> = text.lines().filter(|line| line.starts_with("define")).collect();
    assert_eq!(defined.len(), 2, "{text}");
    assert!(text.contains("@comet_rt_print_scalar_i64(i64 42, i8 1)"), "{text}");
}

/// A processor that LLVM does not know is the user's error, with those that it knows.
#[test]
fn unknown_processors_are_refused() {
    let error = Target::new(Platform::HOST, "z80", Optimization::O3).err();
    assert!(matches!(error, Some(NativeError::User { message, hint: Some(_) }) if message.contains("`z80`")));
}

/// A named processor decides what instructions there are.
#[cfg(target_arch = "x86_64")]
#[test]
fn processors_have_their_own_instructions() {
    let text = "llvm.func @fma(f64, f64, f64) -> f64
                llvm.func @main() {
                  %0 = llvm.mlir.constant(64 : i64) : i64
                  %1 = llvm.inttoptr %0 : i64 to !llvm.ptr
                  %2 = llvm.load %1 : !llvm.ptr -> vector<8xf64>
                  %3 = llvm.intr.fma(%2, %2, %2) : (vector<8xf64>, vector<8xf64>, vector<8xf64>) -> vector<8xf64>
                  llvm.store %3, %1 : vector<8xf64>, !llvm.ptr
                  llvm.return
                }";
    let assembly = |cpu: &str| {
        let code = with_unit_for(cpu, text, Optimization::O3, |unit| {
            unit.optimize().unwrap();
            unit.code(CodeKind::Assembly).unwrap()
        });
        String::from_utf8(code).unwrap()
    };
    assert!(assembly("x86-64-v4").contains("zmm"));
    assert!(!assembly("x86-64-v3").contains("zmm"));
    assert!(!assembly("x86-64").contains("ymm"));
}

/// Loops of a very large function become functions of their own, and the program does what it did.
#[test]
fn loops_of_large_functions_are_outlined() {
    static CELL: AtomicI64 = AtomicI64::new(0);
    let address = (&raw const CELL).addr();
    let looped = |n: usize| {
        let additions: String =
            (0..90).map(|a| format!("%s{n}_{} = llvm.add %s{n}_{a}, %i{n} : i64\n", a + 1)).collect();
        format!(
            "llvm.br ^head{n}(%zero : i64)
           ^head{n}(%i{n}: i64):
             %c{n} = llvm.icmp \"slt\" %i{n}, %rounds : i64
             llvm.cond_br %c{n}, ^body{n}, ^after{n}
           ^body{n}:
             %s{n}_0 = llvm.load volatile %cell : !llvm.ptr -> i64
             {additions}
             llvm.store volatile %s{n}_90, %cell : i64, !llvm.ptr
             %next{n} = llvm.add %i{n}, %one : i64
             llvm.br ^head{n}(%next{n} : i64)
           ^after{n}:\n"
        )
    };
    let program = |loops: usize| {
        let loops: String = (0..loops).map(looped).collect();
        format!(
            "llvm.func @main() {{
               %zero = llvm.mlir.constant(0 : i64) : i64
               %one = llvm.mlir.constant(1 : i64) : i64
               %rounds = llvm.mlir.constant(3 : i64) : i64
               %address = llvm.mlir.constant({address} : i64) : i64
               %cell = llvm.inttoptr %address : i64 to !llvm.ptr
               {loops}
               llvm.return
             }}"
        )
    };
    for (loops, outlined) in [(400, 400), (4, 0)] {
        CELL.store(0, Ordering::Relaxed);
        with_unit(&program(loops), Optimization::O1, |unit| {
            unit.optimize().unwrap();
            let text = unit.ir_text();
            assert_eq!(
                text.matches("call fastcc void @comet_program.extracted").count(),
                outlined,
                "{text:.3000}"
            );
            unit.into_jit().unwrap().run();
        });
        // 90 · (0 + 1 + 2) a loop.
        assert_eq!(CELL.load(Ordering::Relaxed), 270 * loops as i64);
    }
}

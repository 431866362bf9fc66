//! The model of Capstan on small applications whose units and cycles can be counted by hand.

use comet_spatial::capstan::{DDR4, Estimate, HBM2E, IDEAL, Resources, estimate};
use comet_spatial::interpret::{Column, Inputs, run};
use comet_spatial::read::read;

/// An application that has `x_d` and `y_d`, of 1024 integers of 4 bytes each.
fn app(accel: &str) -> String {
    format!(
        r#"
object K_0 extends K()
@spatial abstract class K(bp: scala.Int = 4) extends SpatialApp {{
  type T = Int
  def main(args: Array[String]): Unit = {{
    val x_h = loadCSV1D[T]("x.csv", "\n")
    val x_d = DRAM[T](1024)
    setMem(x_d, x_h)
    val y_d = DRAM[T](1024)
    Accel {{
{accel}
    }}
  }}
}}
"#
    )
}

fn model(accel: &str) -> Estimate {
    let text = app(accel);
    let app = read(&text).expect("it is a text");
    let files = [("x.csv".to_owned(), Column::Integers((0..1024).map(|place| place % 7).collect()))];
    let inputs = Inputs { files: files.into(), ..Inputs::default() };
    let outcome = run(&app, &inputs).unwrap_or_else(|fault| panic!("{} in {text}", fault.message));
    estimate(&app, &outcome)
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 0.01, "{found}, and not {expected}");
}

/// A load, a loop and a store, one after the other: 64 steps of 16 lanes each, six cycles through the stages,
/// and the latency of each transfer.
#[test]
fn steps_of_accel_follow_each_other() {
    let found = model(
        "val x = SRAM[T](1024)
         x load x_d(0::1024 par 16)
         val y = SRAM[T](1024)
         Foreach (1024 by 1 par 16) { i => y(i) = x(i) * 2 }
         y_d(0::1024 par 16) store y",
    );
    // Three and a half units for each transfer, and one for the loop.
    assert_eq!(found.resources, Resources { pcu: 8, pmu: 2, mc: 2, shuffle: 0 });
    close(found.cycles_with(&IDEAL), 3.0 * 64.0 + 6.0);
    close(found.cycles_with(&HBM2E), 3.0 * 64.0 + 6.0 + 2.0 * 160.0);
    let of_ddr = 4096.0 / (4.0 * 2133e6 * 8.0) * 1.6e9;
    close(found.cycles_with(&DDR4), 2.0 * of_ddr + 64.0 + 6.0 + 2.0 * 96.0);
}

/// Transfers of one element at a time take 16 times as long as those of a vector.
#[test]
fn narrow_transfers_take_longer() {
    let found = model(
        "val x = SRAM[T](1024)
         x load x_d(0::1024 par 1)",
    );
    close(found.cycles_with(&IDEAL), 1024.0);
}

/// Copies of a body work side by side: the 8 iterations that load 128 elements each overlap and take as long
/// as the transfers of one copy.
#[test]
fn rounds_of_outer_patterns_overlap() {
    let body = |par: &str| {
        format!(
            "val y = SRAM[T](8)
             Foreach (8 by 1 par {par}) {{ i =>
               val x = FIFO[T](16)
               x load x_d(i * 128::(i + 1) * 128 par 16)
               val sum = Reg[T](0.to[T])
               Reduce(sum)(128 by 1 par 16) {{ k => x.deq }} {{ _ + _ }}
               y(i) = sum
             }}"
        )
    };
    // The tree of the reduction is one unit, the three operations on addresses a quarter of one.
    let alone = model(&body("1"));
    assert_eq!(alone.resources, Resources { pcu: 1, pmu: 2, mc: 1, shuffle: 0 });
    // 8 vectors of 16 elements in each iteration, then the stages of the reduction.
    close(alone.cycles_with(&IDEAL), 64.0 + 6.0);
    let four = model(&body("bp"));
    assert_eq!(four.resources, Resources { pcu: 4 + 1, pmu: 4 + 1, mc: 4, shuffle: 0 });
    close(four.cycles_with(&IDEAL), 16.0 + 6.0);
}

/// Where an iteration loads what the one before has stored, it waits for all of it.
#[test]
fn rounds_that_need_each_other_wait() {
    let body = |from: &str| {
        format!(
            "val none = SRAM[T](16)
             none load x_d(0::16 par 16)
             y_d(0::16 par 16) store none
             Foreach (8 by 1) {{ i =>
               val a = SRAM[T](16)
               a load {from} par 16)
               val b = SRAM[T](16)
               Foreach (16 by 1 par 16) {{ k => b(k) = a(k) + 1 }}
               y_d((i + 1) * 16::(i + 2) * 16 par 16) store b
             }}"
        )
    };
    let apart = model(&body("x_d(i * 16::(i + 1) * 16"));
    // Controllers take 4.7 cycles a launch; those that need nothing of each other run at the same time.
    close(apart.cycles_with(&IDEAL), 8.0 * 4.7 + 6.0);
    let waiting = model(&body("y_d(i * 16::(i + 1) * 16"));
    close(waiting.cycles_with(&IDEAL), 2.0 * 4.7 + 8.0 * (3.0 * 4.7 + 6.0));
}

/// A sparse SRAM that copies share takes a shuffle network for each, and a memory unit for each, as each
/// reads 16 elements in a cycle.
#[test]
fn shared_sparse_memories_are_shuffled() {
    let found = model(
        "val x = SparseSRAM[T](1024)
         x load x_d(0::1024 par 16)
         val y = SRAM[T](64)
         Foreach (64 by 1 par bp) { i =>
           val sum = Reg[T](0.to[T])
           Reduce(sum)(16 by 1 par 16) { k => x(i * 16 + k) } { _ + _ }
           y(i) = sum
         }",
    );
    assert_eq!((found.resources.shuffle, found.resources.pmu), (4, 4 + 1));
}

/// Memories take as many units as they have times 256 KiB.
#[test]
fn large_memories_take_several_units() {
    let found = model(
        "val x = SRAM[T](200000)
         x load x_d(0::1024 par 16)",
    );
    assert_eq!(found.resources.pmu, 4);
}

/// A scan takes a step for each 512 bits, also where none of them is 1.
#[test]
fn scans_go_through_all_lines() {
    let found = model(
        "val crd = FIFO[T](16)
         Foreach (2 by 1) { i => crd.enq(i * 5000) }
         val bits = FIFO[U32](16 * ((8192 + 511) / 512))
         gen_bitvector(0, 8192, 2, crd, bits)
         val y = SparseSRAM[T](8192)
         Foreach (Scan(16, 8192, \"or\", bits.deq)) { case List(i, n) => y(i) = n }",
    );
    // Two iterations in a launch, sixteen lines of the bit vector, and the same sixteen lines scanned to a
    // sparse SRAM, in whose banks lanes meet; each with its stages.
    close(found.cycles_with(&IDEAL), (4.7 + 6.0) + (16.0 * 3.3 + 6.0) + (16.0 * 1.25 + 6.0));
}

/// Where there is more than the machine has, that is reported.
#[test]
fn what_does_not_fit_is_told() {
    let found = model(
        "Foreach (300 by 1 par 100) { i =>
           val x = SRAM[T](8)
           x load x_d(0::8 par 8)
         }",
    );
    assert!(!found.resources.fit(), "{:?}", found.resources);
    assert_eq!(found.resources.limit(), ("pcu", 1.75));
    assert!(found.summary().contains("which is more than there is"), "{}", found.summary());
}

/// What is predicted from lengths of segments is what a run on the data takes: a counter has as many
/// iterations as segments are long on average, and copies take as long as the longest.
#[test]
fn predictions_are_what_runs_take() {
    let text = app("val pos = SRAM[T](64)
         pos load x_d(0::9 par 1)
         val y = SRAM[T](64)
         Foreach (8 by 1 par 1) { i =>
           val start = pos(i)
           val end = pos(i + 1)
           val len = end - start
           val x = FIFO[T](16)
           x load x_d(start::end par 16)
           val sum = Reg[T](0.to[T])
           Reduce(sum)(len by 1 par 16) { k => x.deq } { _ + _ }
           y(i) = sum
         }");
    let app = read(&text).expect("it is a text");
    let segments = [100, 7, 0, 33, 64, 12, 90, 40];
    let ends = segments.iter().scan(0, |end, len| {
        *end += len;
        Some(*end)
    });
    let positions: Vec<i64> = std::iter::once(0).chain(ends).collect();
    let files = [("x.csv".to_owned(), Column::Integers(positions.into_iter().chain(346..1361).collect()))];
    let inputs = Inputs { files: files.into(), ..Inputs::default() };
    let ran = estimate(&app, &run(&app, &inputs).expect("it runs"));
    let predicted = comet_spatial::capstan::predict(&app, &inputs);
    assert_eq!(predicted.resources, ran.resources);
    let (ran, predicted) = (ran.cycles_with(&IDEAL), predicted.cycles_with(&IDEAL));
    assert!((predicted / ran - 1.0).abs() < 0.1, "{predicted} is predicted, and a run takes {ran}");
}

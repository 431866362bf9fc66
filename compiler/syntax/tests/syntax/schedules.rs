//! Schedules with every form of an argument.

use insta::assert_snapshot;

use crate::{errors_in, tree};

/// Every command of LANGUAGE.md.
#[test]
fn commands() {
    assert_snapshot!(
        tree("C[i,j] = A[i,k] * B[k,j] schedule { order(i, k, j); split(i, io, ii, 4); pos(k, kp, A[i,k]); \
              tile(i: 64, k: 32); tile(auto, buffer = 128KiB); tile(auto, buffer = 2 MiB, bytes=64B, n = 3, by = x); \
              precompute(A[i,k] * B[k,j], {i}, {iw}, W : {D}); precompute(x, {i,j}, {iw, jw}, W : BCSR<2,2>); \
              workspace(T, hash, 16); parallelize(k, reduction, 4); scalar_promote(); };"),
        @r"
    assign C[i,j] =
      binary *
        access A[i,k]
        access B[k,j]
      schedule
        order
          name i
          name k
          name j
        split
          name i
          name io
          name ii
          number 4
        pos
          name k
          name kp
          access A[i,k]
        tile
          sized i: 64
          sized k: 32
        tile
          name auto
          setting buffer = 128KiB
        tile
          name auto
          setting buffer = 2MiB
          setting bytes = 64B
          setting n = 3
          setting by = x
        precompute
          binary *
            access A[i,k]
            access B[k,j]
          labels {i}
          labels {iw}
          formatted W : {D}
        precompute
          name x
          labels {i,j}
          labels {iw,jw}
          formatted W : BCSR<2,2>
        workspace
          name T
          name hash
          number 16
        parallelize
          name k
          name reduction
          number 4
        scalar_promote
    "
    );
}

/// A schedule may be empty and may follow a mask and a product that ends with a name.
#[test]
fn empty_schedule() {
    assert_snapshot!(tree("C[i]<M> += a[i] * schedule schedule {};"), @r"
    assign C[i]<M> +=
      binary *
        access a[i]
        name schedule
      schedule
    ");
}

/// An error in one command hides neither the next one nor the statements behind the schedule.
#[test]
fn errors_in_commands() {
    assert_snapshot!(
        errors_in("y[i] = b[i] schedule {\n  order(i;\n  tile(i 64);\n  tile(auto, buffer = 128KB);\n  map i;\n};\nx = ;"),
        @r"
    error: expected `)`, `,`, `:`, `=` or an operator, found `;`
     --> a.ta:3:10
      |
    3 |   order(i;
      |        - ^
      |        |
      |        this `(` is not closed
      |
      = help: close the bracket with `)`
    error: expected `)`, `,`, `:`, `=` or an operator, found `64`
     --> a.ta:4:10
      |
    4 |   tile(i 64);
      |          ^^
      |
      = help: separate them with `,`
    error: expected a unit, found `KB`
     --> a.ta:5:26
      |
    5 |   tile(auto, buffer = 128KB);
      |                          ^^
      |
      = help: the units are `B`, `KiB` and `MiB`
    error: expected `(`, found `i`
     --> a.ta:6:7
      |
    6 |   map i;
      |       ^
    error: expected an expression, found `;`
     --> a.ta:8:5
      |
    8 | x = ;
      |     ^
    "
    );
}

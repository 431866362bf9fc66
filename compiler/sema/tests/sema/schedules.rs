//! Schedules: every command, and every wrong argument.

use insta::assert_snapshot;

use crate::{errors_in, statements};

/// Guards that the table of LANGUAGE.md is accepted.
#[test]
fn every_command() {
    assert_snapshot!(scheduled(
        r"
    split(i, io, ii, 4); divide(k, ko, ki, 2); fuse(io, ii, f); pos(k, kp, A[i,k]); bound(j, jb, 8); unroll(ki, 2);
    order(f, ko, ki, j); vectorize(jb, 8); tile(i: 64, k: 32); tile(auto, buffer = 128KiB);
    precompute(A[i,k] * B[k,j], {j}, {jw}, W : {D}); workspace(W, dense); workspace(C, list, 64);
    parallelize(i, cpu); parallelize(i, cpu, 4); parallelize(k, reduction, 16); parallelize(i, spatial, 2);
    locate(A); locate(B[k,j]); skip(k); bitvector(j, 64); scalar_promote(); communicate(A, j);
    environment(ip, 16); accelerate(k, spatial, reduction, ip); map(k, spatial, reduction, 4);
"
    ), @"C[i,j] = Σ{k} (A[i,k] * B[k,j]) schedule of 26");
}

/// Guards that a workspace has a name of its own, and that how a tensor is computed is said once.
#[test]
fn twice() {
    assert_snapshot!(wrong("precompute(A[i,k], {k}, {kw}, C : {D}); workspace(C, hash, 4); workspace(C, dense);"), @r"
    error: `precompute` introduces workspace `C`, which exists already
     --> a.ta:4:67
      |
    4 | C[i,j] = A[i,k] * B[k,j] schedule { precompute(A[i,k], {k}, {kw}, C : {D}); workspace(C, hash, 4); workspace(C, dense); };
      |                                                                   ^
      |
      = help: choose another name for it

    error: `C` has a `workspace` command already
     --> a.ta:4:100
      |
    4 | C[i,j] = A[i,k] * B[k,j] schedule { precompute(A[i,k], {k}, {kw}, C : {D}); workspace(C, hash, 4); workspace(C, dense); };
      |                                                                                                    ^^^^^^^^^^^^^^^^^^^
      |
      = help: leave one of the two out
    ");
}

/// Guards the hint for a misspelt command.
#[test]
fn unknown_command() {
    assert_snapshot!(wrong("splt(i, io, ii, 4); reverse(i);"), @r"
    error: unknown scheduling command `splt`
     --> a.ta:4:37
      |
    4 | C[i,j] = A[i,k] * B[k,j] schedule { splt(i, io, ii, 4); reverse(i); };
      |                                     ^^^^
      |
      = help: did you mean `split`?

    error: unknown scheduling command `reverse`
     --> a.ta:4:57
      |
    4 | C[i,j] = A[i,k] * B[k,j] schedule { splt(i, io, ii, 4); reverse(i); };
      |                                                         ^^^^^^^
      |
      = help: the commands are `order`, `split`, `divide`, `fuse`, `pos`, `bound`, `unroll`, `vectorize`, `tile`, `precompute`, `workspace`, `assemble`, `parallelize`, `distribute`, `replicate`, `locate`, `skip`, `bitvector`, `scalar_promote`, `communicate`, `accelerate`, `map`, `environment`
    ");
}

/// Guards labels that the statement does not have.
#[test]
fn labels() {
    assert_snapshot!(wrong("order(i, m); split(i, k, ii, 4); unroll(io, 2); split(i, io, iq, 4); unroll(io, 2); order(i, i);"), @r"
    error: the statement has no label `m`
     --> a.ta:4:46
      |
    4 | C[i,j] = A[i,k] * B[k,j] schedule { order(i, m); split(i, k, ii, 4); unroll(io, 2); split(i, io, iq, 4); unroll(io, 2); order(i, i); };
      |                                              ^
      |
      = help: its labels are `i`, `j`, `k`

    error: `split` introduces label `k`, which exists already
     --> a.ta:4:59
      |
    4 | C[i,j] = A[i,k] * B[k,j] schedule { order(i, m); split(i, k, ii, 4); unroll(io, 2); split(i, io, iq, 4); unroll(io, 2); order(i, i); };
      |                                                           ^
      |
      = help: choose another name for it

    error: the statement has no label `io`
     --> a.ta:4:77
      |
    4 | C[i,j] = A[i,k] * B[k,j] schedule { order(i, m); split(i, k, ii, 4); unroll(io, 2); split(i, io, iq, 4); unroll(io, 2); order(i, i); };
      |                                                                             ^^
      |
      = help: its labels are `i`, `ii`, `j`, `k`

    error: label `i` is listed twice
     --> a.ta:4:130
      |
    4 | C[i,j] = A[i,k] * B[k,j] schedule { order(i, m); split(i, k, ii, 4); unroll(io, 2); split(i, io, iq, 4); unroll(io, 2); order(i, i); };
      |                                                                                                                                  ^
      |
      = help: write `order(i, k, j)`
    ");
}

/// Guards the number and the forms of arguments.
#[test]
fn arguments() {
    assert_snapshot!(wrong(
        r"
    split(i, io, 4); unroll(i, 0); unroll(i, 1.5); unroll(A[i,k], 2); workspace(Q, dense); workspace(C, sparse, 4);
    parallelize(i, gpu, 4); bitvector(j, 12); pos(k, kp, A); accelerate(k, spatial, reduction, ip); order(); tile();
    tile(auto); tile(i); tile(i: 0); tile(q: 4); tile(auto, buffer = 0KiB); locate(5); locate(Z); scalar_promote(i);
"
    ), @r"
    error: `split` takes 4 arguments, found 3
     --> a.ta:5:5
      |
    5 |     split(i, io, 4); unroll(i, 0); unroll(i, 1.5); unroll(A[i,k], 2); workspace(Q, dense); workspace(C, sparse, 4);
      |     ^^^^^^^^^^^^^^^
      |
      = help: write `split(i, io, ii, n)`

    error: expected a whole number of at least 1
     --> a.ta:5:32
      |
    5 |     split(i, io, 4); unroll(i, 0); unroll(i, 1.5); unroll(A[i,k], 2); workspace(Q, dense); workspace(C, sparse, 4);
      |                                ^
      |
      = help: write `unroll(k, n)`

    error: expected a whole number of at least 1
     --> a.ta:5:46
      |
    5 |     split(i, io, 4); unroll(i, 0); unroll(i, 1.5); unroll(A[i,k], 2); workspace(Q, dense); workspace(C, sparse, 4);
      |                                              ^^^
      |
      = help: write `unroll(k, n)`

    error: expected a label
     --> a.ta:5:59
      |
    5 |     split(i, io, 4); unroll(i, 0); unroll(i, 1.5); unroll(A[i,k], 2); workspace(Q, dense); workspace(C, sparse, 4);
      |                                                           ^^^^^^
      |
      = help: write `unroll(k, n)`

    error: `Q` is no tensor of the statement and no workspace
     --> a.ta:5:81
      |
    5 |     split(i, io, 4); unroll(i, 0); unroll(i, 1.5); unroll(A[i,k], 2); workspace(Q, dense); workspace(C, sparse, 4);
      |                                                                                 ^
      |
      = help: the tensors are `A`, `B`, `C`

    error: expected `hash` or `list`, found `sparse`
     --> a.ta:5:105
      |
    5 |     split(i, io, 4); unroll(i, 0); unroll(i, 1.5); unroll(A[i,k], 2); workspace(Q, dense); workspace(C, sparse, 4);
      |                                                                                                         ^^^^^^
      |
      = help: write `workspace(T, dense)` or `workspace(T, hash, n)` or `workspace(T, list, n)`

    error: expected `cpu` or `reduction` or `spatial`, found `gpu`
     --> a.ta:6:20
      |
    6 |     parallelize(i, gpu, 4); bitvector(j, 12); pos(k, kp, A); accelerate(k, spatial, reduction, ip); order(); tile();
      |                    ^^^
      |
      = help: write `parallelize(i, cpu)`, `parallelize(i, spatial, n)` or `parallelize(k, reduction, n)`

    error: a bit vector's words have 8, 16, 32 or 64 bits, found 12
     --> a.ta:6:42
      |
    6 |     parallelize(i, gpu, 4); bitvector(j, 12); pos(k, kp, A); accelerate(k, spatial, reduction, ip); order(); tile();
      |                                          ^^
      |
      = help: write `bitvector(j, b)`

    error: expected a tensor with its labels, `A[i,k]`
     --> a.ta:6:58
      |
    6 |     parallelize(i, gpu, 4); bitvector(j, 12); pos(k, kp, A); accelerate(k, spatial, reduction, ip); order(); tile();
      |                                                          ^
      |
      = help: write `pos(k, kp, A[i,k])`

    error: `ip` is no number, and no `environment` defines it
     --> a.ta:6:96
      |
    6 |     parallelize(i, gpu, 4); bitvector(j, 12); pos(k, kp, A); accelerate(k, spatial, reduction, ip); order(); tile();
      |                                                                                                ^^
      |
      = help: write a number, or `environment(ip, 16)` before this command

    error: `order` needs at least one label
     --> a.ta:6:101
      |
    6 |     parallelize(i, gpu, 4); bitvector(j, 12); pos(k, kp, A); accelerate(k, spatial, reduction, ip); order(); tile();
      |                                                                                                     ^^^^^^^
      |
      = help: write `order(i, k, j)`

    error: `tile` needs at least one `label: size`
     --> a.ta:6:110
      |
    6 |     parallelize(i, gpu, 4); bitvector(j, 12); pos(k, kp, A); accelerate(k, spatial, reduction, ip); order(); tile();
      |                                                                                                              ^^^^^^
      |
      = help: write `tile(i: 64, k: 32)` or `tile(auto, buffer = 128KiB)`

    error: `tile(auto, …)` needs the size of the buffer
     --> a.ta:7:5
      |
    7 |     tile(auto); tile(i); tile(i: 0); tile(q: 4); tile(auto, buffer = 0KiB); locate(5); locate(Z); scalar_promote(i);
      |     ^^^^^^^^^^
      |
      = help: write `tile(i: 64, k: 32)` or `tile(auto, buffer = 128KiB)`

    error: expected `label: size`
     --> a.ta:7:22
      |
    7 |     tile(auto); tile(i); tile(i: 0); tile(q: 4); tile(auto, buffer = 0KiB); locate(5); locate(Z); scalar_promote(i);
      |                      ^
      |
      = help: write `tile(i: 64, k: 32)` or `tile(auto, buffer = 128KiB)`

    error: expected a whole number of at least 1
     --> a.ta:7:31
      |
    7 |     tile(auto); tile(i); tile(i: 0); tile(q: 4); tile(auto, buffer = 0KiB); locate(5); locate(Z); scalar_promote(i);
      |                               ^^^^
      |
      = help: write `tile(i: 64, k: 32)` or `tile(auto, buffer = 128KiB)`

    error: the statement has no label `q`
     --> a.ta:7:43
      |
    7 |     tile(auto); tile(i); tile(i: 0); tile(q: 4); tile(auto, buffer = 0KiB); locate(5); locate(Z); scalar_promote(i);
      |                                           ^
      |
      = help: its labels are `i`, `j`, `k`, `kp`

    error: expected a whole number of at least 1
     --> a.ta:7:61
      |
    7 |     tile(auto); tile(i); tile(i: 0); tile(q: 4); tile(auto, buffer = 0KiB); locate(5); locate(Z); scalar_promote(i);
      |                                                             ^^^^^^^^^^^^^
      |
      = help: write `tile(i: 64, k: 32)` or `tile(auto, buffer = 128KiB)`

    error: expected a tensor with its labels, `A[i,k]`
     --> a.ta:7:84
      |
    7 |     tile(auto); tile(i); tile(i: 0); tile(q: 4); tile(auto, buffer = 0KiB); locate(5); locate(Z); scalar_promote(i);
      |                                                                                    ^
      |
      = help: write `locate(x)`

    error: `Z` is no tensor of the statement and no workspace
     --> a.ta:7:95
      |
    7 |     tile(auto); tile(i); tile(i: 0); tile(q: 4); tile(auto, buffer = 0KiB); locate(5); locate(Z); scalar_promote(i);
      |                                                                                               ^
      |
      = help: the tensors are `A`, `B`, `C`

    error: `scalar_promote` takes 0 arguments, found 1
     --> a.ta:7:99
      |
    7 |     tile(auto); tile(i); tile(i: 0); tile(q: 4); tile(auto, buffer = 0KiB); locate(5); locate(Z); scalar_promote(i);
      |                                                                                                   ^^^^^^^^^^^^^^^^^
      |
      = help: write `scalar_promote()`
    ");
}

/// Guards that `precompute` names no function: it would match any scalar.
#[test]
fn precompute_of_a_function() {
    assert_snapshot!(wrong("precompute(exp(A[i,k]), {}, {}, W : scalar);"), @r"
    error: not supported yet: a function in what `precompute` names
     --> a.ta:4:48
      |
    4 | C[i,j] = A[i,k] * B[k,j] schedule { precompute(exp(A[i,k]), {}, {}, W : scalar); };
      |                                                ^^^^^^^^^^^
      |
      = help: compute it by a statement of its own
    ");
}

/// Guards the workspace of `precompute`.
#[test]
fn precompute() {
    assert_snapshot!(wrong(
        r"
    precompute(A[i,k], {k}, {k}, W); precompute(A[i,k], {k}, {ka, kb}, V : {D}); precompute(A[i,k], {k}, {ka}, U : CSR);
    precompute(A[i,k], k, {ka}, R : {D}); precompute(A[i,k]); precompute(Z[i,m], {k}, {kc}, T : {D});
"
    ), @r"
    error: expected a workspace with its format, `W : {D}`
     --> a.ta:5:34
      |
    5 |     precompute(A[i,k], {k}, {k}, W); precompute(A[i,k], {k}, {ka, kb}, V : {D}); precompute(A[i,k], {k}, {ka}, U : CSR);
      |                                  ^
      |
      = help: write `precompute(expr, {i}, {iw}, W : format)`

    error: expected as many labels as before, found 2 labels
     --> a.ta:5:57
      |
    5 |     precompute(A[i,k], {k}, {k}, W); precompute(A[i,k], {k}, {ka, kb}, V : {D}); precompute(A[i,k], {k}, {ka}, U : CSR);
      |                                                         ^^^^^^^^^^^^^
      |
      = help: write `precompute(expr, {i}, {iw}, W : format)`

    error: `CSR` needs 2 modes, but `U` has 1
     --> a.ta:5:116
      |
    5 |     precompute(A[i,k], {k}, {k}, W); precompute(A[i,k], {k}, {ka, kb}, V : {D}); precompute(A[i,k], {k}, {ka}, U : CSR);
      |                                                                                                           --       ^^^
      |                                                                                                           |
      |                                                                                                           1 mode
      |
      = help: use `Dense` or `SparseVector`, or list the levels

    error: expected two lists of labels, `{i}, {iw}`
     --> a.ta:6:24
      |
    6 |     precompute(A[i,k], k, {ka}, R : {D}); precompute(A[i,k]); precompute(Z[i,m], {k}, {kc}, T : {D});
      |                        ^^^^^^^
      |
      = help: write `precompute(expr, {i}, {iw}, W : format)`

    error: `precompute` takes 4 arguments, found 1
     --> a.ta:6:43
      |
    6 |     precompute(A[i,k], k, {ka}, R : {D}); precompute(A[i,k]); precompute(Z[i,m], {k}, {kc}, T : {D});
      |                                           ^^^^^^^^^^^^^^^^^^
      |
      = help: write `precompute(expr, {i}, {iw}, W : format)`

    error: `Z` is no tensor of the statement and no workspace
     --> a.ta:6:74
      |
    6 |     precompute(A[i,k], k, {ka}, R : {D}); precompute(A[i,k]); precompute(Z[i,m], {k}, {kc}, T : {D});
      |                                                                          ^
      |
      = help: the tensors are `A`, `B`, `C`, `R`, `U`, `V`

    error: the statement has no label `m`
     --> a.ta:6:78
      |
    6 |     precompute(A[i,k], k, {ka}, R : {D}); precompute(A[i,k]); precompute(Z[i,m], {k}, {kc}, T : {D});
      |                                                                              ^
      |
      = help: its labels are `i`, `j`, `k`, `ka`, `kb`
    ");
}

const DECLARATIONS: &str = "IndexLabel [i, j, k] = [8];
Tensor<double> A([i, k], CSR); Tensor<double> B([k, j], CSR); Tensor<double> C([i, j], CSR);";

fn scheduled(commands: &str) -> String {
    statements(&format!("{DECLARATIONS}\nC[i,j] = A[i,k] * B[k,j] schedule {{ {commands} }};"))
}

fn wrong(commands: &str) -> String {
    errors_in(&format!("{DECLARATIONS}\nC[i,j] = A[i,k] * B[k,j] schedule {{ {commands} }};"))
}

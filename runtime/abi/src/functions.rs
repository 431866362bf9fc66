//! The functions of the run time that generated code calls, each declared once: its name, the kinds of its
//! arguments and result, and what it does.
//!
//! From these declarations come [`FUNCTIONS`] and a constant for each function or family, by which the
//! compiler writes calls, and in the run time the table of addresses for the JIT, with a check at compile
//! time that each Rust function has the declared type.
//!
//! `at` is where in the `.ta` source the statement is (`prog.ta:12:3`); it begins the message of every error.

/// The kind of an argument or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// `comet_tensor *`.
    Tensor,
    /// `const char *`: a text that ends in zero.
    Text,
    /// Any other address.
    Pointer,
    Scalar(ElementKind),
    /// A memref of rank 1; C passes the address of its descriptor.
    Array(ElementKind),
    /// The address of room for a descriptor: how C returns an array. No declaration has it.
    Out(ElementKind),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    I1,
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
}

/// A declaration.
#[derive(Clone, Copy, Debug)]
pub struct AbiFunction {
    /// The symbol that C sees, with MLIR's prefix `_mlir_ciface_` where descriptors are passed.
    pub symbol: &'static str,
    pub arguments: &'static [ArgumentKind],
    pub result: Option<ArgumentKind>,
}

/// Functions that differ in an element type only.
#[derive(Clone, Copy, Debug)]
pub struct Family(pub &'static [(ElementKind, AbiFunction)]);

impl AbiFunction {
    /// Returns the name in MLIR: the symbol without the prefix that MLIR adds.
    pub fn name(&self) -> &'static str {
        self.symbol.strip_prefix("_mlir_ciface_").unwrap_or(self.symbol)
    }

    /// Returns whether arrays are passed, so that MLIR is to add its prefix.
    pub fn has_c_interface(&self) -> bool {
        self.name() != self.symbol
    }

    /// Returns whether a C function of these types is the one declared.
    pub const fn agrees_with(
        &self,
        arguments: &[Option<ArgumentKind>],
        result: Option<ArgumentKind>,
    ) -> bool {
        let (returned, skipped) = match self.result {
            Some(ArgumentKind::Array(element)) => (Some(ArgumentKind::Out(element)), 1),
            result => (result, 0),
        };
        let result = if skipped == 1 && !arguments.is_empty() { arguments[0] } else { result };
        let mut agrees = same(returned, result) && arguments.len() == self.arguments.len() + skipped;
        let mut index = 0;
        while agrees && index < self.arguments.len() {
            agrees = same(Some(self.arguments[index]), arguments[index + skipped]);
            index += 1;
        }
        agrees
    }
}

impl Family {
    /// Returns the function for an element type, or `None` where there is none.
    pub fn of(&self, element: ElementKind) -> Option<&'static AbiFunction> {
        self.0.iter().find(|(found, _)| *found == element).map(|(_, function)| function)
    }
}

/// Compares in constants, where `==` of an enum cannot be called.
const fn same(left: Option<ArgumentKind>, right: Option<ArgumentKind>) -> bool {
    const fn code(kind: Option<ArgumentKind>) -> u8 {
        match kind {
            None => 0,
            Some(ArgumentKind::Tensor) => 1,
            Some(ArgumentKind::Text) => 2,
            Some(ArgumentKind::Pointer) => 3,
            Some(ArgumentKind::Scalar(element)) => 10 + element as u8,
            Some(ArgumentKind::Array(element)) => 20 + element as u8,
            Some(ArgumentKind::Out(element)) => 30 + element as u8,
        }
    }
    code(left) == code(right)
}

/// Calls a macro with all declarations.
///
/// A declaration is `CONSTANT: module [symbol] (argument: kind, …) -> (kind);`, with a module of the run
/// time's `abi`, or of a family `CONSTANT: module [symbol element, …] (…) -> (kind);` with `V` for the
/// element in kinds.
#[macro_export]
macro_rules! with_functions {
    ($with:ident) => {
        $with! {
            /// Makes a tensor without extents; the text form of its format has the value type.
            TENSOR_NEW: tensors [comet_rt_tensor_new] (format: Text, name: Text, at: Text) -> (Tensor);
            /// Sets one extent, which the program states at `stated`.
            TENSOR_SET_DIM: tensors [comet_rt_tensor_set_dim] (tensor: Tensor, mode: I64, extent: I64, stated: Text) -> ();
            /// Allocates: zeros for every position of a dense format, no entries in others. Fails where a
            /// size overflows or does not fit the memory.
            TENSOR_ALLOC: tensors [comet_rt_tensor_alloc] (tensor: Tensor, at: Text) -> ();
            /// Frees a tensor.
            TENSOR_FREE: tensors [comet_rt_tensor_free] (tensor: Tensor) -> ();
            /// Moves the storage of one tensor to another of the same format and extents.
            TENSOR_MOVE: tensors [comet_rt_tensor_move] (from: Tensor, to: Tensor) -> ();
            /// Returns an extent.
            TENSOR_DIM: tensors [comet_rt_tensor_dim] (tensor: Tensor, mode: I64) -> (I64);
            /// Returns the number of coordinates of a level: the extent, ⌈extent/n⌉, n, or the slots of ELL.
            LEVEL_SIZE: tensors [comet_rt_level_size] (tensor: Tensor, level: I64) -> (I64);
            /// Returns a copy in another format; mode m of the result is mode `permutation[m]` of the source.
            /// Takes time linear in the entries between CSR, CSC, DCSR, DCSC and COO. Where `last` is not 0,
            /// the tensor is only freed afterwards, and the copy may take its values.
            CONVERT: tensors [comet_rt_convert] (tensor: Tensor, format: Text, name: Text, permutation: Pointer, rank: I64, last: I64, at: Text) -> (Tensor);
            /// Does the same and counts what it moves.
            CONVERT_COUNTED: tensors [comet_rt_convert_counted] (tensor: Tensor, format: Text, name: Text, permutation: Pointer, rank: I64, last: I64, at: Text) -> (Tensor);
            /// Copies a part of a tensor to another one of its type. `modes` has three numbers for each mode
            /// of the whole tensor: the coordinate that is the part's 0, how far apart its coordinates are,
            /// or 0 where the part lacks the mode, and 1 where it may reach beyond the whole tensor.
            WINDOW_TAKE: window [_mlir_ciface_comet_rt_window_take] (whole: Tensor, part: Tensor, modes: Array(ElementKind::I64), at: Text) -> ();
            /// Replaces a part of a tensor by what the part holds; the rest stays.
            WINDOW_PUT: window [_mlir_ciface_comet_rt_window_put] (whole: Tensor, part: Tensor, modes: Array(ElementKind::I64), at: Text) -> ();
            /// Finds permutations of the indices of all modes, by the method `lexi`, `rcm` or `degree`. Where
            /// the tensor is not what the method takes, indices stay, and a note says so. Reports time,
            /// measures and prediction where `report` is not 0.
            REORDER_BEGIN: orders [comet_rt_reorder_begin] (tensor: Tensor, method: Text, iterations: I64, report: I8, at: Text) -> (Pointer);
            /// Returns the permutation of a mode.
            REORDER_MODE: orders [comet_rt_reorder_mode] (found: Pointer, mode: I64) -> (Pointer);
            /// Frees what `REORDER_BEGIN` has made; permutations that were taken stay.
            REORDER_END: orders [comet_rt_reorder_end] (found: Pointer) -> ();
            /// Frees the permutation of a mode.
            PERMUTATION_FREE: orders [comet_rt_permutation_free] (permutation: Pointer) -> ();
            /// Begins to copy a tensor to another one.
            PERMUTE_BEGIN: orders [comet_rt_permute_begin] (from: Tensor) -> (Pointer);
            /// Permutes a mode of the copy; by the inverse where `undo` is not 0.
            PERMUTE_MODE: orders [comet_rt_permute_mode] (copy: Pointer, mode: I64, permutation: Pointer, undo: I8) -> ();
            /// Copies to a tensor of the same format and extents: dense ones block by block, others are
            /// packed anew.
            PERMUTE_END: orders [comet_rt_permute_end] (copy: Pointer, to: Tensor, at: Text) -> ();
            /// Returns the largest absolute value that a tensor stores, or infinity where one is NaN.
            MAGNITUDE: tensors [comet_rt_magnitude] (tensor: Tensor) -> (F64);
            /// Returns the pos array of a level; of a dense level, its size as the only element.
            POSITIONS: arrays [_mlir_ciface_comet_rt_pos_i32 I32, _mlir_ciface_comet_rt_pos_i64 I64] (tensor: Tensor, level: I64) -> (Array(V));
            /// Returns the crd array of a level, or the words of a bit vector.
            COORDINATES: arrays [_mlir_ciface_comet_rt_crd_i32 I32, _mlir_ciface_comet_rt_crd_i64 I64] (tensor: Tensor, level: I64) -> (Array(V));
            /// Returns the values; those of complex elements are two numbers each.
            VALUES: arrays [_mlir_ciface_comet_rt_values_f64 F64, _mlir_ciface_comet_rt_values_f32 F32, _mlir_ciface_comet_rt_values_i64 I64, _mlir_ciface_comet_rt_values_i8 I8, _mlir_ciface_comet_rt_values_i16 I16, _mlir_ciface_comet_rt_values_i32 I32] (tensor: Tensor) -> (Array(V));
            /// Sets every position of a dense tensor; one of complex elements to real values.
            FILL: content [comet_rt_fill_f64 F64, comet_rt_fill_f32 F32, comet_rt_fill_i64 I64] (tensor: Tensor, value: Scalar(V), at: Text) -> ();
            /// Sets a tensor to `count` values in row-major order of its modes; the entries of one that is
            /// not dense are those that are not 0. Complex values are two numbers each, of which `count` are
            /// given.
            SET_LITERAL: content [comet_rt_set_literal_f64 F64, comet_rt_set_literal_f32 F32, comet_rt_set_literal_i64 I64] (tensor: Tensor, values: Pointer, count: I64, at: Text) -> ();
            /// Sets random content, which depends on seed, density and extents and not on the format.
            RANDOM: content [comet_rt_random] (tensor: Tensor, density: F64, seed: I64, at: Text) -> ();
            /// Reads a file: sorts, sums duplicates, packs. `source` is `env:<digits>`, `env:` or
            /// `path:<path>`; `triangle` is 1 to 5.
            READ: content [comet_rt_read] (tensor: Tensor, source: Text, triangle: I64, at: Text) -> ();
            /// Writes `.mtx`, `.tns` or `.npy`, also with `.gz`.
            WRITE: content [comet_rt_write] (tensor: Tensor, path: Text, at: Text) -> ();
            /// Stores `count` entries in a tensor whose extents are set; those at equal coordinates are
            /// summed in their order. `coords` has the coordinates of one entry after another.
            PACK: content [comet_rt_pack_f64 F64, comet_rt_pack_f32 F32, comet_rt_pack_i64 I64] (tensor: Tensor, coords: Pointer, values: Pointer, count: I64, at: Text) -> ();
            /// Copies a dense tensor to another of its type, its modes permuted as by `CONVERT`; both have
            /// levels of whole modes, in any order.
            COPY: dense [comet_rt_copy] (from: Tensor, to: Tensor, permutation: Pointer, rank: I64, at: Text) -> ();
            /// Computes `output = alpha * left * right` for dense tensors that are matrices as `ta.gemm` has
            /// them, or adds it where `accumulate` is not 0. `labels` has a letter for each mode:
            /// `ik,kj->ij`.
            GEMM: dense [comet_rt_gemm_f64 F64, comet_rt_gemm_f32 F32] (left: Tensor, right: Tensor, output: Tensor, labels: Text, alpha: Scalar(V), accumulate: I64, at: Text) -> ();
            /// Empties a tensor whose entries are about to be appended in storage order: full levels, CU,
            /// and CN with the S levels right below.
            APPEND_BEGIN: results [comet_rt_append_begin] (tensor: Tensor, at: Text) -> ();
            /// Copies the coordinates of the outermost `levels` of another tensor, D and CU, and allocates
            /// values for them and the D levels below; these are of any number.
            SAME_PATTERN: results [comet_rt_same_pattern] (tensor: Tensor, stored: Tensor, levels: I64, at: Text) -> ();
            /// Grows the arrays of a CU or CN level, its S levels included, to hold more than `count`
            /// coordinates, and what is below them. Arrays grow geometrically; new elements are of any value.
            APPEND_GROW: results [comet_rt_append_grow] (tensor: Tensor, level: I64, count: I64, at: Text) -> ();
            /// Does the same as a guess, without an error where the memory is not there.
            APPEND_EXPECT: results [comet_rt_append_expect] (tensor: Tensor, level: I64, count: I64, at: Text) -> ();
            /// Grows the arrays of the last CU or CN level to hold exactly `count` coordinates.
            APPEND_RESERVE: results [comet_rt_append_reserve] (tensor: Tensor, level: I64, count: I64, at: Text) -> ();
            /// Completes the tensor: `counts` has the number of coordinates of each CU and CN level,
            /// outermost first. Parents that were passed over get no children.
            APPEND_END: results [_mlir_ciface_comet_rt_append_end] (tensor: Tensor, counts: Array(ElementKind::I64), at: Text) -> ();
            /// Lets tasks append to `count` chunks of a tensor, after `APPEND_BEGIN`. What `APPEND_GROW` has
            /// reserved is the whole tensor's.
            PARTS_BEGIN: results [comet_rt_parts_begin] (tensor: Tensor, count: I64, at: Text) -> ();
            /// Returns the ordinal of the first chunk that no task has claimed. Those before it are complete
            /// or being computed.
            PART_CLAIM: results [comet_rt_part_claim] (tensor: Tensor, at: Text) -> (I64);
            /// Returns that chunk, empty; it reuses the memory of one that was copied to the whole.
            PART: results [comet_rt_part] (tensor: Tensor, ordinal: I64, at: Text) -> (Tensor);
            /// Completes a chunk, which has the coordinates `first` to below `last` of the outermost level.
            /// Where that level is dense, the positions below it are in the whole tensor's array.
            PART_END: results [_mlir_ciface_comet_rt_part_end] (tensor: Tensor, ordinal: I64, first: I64, last: I64, counts: Array(ElementKind::I64), at: Text) -> ();
            /// Completes a tensor whose chunks are complete.
            PARTS_END: results [comet_rt_parts_end] (tensor: Tensor, at: Text) -> ();
            /// Begins to collect points, which are combined by a reduction of `cin` where several have the
            /// same coordinates. `kind` names an [`AccumulatorKind`](super::points::AccumulatorKind).
            /// `capacity` points fit; 0 means as many as the tensor has elements by then. A full
            /// accumulator is sorted and merged into the elements so far (sparse-workspace.txt section 3).
            POINTS_BEGIN: results [comet_rt_points_begin] (tensor: Tensor, reduction: Text, kind: Text, capacity: I64, at: Text) -> ();
            /// Returns the numbers of an accumulator, which stay at their addresses, at the indices of
            /// [`points`](super::points).
            POINTS_STATE: results [_mlir_ciface_comet_rt_points_state] (tensor: Tensor, at: Text) -> (Array(ElementKind::I64));
            /// Returns a key and the bits of a value for each point that fits, valid until the next `INSERT`
            /// or `POINTS_NEXT`; the key of a free slot is −1. While there are fewer points than
            /// [`MOST`](super::points::MOST) says, generated code appends to a list, or looks up a key of one
            /// word in a table, and counts what it adds. All other points come by `INSERT`.
            POINTS_ROOM: results [_mlir_ciface_comet_rt_points_room] (tensor: Tensor, at: Text) -> (Array(ElementKind::I64));
            /// Ends a block of a parallel loop: the points that follow are accumulated apart, and merged with
            /// those of neighbouring blocks in an order that depends on the number of blocks alone.
            POINTS_NEXT: results [comet_rt_points_next] (tensor: Tensor, at: Text) -> ();
            /// Counts what happens to the points, for the workspace `name`; comes after `POINTS_BEGIN`.
            POINTS_COUNT: results [comet_rt_points_count] (tensor: Tensor, name: Text, at: Text) -> ();
            /// Counts one use of a dense workspace: `inserts` values came to `touched` elements, which are
            /// sorted unless `sorted` is 0.
            DENSE_COUNT: results [comet_rt_dense_count] (name: Text, bytes: I64, inserts: I64, touched: I64, sorted: I64, at: Text) -> ();
            /// Adds a point.
            INSERT: results [_mlir_ciface_comet_rt_insert_f64 F64, _mlir_ciface_comet_rt_insert_f32 F32, _mlir_ciface_comet_rt_insert_i64 I64] (tensor: Tensor, point: Array(ElementKind::I64), value: Scalar(V), at: Text) -> ();
            /// Adds a point with a complex value.
            INSERT_COMPLEX: results [_mlir_ciface_comet_rt_insert_complex_f64 F64, _mlir_ciface_comet_rt_insert_complex_f32 F32] (tensor: Tensor, point: Array(ElementKind::I64), re: Scalar(V), im: Scalar(V), at: Text) -> ();
            /// Combines the points and packs them.
            POINTS_END: results [comet_rt_points_end] (tensor: Tensor, at: Text) -> ();
            /// Returns as many zeros as the product of the sizes, valid until `APPEND_END`, `PART_END` or
            /// `POINTS_END`; in a chunk, whatever the one before it in the same memory has left.
            WORKSPACE: results [_mlir_ciface_comet_rt_workspace_i8 I8, _mlir_ciface_comet_rt_workspace_i32 I32, _mlir_ciface_comet_rt_workspace_i64 I64, _mlir_ciface_comet_rt_workspace_f32 F32, _mlir_ciface_comet_rt_workspace_f64 F64] (tensor: Tensor, sizes: Array(ElementKind::I64), at: Text) -> (Array(V));
            /// Frees the workspaces of a dense tensor.
            WORKSPACES_END: results [comet_rt_workspaces_end] (tensor: Tensor, at: Text) -> ();
            /// Lists the elements of a dense workspace that are marked, in order, clears the marks, and
            /// returns how many there are. There is a mark for each of `size` elements and, from the next
            /// multiple of 64 on, one for each stretch of 2 to the `shift` elements with a marked one.
            COLLECT_MARKED: results [_mlir_ciface_comet_rt_collect_marked_i32 I32, _mlir_ciface_comet_rt_collect_marked_i64 I64] (marks: Array(ElementKind::I8), size: I64, shift: I64, list: Array(V)) -> (I64);
            /// Begins to solve an extent; `known` is −1 where the text does not fix it.
            SIZE_BEGIN: sizes [comet_rt_size_begin] (name: Text, known: I64, at: Text) -> (Pointer);
            /// Adds the mode of a file that is read: exact for `.mtx`, `.npy` and COMET's `.tns`, a lower
            /// bound for FROSTT `.tns`.
            SIZE_FROM_READ: sizes [comet_rt_size_from_read] (size: Pointer, source: Text, tensor: Text, rank: I64, mode: I64, at: Text) -> ();
            /// Adds the extent of a parameter.
            SIZE_FROM_TENSOR: sizes [comet_rt_size_from_tensor] (size: Pointer, tensor: Tensor, mode: I64, at: Text) -> ();
            /// Returns the extent; sources that contradict each other are an error that shows both, at the
            /// place of `SIZE_BEGIN`.
            SIZE_END: sizes [comet_rt_size_end] (size: Pointer) -> (I64);
            /// Prints a tensor (LANGUAGE.md, "Output of print").
            PRINT: printing [comet_rt_print] (tensor: Tensor, at: Text) -> ();
            /// Prints a scalar: bare, or as an array of one element where `bare` is 0.
            PRINT_SCALAR: printing [comet_rt_print_scalar_f64 F64, comet_rt_print_scalar_f32 F32, comet_rt_print_scalar_i64 I64] (value: Scalar(V), bare: I8) -> ();
            /// Prints a text as it is, as a part of a line.
            PRINT_TEXT: printing [comet_rt_print_text] (text: Text) -> ();
            /// Prints a scalar as a part of a line.
            PRINT_NUMBER: printing [comet_rt_print_number_f64 F64, comet_rt_print_number_f32 F32, comet_rt_print_number_i64 I64] (value: Scalar(V)) -> ();
            /// Prints a complex scalar as an array of one element, bare, or as a part of a line, where `form`
            /// is 0, 1 or 2.
            PRINT_COMPLEX: printing [comet_rt_print_complex_f64 F64, comet_rt_print_complex_f32 F32] (re: Scalar(V), im: Scalar(V), form: I8) -> ();
            /// Prints the entries of a tensor, each on a line, in the order of their coordinates.
            PRINT_ENTRIES: printing [comet_rt_print_entries] (tensor: Tensor, at: Text) -> ();
            /// Returns the seconds since the program first asked, from a clock that never goes back.
            TIME: printing [comet_rt_time] () -> (F64);
            /// Does nothing, in each iteration of a `while` loop, so that LLVM keeps one without an end.
            ITERATION: printing [comet_rt_iteration] () -> ();
            /// Prints the seconds between two times.
            PRINT_ELAPSED: printing [comet_rt_print_elapsed] (start: F64, end: F64) -> ();
            /// Ends the program with an error.
            FAIL: printing [comet_rt_fail] (message: Text, at: Text) -> ();
            /// Divides integers, rounding to zero; −2⁶³ / −1 wraps, and division by zero is an error.
            DIV: printing [comet_rt_div_i64] (dividend: I64, divisor: I64, at: Text) -> (I64);
            /// Flushes standard output; it is flushed anyway when the process ends.
            FLUSH: printing [comet_rt_flush] () -> ();
            /// Functions of a number, of which there is no instruction.
            SIN: functions [comet_rt_sin_f64 F64, comet_rt_sin_f32 F32] (value: Scalar(V)) -> (Scalar(V));
            COS: functions [comet_rt_cos_f64 F64, comet_rt_cos_f32 F32] (value: Scalar(V)) -> (Scalar(V));
            /// Is the entry of an executable that `comet build` writes: parses the command line, runs the
            /// program and returns its exit code.
            MAIN: program [comet_rt_main] (argc: I32, argv: Pointer, program: Pointer) -> (I32);
            /// The same in one of several processes, with the functions of MPI that they communicate by.
            DISTRIBUTED_MAIN: program [comet_rt_main_distributed] (argc: I32, argv: Pointer, program: Pointer, functions: Pointer) -> (I32);
            /// Passes the next tensor of the statement that is divided next.
            DISTRIBUTE_TENSOR: division [comet_rt_distribute_tensor] (tensor: Tensor) -> ();
            /// Provides the local parts of the tensors that were passed, as arguments, until COLLECT.
            DISTRIBUTE: division [comet_rt_distribute] (statement: Text, at: Text) -> ();
            /// Has the statement of the tensors that were passed be computed in pieces; returns how many.
            DISTRIBUTE_PIECES: division [comet_rt_distribute_pieces] (statement: Text, at: Text) -> (I64);
            /// Provides the local parts for the next piece, as arguments, until COLLECT.
            BEGIN_PIECE: division [comet_rt_begin_piece] (number: I64, at: Text) -> ();
            /// Returns the extent of a label of the statement on this process.
            LOCAL_EXTENT: division [comet_rt_local_extent] (label: I64) -> (I64);
            /// Takes the result of the statement from its local part.
            COLLECT: division [comet_rt_collect] (at: Text) -> ();
            /// Passes the next argument of the launch that follows: a tensor.
            LAUNCH_TENSOR: launch [comet_rt_launch_tensor] (tensor: Tensor) -> ();
            /// Passes the next argument of the launch that follows: a number or an extent.
            LAUNCH_NUMBER: launch [comet_rt_launch_f64 F64, comet_rt_launch_f32 F32, comet_rt_launch_i64 I64] (value: Scalar(V)) -> ();
            /// Runs a kernel on the device of `launch::on_device`, on the arguments that were passed. The
            /// first one, a tensor, takes the storage that comes back.
            LAUNCH: launch [comet_rt_launch] (kernel: I64, at: Text) -> ();
            /// Returns the tensor that a kernel's caller has passed as a parameter.
            ARGUMENT: kernel [comet_rt_argument] (parameter: I64, at: Text) -> (Tensor);
            /// Allocates the result of a kernel, in the caller's memory where it has some, which is set to
            /// zero unless `clear` is 0.
            RESULT_ALLOC: kernel [comet_rt_result_alloc] (tensor: Tensor, clear: I64, at: Text) -> ();
            /// Has kernels that several processes call together communicate by these functions of MPI.
            USE_PROCESSES: kernel [comet_rt_use_processes] (functions: Pointer) -> ();
            /// Calls a kernel from another program: checks the tensors of `comet.h` against the signature,
            /// runs `body`, and hands the result over. Returns a code and leaves a message in `call`.
            KERNEL: kernel [comet_rt_kernel] (signature: Text, arguments: Pointer, call: Pointer, body: Pointer) -> (I32);
            /// The same with the one of several bodies that is for this processor: `variants` points to
            /// what `runtime/src/abi/variants.rs` has of them.
            KERNEL_FOR_PROCESSOR: variants [comet_rt_kernel_for_processor] (signature: Text, arguments: Pointer, call: Pointer, variants: Pointer) -> (I32);
            // The functions of MLIR's `AsyncRuntime.h`, which define their meaning.
            ASYNC_ADD_REF: asynchronous [mlirAsyncRuntimeAddRef] (object: Pointer, count: I64) -> ();
            ASYNC_DROP_REF: asynchronous [mlirAsyncRuntimeDropRef] (object: Pointer, count: I64) -> ();
            ASYNC_CREATE_TOKEN: asynchronous [mlirAsyncRuntimeCreateToken] () -> (Pointer);
            ASYNC_CREATE_GROUP: asynchronous [mlirAsyncRuntimeCreateGroup] (size: I64) -> (Pointer);
            ASYNC_ADD_TOKEN: asynchronous [mlirAsyncRuntimeAddTokenToGroup] (token: Pointer, group: Pointer) -> (I64);
            ASYNC_EMPLACE_TOKEN: asynchronous [mlirAsyncRuntimeEmplaceToken] (token: Pointer) -> ();
            ASYNC_SET_TOKEN_ERROR: asynchronous [mlirAsyncRuntimeSetTokenError] (token: Pointer) -> ();
            ASYNC_IS_TOKEN_ERROR: asynchronous [mlirAsyncRuntimeIsTokenError] (token: Pointer) -> (I1);
            ASYNC_IS_GROUP_ERROR: asynchronous [mlirAsyncRuntimeIsGroupError] (group: Pointer) -> (I1);
            ASYNC_AWAIT_TOKEN: asynchronous [mlirAsyncRuntimeAwaitToken] (token: Pointer) -> ();
            ASYNC_AWAIT_GROUP: asynchronous [mlirAsyncRuntimeAwaitAllInGroup] (group: Pointer) -> ();
            ASYNC_EXECUTE: asynchronous [mlirAsyncRuntimeExecute] (coroutine: Pointer, resume: Pointer) -> ();
            ASYNC_THREADS: asynchronous [mlirAsyncRuntimGetNumWorkerThreads] () -> (I64);
        }
    };
}

use ArgumentKind::{Array, Pointer, Scalar, Tensor, Text};
const I1: ArgumentKind = Scalar(ElementKind::I1);
const I8: ArgumentKind = Scalar(ElementKind::I8);
const I32: ArgumentKind = Scalar(ElementKind::I32);
const I64: ArgumentKind = Scalar(ElementKind::I64);
const F64: ArgumentKind = Scalar(ElementKind::F64);

macro_rules! declare {
    ($($(#[$doc:meta])* $constant:ident : $module:ident [$($function:ident $($element:ident)?),+] $arguments:tt -> $result:tt;)*) => {
        $(constant! { $(#[$doc])* $constant [$($function $($element)?),+] $arguments $result })*

        /// All functions, in the order of their declarations.
        pub const FUNCTIONS: &[AbiFunction] =
            &[$($(function! { $function $($element)? $arguments $result },)+)*];
    };
}

macro_rules! constant {
    ($(#[$doc:meta])* $constant:ident [$function:ident] $arguments:tt $result:tt) => {
        $(#[$doc])*
        pub const $constant: AbiFunction = function! { $function $arguments $result };
    };
    ($(#[$doc:meta])* $constant:ident [$($function:ident $element:ident),+] $arguments:tt $result:tt) => {
        $(#[$doc])*
        pub const $constant: Family =
            Family(&[$((ElementKind::$element, function! { $function $element $arguments $result })),+]);
    };
}

macro_rules! function {
    ($function:ident $($element:ident)? ($($argument:ident : $kind:expr),*) ($($result:expr)?)) => {{
        // Some families differ in what an address points to only.
        $(#[allow(dead_code)] const V: ElementKind = ElementKind::$element;)?
        const RESULTS: &[ArgumentKind] = &[$($result)?];
        AbiFunction {
            symbol: stringify!($function),
            arguments: &[$($kind),*],
            result: if RESULTS.is_empty() { None } else { Some(RESULTS[0]) },
        }
    }};
}

with_functions!(declare);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_a_function_for_each_element() {
        let fill = FILL.of(ElementKind::F32).expect("floats are filled");
        assert_eq!((fill.name(), fill.arguments[1]), ("comet_rt_fill_f32", Scalar(ElementKind::F32)));
        assert!(FILL.of(ElementKind::I8).is_none());
        let values = VALUES.of(ElementKind::F64).expect("doubles have values");
        assert_eq!((values.name(), values.has_c_interface()), ("comet_rt_values_f64", true));
    }

    #[test]
    fn arrays_are_returned_through_the_first_argument() {
        let state = POINTS_STATE;
        assert!(state.agrees_with(&[ArgumentKind::Out(ElementKind::I64), Tensor, Text].map(Some), None));
        assert!(!state.agrees_with(&[ArgumentKind::Out(ElementKind::I32), Tensor, Text].map(Some), None));
        assert!(!state.agrees_with(&[Tensor, Text].map(Some), None));
    }

    #[test]
    fn each_symbol_is_declared_once() {
        let mut symbols: Vec<_> = FUNCTIONS.iter().map(|function| function.symbol).collect();
        symbols.sort_unstable();
        symbols.dedup();
        assert_eq!(symbols.len(), FUNCTIONS.len());
    }

    /// MLIR finds a function that takes or returns descriptors by its prefix.
    #[test]
    fn functions_with_arrays_have_the_prefix() {
        for function in FUNCTIONS {
            let is_array = |kind: &ArgumentKind| matches!(kind, Array(_));
            let has_arrays = function.arguments.iter().chain(&function.result).any(is_array);
            assert_eq!(has_arrays, function.has_c_interface(), "{}", function.symbol);
        }
    }
}

//! `comet build`: an executable, or any stage on the way.

use super::output;
use super::run::{check_order, with_arguments};
use crate::arguments::{BuildArguments, EmitKind};
use crate::cache::{self, Use};
use crate::failure::{Failure, Result};
use crate::middle::{self, Checked, CompiledFunctions, Locations, Stage};
use crate::scratch::Scratch;
use crate::session::Session;
use crate::tile::auto::{Machines, Settling};
use crate::{dataflow, depfile, front, graphviz, library, text};
use clap::ValueEnum as _;
use comet_backend_cpu::native::{
    self, CodeKind, DebugInfo, LinkOptions, LlvmContext, Platform, Processes, Product, Target, Unit,
};
use comet_backend_sam::Dialect;
use comet_diag::Source;
use comet_runtime::destination::Destination;
use comet_runtime::error::reason;
use comet_runtime::replace::Replacement;
use comet_sam::graph::{Foreign, Graph};
use comet_sam::picture::FlowDirection;
use comet_sema::kernel::Signature;
use comet_sema::program::Program;
use itertools::Itertools as _;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};

pub(crate) fn build(arguments: &BuildArguments, session: Session) -> Result<()> {
    let platform = platform(arguments)?;
    let partition = arguments.partition.method();
    let session = Session { platform, partition, ..session };
    let mut session = with_arguments(&arguments.program.compile, session);
    session.automatic.dialect = dialect(arguments)?;
    session.debug_info = debug_info(arguments)?;
    session.processes = processes(arguments)?;
    session.choices.processes = session.processes;
    session.symbols = library::cxx::symbols(&arguments.program.source, arguments.namespace.as_ref());
    check_joiners(arguments)?;
    check_namespace(arguments)?;
    if is_graph(&arguments.program.source) {
        return given_graph(arguments, &session);
    }
    let source = front::read_program(&arguments.program.source, arguments.program.schedule.as_deref())?;
    let compilation = Compilation { arguments, session: &session, source: &source };
    check_processors(arguments)?;
    let mut written = Vec::new();
    for (kind, place) in &outputs(arguments)? {
        written.extend(deliver(&session, &compilation.artifact(*kind, place)?, place)?);
    }
    write_depfile(arguments, &written)?;
    session.timing.report();
    Ok(())
}

fn write_depfile(arguments: &BuildArguments, written: &[PathBuf]) -> Result<()> {
    let Some(file) = &arguments.depfile else { return Ok(()) };
    depfile::write(file, arguments, written.iter().map(PathBuf::as_path))
}

/// Whose blocks graphs are made of: Comal's where one is written for it.
fn dialect(arguments: &BuildArguments) -> Result<Dialect> {
    match (arguments.emit.contains(&EmitKind::Comal), arguments.program.compile.dialect) {
        (true, Dialect::Sam) => {
            let message =
                "`--emit=comal` writes graphs of Comal's blocks, and `--dialect=sam` asks for others";
            let hint = "leave `--dialect` out, or write `--emit=sam-dot`";
            Err(Failure::hinted(message, hint))
        }
        (true, _) => Ok(Dialect::Comal),
        (false, dialect) => Ok(dialect),
    }
}

fn is_graph(path: &Path) -> bool {
    let extensions = ["gv", "dot", "bin"];
    path.extension().is_some_and(|extension| extensions.iter().any(|other| extension == *other))
}

/// A graph as another file of graphs, or as a picture.
fn given_graph(arguments: &BuildArguments, session: &Session) -> Result<()> {
    if arguments.emit.iter().any(|kind| !kind.is_graph()) || arguments.program.schedule.is_some() {
        let source = arguments.program.source.display();
        let message = format!("`{source}` is a graph, which is neither compiled nor scheduled");
        let hint = "write it as `--emit=sam-dot`, `sam-json`, `comal` or `svg`, or run it by `comet sim`";
        return Err(Failure::hinted(message, hint));
    }
    let graph = dataflow::given(&arguments.program.source)?;
    let graph = if arguments.binary_joiners { graph.with_binary_joiners() } else { graph };
    let checked = match session.automatic.dialect {
        Dialect::Comet => Ok(()),
        Dialect::Sam => graph.check_for_sam(),
        Dialect::Comal => comet_sam::comal::write(&graph).map(drop),
    };
    checked.map_err(|foreign| unavailable(&foreign))?;
    let mut written = Vec::new();
    for (kind, place) in &outputs(arguments)? {
        let picture = picture(*kind, std::slice::from_ref(&graph), arguments.layout)?;
        written.extend(deliver(session, &Artifact::Bytes(picture), place)?);
    }
    write_depfile(arguments, &written)
}

/// What a graph has that the tools do not have that it is to be for.
fn unavailable(foreign: &Foreign) -> Failure {
    let hint = "graphs of programs are made of the blocks that `--dialect` names, or `--emit=comal` needs";
    Failure::hinted(foreign.to_string(), hint)
}

/// Only kernels are compiled for several processors.
fn check_processors(arguments: &BuildArguments) -> Result<()> {
    use EmitKind::{CxxHeader, Header, Obj, SharedLib, StaticLib};
    let processors = &arguments.program.compile.target_cpu;
    let is_of_kernels = |kind: &EmitKind| matches!(kind, CxxHeader | Header | Obj | SharedLib | StaticLib);
    let is_here = arguments.target_triple.is_none() && Platform::HOST == Platform::X86_64;
    if !processors.contains(',') || arguments.emit.iter().all(is_of_kernels) && is_here {
        return Ok(());
    }
    let message = format!(
        "`--target-cpu={processors}` names several processors, which are for the kernels of a library"
    );
    let hint =
        "name one, or write `--emit=obj`, `static-lib`, `shared-lib` or `header`, on x86-64 for x86-64";
    Err(Failure::hinted(message, hint))
}

/// The platform that code is for. What is linked needs the run time, which there is for this one.
fn platform(arguments: &BuildArguments) -> Result<Platform> {
    let Some(triple) = &arguments.target_triple else { return Ok(Platform::HOST) };
    let platform = Platform::of_triple(triple)?;
    let is_linked =
        |kind: &EmitKind| matches!(kind, EmitKind::Exe | EmitKind::StaticLib | EmitKind::SharedLib);
    match arguments.emit.iter().find(|kind| is_linked(kind)) {
        Some(kind) if platform.is_foreign() => {
            let kind = kind.to_possible_value().expect("every kind can be written");
            let message = format!("not supported yet: `--emit={}` for `{triple}`", kind.get_name());
            let hint =
                "write `--emit=obj,header`, and link the object with the run time built for that target";
            Err(Failure::hinted(message, hint))
        }
        _ => Ok(platform),
    }
}

/// Only code has line tables. They name the folder of this process, since names of files count from
/// there.
fn debug_info(arguments: &BuildArguments) -> Result<DebugInfo> {
    if !arguments.debug_info {
        return Ok(DebugInfo::None);
    }
    if !arguments.emit.iter().any(|kind| kind.is_native()) {
        let message = "`-g` is for code, and none is written";
        let hint =
            "leave it out, or write some: `--emit=exe`, `obj`, `static-lib`, `shared-lib`, `llvm` or `asm`";
        return Err(Failure::hinted(message, hint));
    }
    let folder = std::env::current_dir()
        .map_err(|error| Failure::file("ask for the current folder", Path::new("."), reason(&error)))?;
    Ok(DebugInfo::Lines { folder })
}

/// Executables start MPI; the kernels of a library are called by a program that has.
fn processes(arguments: &BuildArguments) -> Result<Processes> {
    if !arguments.distributed {
        if arguments.partition.method().is_some() {
            let message = "`--partition` is for several processes, and there is one";
            return Err(Failure::hinted(message, "pass `--distributed`, or leave it out"));
        }
        return Ok(Processes::One);
    }
    comet_runtime::distributed::check_environment()?;
    use EmitKind::{CxxHeader, Exe, Header, SharedLib, StaticLib};
    let is_linked = |kind: &EmitKind| matches!(kind, Exe | CxxHeader | Header | SharedLib | StaticLib);
    if !arguments.emit.iter().all(is_linked) {
        let message = "`--distributed` is for executables and libraries, and something else is written";
        let hint = "write `--emit=exe`, `static-lib`, `shared-lib` or `header`, or leave `--distributed` out";
        return Err(Failure::hinted(message, hint));
    }
    if arguments.emit != [Exe] && arguments.partition.method().is_some() {
        let message = "`--partition` is for programs: who calls a kernel has divided its tensors";
        return Err(Failure::hinted(message, "leave it out, or write `--emit=exe`"));
    }
    if arguments.emit.contains(&CxxHeader) {
        let message = "not supported yet: calls on a communicator in `cxx-header`";
        return Err(Failure::hinted(message, "write `--emit=header`, whose `comet_call` takes one"));
    }
    check_order(&arguments.program.compile, arguments.partition)?;
    Ok(Processes::Several)
}

/// Only graphs have joiners.
fn check_joiners(arguments: &BuildArguments) -> Result<()> {
    if !arguments.binary_joiners || arguments.emit.iter().any(|kind| kind.is_graph()) {
        return Ok(());
    }
    let message = "`--binary-joiners` is for graphs, and none is written";
    let hint = "leave it out, or write some: `--emit=sam-dot`, `sam-json`, `comal` or `svg`";
    Err(Failure::hinted(message, hint))
}

/// Headers of C++ have a namespace, and the objects that they declare the functions of.
fn check_namespace(arguments: &BuildArguments) -> Result<()> {
    use EmitKind::{CxxHeader, Obj, SharedLib, StaticLib};
    let has_namespace = |kind: &EmitKind| matches!(kind, CxxHeader | Obj | SharedLib | StaticLib);
    if arguments.namespace.is_none() || arguments.emit.iter().any(has_namespace) {
        return Ok(());
    }
    let message = "`--namespace` is for headers of C++ and their libraries, and none is written";
    Err(Failure::hinted(message, "leave it out, or write one: `--emit=cxx-header`"))
}

/// Where a kind of output goes.
enum OutputPlace {
    /// One text or file.
    Single(Destination),
    /// A file in a folder, or several whose names are that one with numbers.
    InFolder(PathBuf),
}

enum Artifact {
    Bytes(Vec<u8>),
    Object(Vec<u8>, Product),
    Parts(Vec<Vec<u8>>),
}

fn outputs(arguments: &BuildArguments) -> Result<Vec<(EmitKind, OutputPlace)>> {
    let source = &arguments.program.source;
    let stem = match text::is_standard_input(source) {
        true => "stdin".into(),
        false => source.file_stem().unwrap_or(source.as_os_str()).to_string_lossy(),
    };
    let named = |kind: EmitKind| format!("{stem}{}", kind.suffix());
    let places = match (arguments.emit.as_slice(), &arguments.output) {
        ([kind], None) if is_text(*kind) => vec![(*kind, OutputPlace::Single(Destination::StandardOutput))],
        (_, None) if text::is_standard_input(source) => {
            let message = "standard input has no name that a file could be called by";
            let hint = "name the file to be written: `-o FILE`, or `-o FOLDER/` for several kinds";
            return Err(Failure::hinted(message, hint));
        }
        ([kind], None) => vec![(*kind, OutputPlace::Single(Destination::File(named(*kind).into())))],
        (kinds, Some(Destination::StandardOutput)) => {
            let kind = kind_for_standard_output(kinds)?;
            vec![(kind, OutputPlace::Single(Destination::StandardOutput))]
        }
        ([kind], Some(Destination::File(path))) if !is_folder(path) => {
            vec![(*kind, OutputPlace::Single(Destination::File(path.clone())))]
        }
        (kinds, Some(Destination::File(folder))) => {
            std::fs::create_dir_all(folder)
                .map_err(|error| Failure::file("create the folder", folder, error))?;
            kinds.iter().map(|kind| (*kind, OutputPlace::InFolder(folder.join(named(*kind))))).collect()
        }
        (_, None) => {
            let message = "several kinds need a folder to be written to";
            return Err(Failure::hinted(message, "name one: `-o FOLDER/`"));
        }
    };
    places.iter().try_for_each(|(_, place)| check_not_source(place, source))?;
    check_results(arguments, &places)?;
    Ok(places)
}

/// Returns the only kind, where it is a text.
fn kind_for_standard_output(kinds: &[EmitKind]) -> Result<EmitKind> {
    match kinds {
        [kind] if is_text(*kind) => Ok(*kind),
        [kind] => {
            let kind = kind.to_possible_value().expect("every kind can be written");
            let name = kind.get_name();
            let message = format!("`-o -` is standard output, and `--emit={name}` is no text");
            Err(Failure::hinted(message, "name a file: `-o FILE`"))
        }
        _ => {
            let message = "`-o -` is standard output, which has room for one kind, found several";
            Err(Failure::hinted(message, "emit one kind, or name a folder: `-o FOLDER/`"))
        }
    }
}

/// Refuses what could not be written, and a rule for what is no file. The linker replaces a file that is
/// there, a running program too.
fn check_results(arguments: &BuildArguments, places: &[(EmitKind, OutputPlace)]) -> Result<()> {
    let printed = |place: &OutputPlace| matches!(place, OutputPlace::Single(Destination::StandardOutput));
    if arguments.depfile.is_some() && places.iter().any(|(_, place)| printed(place)) {
        let message =
            "`--depfile` writes a rule for the output, which goes to standard output and is no file";
        return Err(Failure::hinted(message, "name a file with `-o`, or leave `--depfile` out"));
    }
    let mut texts = arguments.depfile.iter().collect::<Vec<_>>();
    for (kind, place) in places {
        match place {
            OutputPlace::Single(to) if is_text(*kind) => texts.push(to),
            OutputPlace::Single(Destination::File(path)) => output::check_folder(path)?,
            OutputPlace::Single(Destination::StandardOutput) | OutputPlace::InFolder(_) => {}
        }
    }
    output::check(texts)
}

fn is_folder(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/") || path.is_dir()
}

/// A program without an ending in its name would be overwritten by its executable.
fn check_not_source(place: &OutputPlace, source: &Path) -> Result<()> {
    let Some(path) = place.path() else { return Ok(()) };
    match (path.canonicalize(), source.canonicalize()) {
        (Ok(a), Ok(b)) if a == b => {
            let message = format!("`{}` is the program itself and would be overwritten", path.display());
            Err(Failure::hinted(message, "name another file with `-o`"))
        }
        _ => Ok(()),
    }
}

fn is_text(kind: EmitKind) -> bool {
    !matches!(
        kind,
        EmitKind::Exe | EmitKind::Obj | EmitKind::StaticLib | EmitKind::SharedLib | EmitKind::Comal
    )
}

impl OutputPlace {
    /// The file, or the one that the names of several are made of.
    fn path(&self) -> Option<&Path> {
        match self {
            Self::Single(to) => to.file(),
            Self::InFolder(path) => Some(path),
        }
    }
}

/// Returns the files that were written.
fn deliver(session: &Session, artifact: &Artifact, place: &OutputPlace) -> Result<Vec<PathBuf>> {
    match (artifact, place.path()) {
        (Artifact::Bytes(bytes), path) => {
            output::write(path.map_or(Destination::StandardOutput, Destination::from), bytes)?;
            Ok(path.iter().copied().map(Path::to_owned).collect())
        }
        (Artifact::Object(object, product), Some(path)) => {
            link(session, object, *product, path)?;
            Ok(vec![path.to_owned()])
        }
        (Artifact::Parts(parts), Some(path)) => {
            let paths: Vec<PathBuf> = (0..parts.len()).map(|number| numbered(path, number)).collect();
            paths.iter().zip(parts).try_for_each(|(path, bytes)| output::write(path, bytes))?;
            Ok(paths)
        }
        (Artifact::Object(..) | Artifact::Parts(_), None) => {
            unreachable!("`outputs` gives what is no text a file")
        }
    }
}

/// `a.gv` as `a-0.gv`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let part = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    path.with_file_name(format!("{}-{number}.{}", part(path.file_stem()), part(path.extension())))
}

fn link(session: &Session, object: &[u8], product: Product, path: &Path) -> Result<()> {
    let folder = Scratch::new()
        .map_err(|error| Failure::file("create a folder in", &std::env::temp_dir(), reason(&error)))?;
    let has_lines = session.debug_info != DebugInfo::None;
    let options = LinkOptions { product, has_lines, processes: session.processes };
    let linked = session.timing.step("link", || native::link(object, folder.path(), options))?;
    deliver_linked(&linked, path, product).map_err(|error| Failure::file("write", path, reason(&error)))
}

/// Linkers write in place and leave parts behind, so that they do it elsewhere.
fn deliver_linked(linked: &Path, path: &Path, product: Product) -> std::io::Result<()> {
    let mut output = Replacement::new(path)?;
    std::io::copy(&mut File::open(linked)?, &mut output)?;
    if product != Product::StaticLibrary {
        output.make_executable()?;
    }
    output.finish()
}

struct Compilation<'a> {
    arguments: &'a BuildArguments,
    session: &'a Session,
    source: &'a Source,
}

impl Compilation<'_> {
    fn checked<'p>(&'p self, program: &'p Program) -> Checked<'p> {
        Checked { session: self.session, source: self.source, program }
    }

    /// The checked program; `tile(auto, …)` takes its data from where the environment says.
    fn program(&self, machines: Machines) -> Result<Program> {
        let program = front::check(self.session, self.source)?;
        Settling { session: self.session, source: self.source, machines }.program_if_known(program)
    }

    fn artifact(&self, kind: EmitKind, place: &OutputPlace) -> Result<Artifact> {
        Ok(match kind {
            EmitKind::Ast => {
                Artifact::Bytes(comet_syntax::dump(&front::parse(self.session, self.source)?).into_bytes())
            }
            EmitKind::Ta => self.dialect(Stage::Ta)?,
            EmitKind::Cin => self.dialect(Stage::Cin)?,
            EmitKind::Scf => self.dialect(Stage::Scf)?,
            EmitKind::LlvmDialect => self.dialect(Stage::Llvm)?,
            EmitKind::Llvm => self.text(|unit| Ok(unit.ir_text().into_bytes()))?,
            EmitKind::Asm => self.text(|unit| Ok(unit.code(CodeKind::Assembly)?))?,
            EmitKind::Obj => Artifact::Bytes(self.object(self.part_of_object()?)?),
            EmitKind::Exe => Artifact::Object(self.object(CompiledFunctions::Program)?, Product::Executable),
            EmitKind::StaticLib => {
                Artifact::Object(self.object(CompiledFunctions::Kernels)?, Product::StaticLibrary)
            }
            EmitKind::SharedLib => {
                Artifact::Object(self.object(CompiledFunctions::Kernels)?, Product::SharedLibrary)
            }
            EmitKind::Header => Artifact::Bytes(self.header()?.into_bytes()),
            EmitKind::CxxHeader => Artifact::Bytes(self.cxx_header()?.into_bytes()),
            EmitKind::Sam => self.dialect(Stage::Sam)?,
            EmitKind::SamDot | EmitKind::SamJson | EmitKind::Comal | EmitKind::Svg => {
                self.pictures(kind, place)?
            }
            EmitKind::Spatial => self.dialect(Stage::Spatial)?,
            EmitKind::SpatialText => self.applications(place)?,
        })
    }

    fn header(&self) -> Result<String> {
        let program = front::check(self.session, self.source)?;
        Ok(library::header(&library::signatures(&program, self.source)?, &self.file_name()))
    }

    fn cxx_header(&self) -> Result<String> {
        let program = front::check(self.session, self.source)?;
        let namespace = self.arguments.namespace.clone().unwrap_or_default();
        let signatures = library::cxx::signatures(&program, self.source, &namespace)?;
        Ok(library::cxx::header(&signatures, &self.file_name(), (&namespace, &self.session.symbols)))
    }

    fn file_name(&self) -> Cow<'_, str> {
        self.arguments.program.source.file_name().unwrap_or_default().to_string_lossy()
    }

    fn graphs(&self) -> Result<Vec<Graph>> {
        let program = self.program(Machines::Accelerators)?;
        let context = middle::context();
        let (_, pieces) = middle::lower_to_graphs(&context, self.checked(&program), main_part(&program))?;
        let graphs = pieces.into_iter().map(|piece| piece.graph);
        Ok(match self.arguments.binary_joiners {
            true => graphs.map(|graph| graph.with_binary_joiners()).collect(),
            false => graphs.collect(),
        })
    }

    /// The graphs, each in a file of its own where they go to a folder.
    fn pictures(&self, kind: EmitKind, place: &OutputPlace) -> Result<Artifact> {
        let (graphs, layout) = (self.graphs()?, self.arguments.layout);
        match place {
            OutputPlace::InFolder(_) if graphs.len() > 1 => {
                let parts = graphs.chunks(1).map(|graph| picture(kind, graph, layout));
                Ok(Artifact::Parts(parts.collect::<Result<_>>()?))
            }
            _ => Ok(Artifact::Bytes(picture(kind, &graphs, layout)?)),
        }
    }

    /// The applications of the program's statements as text, each in a file of its own where they go to a
    /// folder.
    fn applications(&self, place: &OutputPlace) -> Result<Artifact> {
        let program = self.program(Machines::Accelerators)?;
        let context = middle::context();
        let (_, pieces) = middle::lower_to_applications(&context, self.checked(&program))?;
        let texts: Vec<String> = pieces.into_iter().map(|piece| piece.text).collect();
        Ok(match place {
            OutputPlace::InFolder(_) if texts.len() > 1 => {
                Artifact::Parts(texts.into_iter().map(String::into_bytes).collect())
            }
            _ => Artifact::Bytes(texts.join("\n").into_bytes()),
        })
    }

    /// What an object holds: beside a header its kernels, else the program where the file is one.
    fn part_of_object(&self) -> Result<CompiledFunctions> {
        let is_header = |kind: &EmitKind| matches!(kind, EmitKind::Header | EmitKind::CxxHeader);
        if self.arguments.emit.iter().any(is_header) {
            return Ok(CompiledFunctions::Kernels);
        }
        let part = main_part(&self.program(Machines::Processors)?);
        if part == CompiledFunctions::Program && self.session.target_cpu.contains(',') {
            let message = "`--emit=obj` is the program of `main`, which is for one processor";
            let hint = "name one, or write `--emit=obj,header` for the kernels of the file";
            return Err(Failure::hinted(message, hint));
        }
        Ok(part)
    }

    fn object(&self, part: CompiledFunctions) -> Result<Vec<u8>> {
        if self.session.target_cpu.contains(',') {
            return self.object_for_processors();
        }
        let (target, program) = (self.target()?, self.program(Machines::Processors)?);
        let purpose = match part {
            CompiledFunctions::Program => Use::Executable,
            CompiledFunctions::Kernels => Use::Library,
        };
        let place = cache::place(self.checked(&program), &target, purpose)?;
        place.object(self.session, || {
            self.native((&program, part), target, |unit| Ok(unit.code(CodeKind::Object)?))
        })
    }

    /// The kernels for several processors.
    fn object_for_processors(&self) -> Result<Vec<u8>> {
        let llvm = LlvmContext::create();
        let program = self.program(Machines::Processors)?;
        let kernels = library::signatures(&program, self.source)?;
        let processors = self.processors()?;
        let units = processors.iter().map(|name| self.unit_for_processor(name, &program, &kernels, &llvm));
        let entries = (&self.session.symbols, self.session.processes);
        let unit = Unit::join(units.collect::<Result<_>>()?, &kernels, entries)?;
        self.session.timing.step("generate code", || Ok(unit.code(CodeKind::Object)?))
    }

    /// The processors of the flag, each once: `native` may be called by its name as well.
    fn processors(&self) -> Result<Vec<&str>> {
        let mut targets = Vec::new();
        for name in self.session.target_cpu.split(',').map(str::trim) {
            let target = self.session.for_processor(name).target()?;
            target.check_detected()?;
            targets.push((name, target));
        }
        Ok(targets.iter().unique_by(|(_, target)| target.cpu()).map(|(name, _)| *name).collect())
    }

    fn unit_for_processor<'llvm>(
        &self,
        name: &str,
        program: &Program,
        kernels: &[Signature],
        llvm: &'llvm LlvmContext,
    ) -> Result<Unit<'llvm>> {
        let session = self.session.for_processor(name);
        let target = session.target()?;
        let checked = Checked { session: &session, source: self.source, program };
        let context = middle::context();
        let module = middle::lower_part(&context, checked, CompiledFunctions::Kernels, Stage::Llvm)?;
        if let DebugInfo::Lines { folder } = &session.debug_info {
            native::add_lines(&module, folder);
        }
        let unit = Unit::translate_library(&module, llvm, target)?;
        unit.add_bodies(kernels)?;
        self.session.timing.step("optimize", || unit.optimize())?;
        Ok(unit)
    }

    /// Of what the file is for.
    fn text(&self, write: impl FnOnce(&Unit<'_>) -> Result<Vec<u8>>) -> Result<Artifact> {
        let (target, program) = (self.target()?, self.program(Machines::Processors)?);
        Ok(Artifact::Bytes(self.native((&program, main_part(&program)), target, write)?))
    }

    fn target(&self) -> Result<Target> {
        Ok(self.session.target()?)
    }

    fn dialect(&self, stage: Stage) -> Result<Artifact> {
        let program = self.program(match stage {
            Stage::Sam | Stage::Spatial => Machines::Accelerators,
            _ => Machines::Processors,
        })?;
        let context = middle::context();
        let module = middle::lower_part(&context, self.checked(&program), main_part(&program), stage)?;
        Ok(Artifact::Bytes(middle::print(&module, Locations::Omit)?.into_bytes()))
    }

    /// The program with the entry of an executable, or the kernels of a library, optimized.
    fn native<T>(
        &self,
        (program, part): (&Program, CompiledFunctions),
        target: Target,
        write: impl FnOnce(&Unit<'_>) -> Result<T>,
    ) -> Result<T> {
        let kernels = match part {
            CompiledFunctions::Program => Vec::new(),
            CompiledFunctions::Kernels => library::signatures(program, self.source)?,
        };
        let (context, llvm) = (middle::context(), LlvmContext::create());
        let module = middle::lower_part(&context, self.checked(program), part, Stage::Llvm)?;
        let timing = &self.session.timing;
        if let DebugInfo::Lines { folder } = &self.session.debug_info {
            timing.step("add lines", || native::add_lines(&module, folder));
        }
        let unit = timing.step("translate", || match part {
            CompiledFunctions::Program => Unit::translate(&module, &llvm, target),
            CompiledFunctions::Kernels => Unit::translate_library(&module, &llvm, target),
        })?;
        match part {
            CompiledFunctions::Program => unit.add_entry(self.session.processes)?,
            CompiledFunctions::Kernels => {
                unit.add_kernels(&kernels, &self.session.symbols, self.session.processes)?;
            }
        }
        timing.step("optimize", || unit.optimize())?;
        timing.step("generate code", || write(&unit))
    }
}

/// A file without `main` is a library.
fn main_part(program: &Program) -> CompiledFunctions {
    if program.main().is_none() && !program.functions.is_empty() {
        CompiledFunctions::Kernels
    } else {
        CompiledFunctions::Program
    }
}

/// Graphs as one text of that kind. In JSON, one graph is no list.
fn picture(kind: EmitKind, graphs: &[Graph], layout: FlowDirection) -> Result<Vec<u8>> {
    match (kind, graphs) {
        (EmitKind::Svg, _) => graphviz::svg(&comet_sam::picture::write(graphs, layout)),
        (EmitKind::Comal, [graph]) => comet_sam::comal::write(graph).map_err(|foreign| unavailable(&foreign)),
        (EmitKind::Comal, _) => {
            let message = format!("a file of Comal holds one graph, and these are {}", graphs.len());
            let hint = "name a folder for a file of each: `-o FOLDER/`";
            Err(Failure::hinted(message, hint))
        }
        (EmitKind::SamJson, [graph]) => Ok(format!("{:#}\n", comet_sam::json::graph(graph)).into_bytes()),
        (EmitKind::SamJson, _) => {
            let graphs: serde_json::Value = graphs.iter().map(comet_sam::json::graph).collect();
            Ok(format!("{graphs:#}\n").into_bytes())
        }
        _ => Ok(graphs.iter().map(comet_sam::dot::write).collect::<Vec<_>>().join("\n").into_bytes()),
    }
}

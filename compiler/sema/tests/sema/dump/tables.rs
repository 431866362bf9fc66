//! Sizes, tensors and scalars.

use super::Dump;
use comet_sema::program::{Format, Level, ReadSource, Size, SizeSource};

impl Dump<'_> {
    pub(super) fn tables(self) -> String {
        let sizes = self.function.sizes.iter().map(|size| self.size(size));
        let tensors = self.function.tensors.iter().map(|tensor| {
            let dims: Vec<&str> =
                tensor.dims.iter().map(|dim| self.function.sizes[dim.0].name.as_str()).collect();
            let memory = tensor.memory.map_or(String::new(), |region| format!(" {region:?}"));
            let element = tensor.element.word();
            let format = format(&tensor.format);
            format!("  tensor {}: {element} [{}] {format}{memory}\n", tensor.name, dims.join(", "))
        });
        let scalars = self.function.scalars.iter().map(|scalar| {
            let bare = if scalar.prints_bare { " prints bare" } else { "" };
            format!("  scalar {}: {}{bare}\n", scalar.name, scalar.element.word())
        });
        sizes.chain(tensors).chain(scalars).collect()
    }

    fn size(&self, size: &Size) -> String {
        let known = size.known.map(|known| known.to_string());
        let sources = size.sources.iter().map(|source| match source {
            SizeSource::Read { source, tensor, mode, .. } => {
                format!("{} mode {mode} from {}", self.tensor(*tensor), read_source(source))
            }
            SizeSource::Param { tensor, mode } => format!("{} mode {mode}", self.tensor(*tensor)),
        });
        let origins: Vec<String> = known.into_iter().chain(sources).collect();
        format!("  size {} = {}\n", size.name, origins.join(", "))
    }
}

/// As in the program.
pub(super) fn read_source(source: &ReadSource) -> String {
    match source {
        ReadSource::Numbered(digits) => format!("comet_read({digits})"),
        ReadSource::Default => "comet_read()".to_owned(),
        ReadSource::Path(path) => format!("comet_read({path:?})"),
    }
}

fn format(format: &Format) -> String {
    let levels: Vec<String> = format.levels.iter().map(Level::to_string).collect();
    format!("({}) {:?}", levels.join(", "), format.index_width)
}

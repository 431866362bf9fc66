//! A statement in tiles, as models of accelerators take it: `--export teaal=FILE` and
//! `--export accelforge=FILE`.
//!
//! Both files have the machine of [`comet_tiling::measure`]: a main memory, and a buffer for each operand
//! that a tile comes to in the loop over tiles around the last of its indices.

mod accelforge;
mod product;
mod teaal;

use super::report::ComparedSchemes;
use crate::command::output;
use crate::failure::{Failure, Result};
use comet_runtime::destination::Destination;
use product::ExportedProduct;
use yaml_serde::{Mapping, Value};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Export {
    model: Model,
    pub(crate) to: Destination,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    /// TeAAL (Nayak et al., MICRO 2023).
    Teaal,
    AccelForge,
}

const MODELS: [(&str, Model); 2] = [("teaal", Model::Teaal), ("accelforge", Model::AccelForge)];

pub(crate) fn parse(text: &str) -> std::result::Result<Export, String> {
    let expected = "expected `teaal=FILE` or `accelforge=FILE`";
    let (name, path) = text.split_once('=').ok_or_else(|| format!("found `{text}`, {expected}"))?;
    let model = MODELS.iter().find(|(known, _)| *known == name);
    let (_, model) = model.ok_or_else(|| format!("found `{name}`, {expected}"))?;
    match path {
        "" => Err(format!("found no file behind `{name}=`, {expected}")),
        path => Ok(Export { model: *model, to: Destination::named(path) }),
    }
}

impl Export {
    /// Writes the only statement, in the given tiles or else the chosen ones.
    ///
    /// # Errors
    /// Several statements, a value that is no product, and what the file's format has no words for.
    pub(crate) fn write(&self, compared: &[ComparedSchemes]) -> Result<()> {
        let [own] = compared else {
            let message = format!("found {} statements, expected one to export", compared.len());
            let hint =
                "`--schedule \"C { tile(auto, buffer = 128KiB); }\"` selects the one that computes `C`";
            return Err(Failure::hinted(message, hint));
        };
        let product = ExportedProduct::new(own).map_err(|what| refused(&what))?;
        let content = match self.model {
            Model::Teaal => teaal::description(&product),
            Model::AccelForge => accelforge::description(&product).map_err(|what| refused(&what))?,
        };
        let yaml = yaml_serde::to_string(&content).map_err(Failure::internal)?;
        output::write(&self.to, format!("{}{yaml}", product.comment()).as_bytes())
    }
}

fn refused(what: &str) -> Failure {
    let hint = "exports take products of tensors, such as `C[i,j] = A[i,k] * B[k,j]`";
    Failure::hinted(format!("not supported yet: an export of {what}"), hint)
}

/// A mapping whose keys stay in this order.
fn mapping<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    named(pairs.map(|(key, value)| (key.to_owned(), value)))
}

/// The same of names that are not known before.
fn named(pairs: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Mapping(pairs.into_iter().map(|(key, value)| (Value::from(key), value)).collect::<Mapping>())
}

fn list(values: impl IntoIterator<Item = impl Into<Value>>) -> Value {
    Value::Sequence(values.into_iter().map(Into::into).collect())
}

#[cfg(test)]
mod tests {
    use super::{Export, Model, parse};
    use comet_runtime::destination::Destination;

    #[test]
    fn what_is_exported_is_named() {
        let export = Export { model: Model::Teaal, to: Destination::named("a=b.yaml") };
        assert_eq!(parse("teaal=a=b.yaml"), Ok(export));
        for (text, found) in [
            ("teaal", "found `teaal`, expected `teaal=FILE`"),
            ("sparseloop=x", "found `sparseloop`, expected"),
            ("accelforge=", "found no file behind `accelforge=`"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.starts_with(found), "{error}");
        }
    }
}

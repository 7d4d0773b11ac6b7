//! Command-line arguments.
use gambol::export::{Compression, ExportOptions};
use gambol::import::{ImportOptions, MatrixKeys};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

pub(crate) const USAGE: &str = "\
usage: gambol inspect FILE [--all]
       gambol convert FILE OUT.glb

FILE is a .glb, .gltf, .x, .dae or .iqm, with any name. Files that it refers to are searched in its folder.

  inspect   print the hierarchy, clips, skins, meshes, materials, images and warnings
  convert   write one .glb with all images, and print what had to be changed

  --all                     inspect: print everything, without limits
  --compress CODEC          convert: meshopt, or none (the default). Numbers are
                            rounded; readers need EXT_meshopt_compression
  --reduce-keys METRES      convert: leave out keys that move no joint and no
                            vertex farther than this
  --ticks-per-second N      for .x files that don't state it (default: 4800)
  --matrix-keys RULE        interpolation of keys that are matrices:
                            decompose (the default), elements or step
";

pub(crate) struct Arguments {
    pub(crate) task: Task,
    pub(crate) all: bool,
    pub(crate) import: ImportOptions,
    pub(crate) export: ExportOptions,
}

pub(crate) enum Task {
    Help,
    Inspect { file: PathBuf },
    Convert { file: PathBuf, to: PathBuf },
}

impl Arguments {
    /// Parses the arguments.
    ///
    /// # Errors
    /// A message about what is wrong with them.
    pub(crate) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let mut parsed = Self {
            task: Task::Help,
            all: false,
            import: ImportOptions::default(),
            export: ExportOptions::default(),
        };
        let mut plain: Vec<OsString> = Vec::new();
        let mut arguments = arguments.peekable();
        let mut options_end = false;
        while let Some(argument) = arguments.next() {
            let Some(option) = argument.to_str().filter(|text| text.starts_with("--") && !options_end) else {
                plain.push(argument);
                continue;
            };
            let (name, inline) =
                option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
            let mut value = || match inline {
                Some(value) => Ok(value.to_owned()),
                None => arguments.next().map(text).ok_or_else(|| format!("{name} needs a value")),
            };
            match name {
                "--" => options_end = true,
                "--help" => return Ok(parsed),
                "--all" => parsed.all = true,
                "--compress" => parsed.export.compression = compression(&value()?)?,
                "--reduce-keys" => parsed.export.reduce_keys = Some(metres(&value()?)?),
                "--ticks-per-second" => parsed.import.ticks_per_second = Some(ticks(&value()?)?),
                "--matrix-keys" => parsed.import.matrix_keys = matrix_keys(&value()?)?,
                _ => return Err(format!("unknown option {name}")),
            }
        }
        let mut plain = plain.into_iter();
        let task = plain.next();
        let mut file =
            |what: &str| plain.next().map(PathBuf::from).ok_or_else(|| format!("{what} is missing"));
        parsed.task = match task.as_deref().and_then(OsStr::to_str) {
            Some("help" | "-h") => Task::Help,
            Some("inspect") => Task::Inspect { file: file("the FILE to inspect")? },
            Some("convert") => {
                Task::Convert { file: file("the FILE to convert")?, to: file("the name of the new OUT.glb")? }
            }
            Some(other) => return Err(format!("unknown command {other}; use inspect or convert")),
            None => return Err("the command is missing; use inspect or convert".to_owned()),
        };
        match plain.next() {
            Some(left_over) => Err(format!("unexpected argument {}", text(left_over))),
            None => Ok(parsed),
        }
    }
}

fn text(argument: OsString) -> String {
    argument.to_string_lossy().into_owned()
}

fn ticks(value: &str) -> Result<f64, String> {
    let ticks = value.parse().ok().filter(|ticks: &f64| ticks.is_finite() && *ticks > 0.0);
    ticks.ok_or_else(|| format!("--ticks-per-second needs a number above 0, not {value}"))
}

fn compression(value: &str) -> Result<Compression, String> {
    match value {
        "none" => Ok(Compression::None),
        "meshopt" => Ok(Compression::Meshopt),
        _ => Err(format!("--compress needs meshopt or none, not {value}")),
    }
}

fn metres(value: &str) -> Result<f32, String> {
    let metres = value.parse().ok().filter(|metres: &f32| metres.is_finite() && *metres > 0.0);
    metres.ok_or_else(|| format!("--reduce-keys needs a number above 0, not {value}"))
}

fn matrix_keys(value: &str) -> Result<MatrixKeys, String> {
    match value {
        "decompose" => Ok(MatrixKeys::Decompose),
        "elements" => Ok(MatrixKeys::Elements),
        "step" => Ok(MatrixKeys::Step),
        _ => Err(format!("--matrix-keys needs decompose, elements or step, not {value}")),
    }
}

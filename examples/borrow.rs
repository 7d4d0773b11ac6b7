//! Writes a model with the clips of another humanoid model, converted to its own joints.
//!
//! `cargo run --example borrow -- LENDER BORROWER OUT.glb` also prints which joints belong together, and why.

use gambol::animation::{RetargetOptions, Rig, retarget};
use gambol::export::{ExportOptions, to_glb};
use gambol::import::{Resources, external_buffers, import};
use gambol::model::{Model, NodeIndex};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [lender, borrower, out] = &arguments[..] else {
        return Err("name the file with the clips, the model, and the .glb to write".into());
    };
    let (from, to) = (Rig::new(Arc::new(load(lender)?)), Rig::new(Arc::new(load(borrower)?)));
    let made = retarget(&from, &to, &RetargetOptions::default())
        .map_err(|refused| format!("{:?}, without {:?}", refused.whose, refused.missing))?;
    let name = |rig: &Rig, node: Option<NodeIndex>| {
        node.map_or("-".to_owned(), |node| rig.model().node(node).name.clone())
    };
    for pair in &made.map {
        let (role, reason) = (pair.role.name(), pair.reason.name());
        let (from, to) = (name(&from, pair.from), name(&to, pair.to));
        println!("{role:24} {from:32} {to:32} {:.2} {reason}", pair.confidence);
    }
    let model = Model { clips: made.clips, properties: Vec::new(), ..(**to.model()).clone() };
    let mut picture = |uri: &str| fs::read(Path::new(borrower).with_file_name(uri)).ok();
    fs::write(out, to_glb(&model, &ExportOptions::default(), &mut picture).glb)?;
    Ok(())
}

fn load(path: &str) -> Result<Model, Box<dyn Error>> {
    let bytes = fs::read(path)?;
    let mut resources = Resources::default();
    for uri in external_buffers(&bytes)? {
        resources.insert(&uri, fs::read(Path::new(path).with_file_name(&uri))?);
    }
    Ok(import(&bytes, &resources)?.model)
}

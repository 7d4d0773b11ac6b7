//! A builder of glTF files: JSON around one buffer.
use gambol::import::{Imported, Resources, import};
use gambol::model::Model;
use gambol::model::check::check;

/// A file under construction: JSON around one buffer. Each accessor has a buffer view of its own.
#[derive(Debug, Default)]
pub struct File {
    pub bytes: Vec<u8>,
    pub views: Vec<String>,
    pub accessors: Vec<String>,
}

impl File {
    pub fn view(&mut self, bytes: &[u8], extra: &str) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let (offset, length) = (self.bytes.len(), bytes.len());
        self.views.push(format!(r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{length}{extra}}}"#));
        self.bytes.extend(bytes);
        self.views.len() - 1
    }

    pub fn accessor(
        &mut self,
        of_type: &str,
        component: u32,
        count: usize,
        bytes: &[u8],
        extra: &str,
    ) -> usize {
        let view = self.view(bytes, "");
        self.accessors.push(format!(
            r#"{{"bufferView":{view},"type":"{of_type}","componentType":{component},"count":{count}{extra}}}"#
        ));
        self.accessors.len() - 1
    }

    pub fn floats(&mut self, of_type: &str, count: usize, numbers: &[f32]) -> usize {
        self.accessor(of_type, 5126, count, &le(numbers), "")
    }

    /// Adds the positions of one triangle in the XY plane.
    pub fn positions(&mut self) -> usize {
        self.floats("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0])
    }

    pub fn load(&self, body: &str) -> Imported {
        let text = format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"uri":"some%20bytes.bin","byteLength":{}}}],
            "bufferViews":[{}],"accessors":[{}],{body}}}"#,
            self.bytes.len(),
            self.views.join(","),
            self.accessors.join(",")
        );
        let mut resources = Resources::default();
        resources.insert("./some bytes.bin", self.bytes.clone());
        let imported = import(text.as_bytes(), &resources).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(check(&imported.model), []);
        imported
    }

    pub fn model(&self, body: &str) -> Model {
        let Imported { model, report } = self.load(body);
        assert_eq!(report.warnings, [], "{body}");
        model
    }
}

pub fn le(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

pub fn le_u16(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

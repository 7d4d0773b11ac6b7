/// Data about the file that nothing here reads, as JSON text, for exports and for pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// glTF's `extras` of the whole file.
    pub extras: Option<String>,
    /// The packets of `KHR_xmp_json_ld`: a list of JSON-LD objects.
    pub xmp_packets: Option<String>,
    /// Index of the packet about the whole file.
    pub xmp_packet: Option<usize>,
}

impl Metadata {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

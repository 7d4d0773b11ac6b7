//! Where in a file something is: a chain on the stack, written out only when there is something to say about it.

/// A JSON pointer under construction.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Field(&'a str),
    Index(usize),
}

impl<'a> Place<'a> {
    pub(super) const ROOT: Place<'static> = Place { parent: None, step: Step::Root };

    pub(super) fn field(&'a self, name: &'a str) -> Place<'a> {
        Place { parent: Some(self), step: Step::Field(name) }
    }

    pub(super) fn index(&'a self, index: usize) -> Place<'a> {
        Place { parent: Some(self), step: Step::Index(index) }
    }

    /// Such as `/skins/0/joints/3`, as RFC 6901 writes it.
    pub(super) fn pointer(&self) -> String {
        let mut pointer = self.parent.map(Place::pointer).unwrap_or_default();
        match self.step {
            Step::Root => {}
            Step::Field(name) => {
                pointer.push('/');
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
            }
            Step::Index(index) => {
                pointer.push('/');
                pointer.push_str(&index.to_string());
            }
        }
        pointer
    }

    /// A place in a container, outside its JSON.
    pub(super) fn byte(offset: usize) -> String {
        format!("byte {offset}")
    }
}

/// The place of one element of a root array, such as `/accessors/3`.
pub(super) fn element(array: &str, index: usize) -> String {
    Place::ROOT.field(array).index(index).pointer()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_escape_what_rfc_6901_reserves() {
        let root = Place::ROOT;
        let extensions = root.field("a/b~c");
        assert_eq!(extensions.index(7).pointer(), "/a~1b~0c/7");
        assert_eq!(root.pointer(), "");
    }
}

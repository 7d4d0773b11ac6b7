//! Nodes of one model that correspond to those of another, by their names or by the shape of the hierarchy.
use super::{Children, Model, NodeIndex};
use crate::order::sort;

/// For each node of a model, the corresponding node of another; `None` if there is none. No two nodes have the same.
pub type Counterparts = Vec<Option<NodeIndex>>;

/// Most nodes of equal name or shape among which one is searched, since a hostile file may contain any number.
const MOST_ALIKE: usize = 64;

/// Returns the nodes of `to` that have the names of `from`'s nodes.
///
/// - Nodes without an equal name may have a similar one: without a namespace such as `mixamorig:`, regardless of case
///   and of punctuation.
/// - Among nodes of the same name, a child of the parent's counterpart is preferred, and otherwise the first.
pub fn by_name(from: &Model, to: &Model) -> Counterparts {
    let mut found = vec![None; from.nodes.len()];
    let mut is_taken = vec![false; to.nodes.len()];
    for key in [exact, similar] {
        let index = Index::new(to.nodes.iter().map(|node| key(&node.name)).collect());
        for (at, node) in from.nodes.iter().enumerate() {
            let wanted = key(&node.name);
            if found[at].is_some() || wanted == key("") {
                continue;
            }
            let parent = node.parent.and_then(|parent| found[parent.get()]);
            let mut best = None;
            for &(_, other) in index.alike(wanted).iter().filter(|(_, other)| !is_taken[*other]) {
                if parent.is_some() && to.nodes[other].parent == parent {
                    best = Some(other);
                    break;
                }
                best = best.or(Some(other));
            }
            if let Some(other) = best {
                is_taken[other] = true;
                found[at] = Some(NodeIndex::new(other));
            }
        }
    }
    found
}

/// Returns the nodes of `to` that are at the same places of equally shaped parts of the hierarchy. Larger parts come
/// first, and single nodes have no counterpart.
pub fn by_shape(from: &Model, to: &Model) -> Counterparts {
    let (mine, theirs) = (Shapes::new(from), Shapes::new(to));
    let index = Index::new(theirs.hashes.clone());
    let mut found = vec![None; from.nodes.len()];
    let mut is_taken = vec![false; to.nodes.len()];
    for at in 0..from.nodes.len() {
        if found[at].is_some() || mine.below(at).next().is_none() {
            continue;
        }
        let alike = index.alike(mine.hashes[at]).iter();
        let Some(other) = alike.map(|&(_, other)| other).find(|&other| !is_taken[other]) else { continue };
        let mut pairs = vec![(at, other)];
        while let Some((at, other)) = pairs.pop() {
            if !is_taken[other] {
                is_taken[other] = true;
                found[at] = Some(NodeIndex::new(other));
                pairs.extend(mine.below(at).zip(theirs.below(other)));
            }
        }
    }
    found
}

/// Nodes by a key.
struct Index {
    sorted: Vec<(u64, usize)>,
}

impl Index {
    fn new(keys: Vec<u64>) -> Self {
        let mut sorted: Vec<_> = keys.into_iter().zip(0..).collect();
        sort(&mut sorted, |a, b| a < b);
        Self { sorted }
    }

    /// Returns the first nodes with a key, in the model's order.
    fn alike(&self, key: u64) -> &[(u64, usize)] {
        let start = self.sorted.partition_point(|&(other, _)| other < key);
        let alike = &self.sorted[start..];
        let count = alike.iter().take(MOST_ALIKE).take_while(|&&(other, _)| other == key).count();
        &alike[..count]
    }
}

/// Children of each node, and a hash of the hierarchy below it.
struct Shapes {
    children: Children,
    hashes: Vec<u64>,
}

impl Shapes {
    fn new(model: &Model) -> Self {
        let children = Children::new(&model.nodes);
        let mut hashes = vec![0; model.nodes.len()];
        for index in (0..model.nodes.len()).rev() {
            let below =
                children.of(NodeIndex::new(index)).flat_map(|child| u64::to_le_bytes(hashes[child.get()]));
            hashes[index] = hash(&mut below.chain([1]));
        }
        Self { children, hashes }
    }

    /// Returns the children of a node.
    fn below(&self, node: usize) -> impl Iterator<Item = usize> {
        self.children.of(NodeIndex::new(node)).map(NodeIndex::get)
    }
}

fn exact(name: &str) -> u64 {
    hash(&mut name.bytes())
}

fn similar(name: &str) -> u64 {
    let own = name.rsplit([':', '|', '/']).next().unwrap_or_default();
    let kept = own.bytes().filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    hash(&mut kept.map(|byte| byte.to_ascii_lowercase()))
}

/// FNV-1a.
fn hash(bytes: &mut dyn Iterator<Item = u8>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Node, Srt};

    /// Returns a model with nodes of these names, each with the index of its parent.
    fn model(nodes: &[(&str, Option<usize>)]) -> Model {
        let node = |(source_index, &(name, parent)): (usize, &(&str, Option<usize>))| Node {
            name: name.into(),
            parent: parent.map(NodeIndex::new),
            rest: Srt::IDENTITY,
            sheared_rest: None,
            mesh: None,
            skin: None,
            camera: None,
            light: None,
            rest_morph_weights: Vec::new(),
            in_scene: true,
            visible: true,
            source_index,
            extras: None,
        };
        Model { nodes: nodes.iter().enumerate().map(node).collect(), ..Model::default() }
    }

    fn numbers(found: Counterparts) -> Vec<Option<usize>> {
        found.into_iter().map(|node| node.map(NodeIndex::get)).collect()
    }

    #[test]
    fn equal_names_come_before_similar_ones() {
        let from =
            model(&[("mixamorig:Hips", None), ("Left_Arm", Some(0)), ("hips", None), ("Tail", Some(0))]);
        let to = model(&[("HIPS", None), ("hips", Some(0)), ("a|left arm", Some(1)), ("", None)]);
        assert_eq!(numbers(by_name(&from, &to)), [Some(0), Some(2), Some(1), None]);
    }

    #[test]
    fn names_of_another_alphabet_are_told_apart() {
        let from = model(&[("лево", None), ("право", None)]);
        let to = model(&[("право", None), ("лево", None)]);
        assert_eq!(numbers(by_name(&from, &to)), [Some(1), Some(0)]);
    }

    #[test]
    fn of_several_equal_names_the_child_of_the_counterpart_is_found() {
        let from = model(&[("Left", None), ("Right", None), ("Hand", Some(1)), ("Hand", Some(0))]);
        let to = model(&[("Left", None), ("Hand", Some(0)), ("Right", None), ("Hand", Some(2))]);
        assert_eq!(numbers(by_name(&from, &to)), [Some(0), Some(2), Some(3), Some(1)]);
    }

    #[test]
    fn shapes_are_found_below_other_roots() {
        // A chain of two and a fork, below a root with one more child than the other model's.
        let from = model(&[("", None), ("", Some(0)), ("", Some(1)), ("", Some(1)), ("", Some(0))]);
        let to = model(&[("", None), ("", Some(0)), ("", Some(1)), ("", Some(1))]);
        assert_eq!(numbers(by_shape(&from, &to)), [None, Some(1), Some(2), Some(3), None]);
    }

    #[test]
    fn very_many_equal_nodes_take_no_quadratic_time() {
        let many = model(&vec![("Cube", None); 200_000]);
        assert_eq!(by_name(&many, &many).iter().flatten().count(), MOST_ALIKE);
        let mut forest: Vec<(&str, Option<usize>)> = Vec::new();
        for tree in 0..100_000 {
            forest.extend([("", None), ("", Some(2 * tree))]);
        }
        let forest = model(&forest);
        assert_eq!(by_shape(&forest, &forest).iter().flatten().count(), 2 * MOST_ALIKE);
    }
}

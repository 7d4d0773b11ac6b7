//! `<channel>`: the target of a curve, which is a transform, one of its numbers, or morph weights.
use super::Reader;
use super::curves::{self, Curve};
use super::stack::Kind;
use super::xml::{Element, File, Id};
use crate::import::report::WarningKind;
use crate::import::{ImportError, ImportProblem};
use std::collections::HashMap;
use std::rc::Rc;

pub(super) struct Channel<'a> {
    pub(super) element: Element<'a>,
    pub(super) aim: Aim<'a>,
    pub(super) curve: Rc<Curve>,
    /// Index of the outermost animation that contains the channel.
    pub(super) outermost: usize,
}

#[derive(Clone, Copy)]
pub(super) enum Aim<'a> {
    Transform {
        node: Element<'a>,
        transform: Id,
        pick: Pick,
    },
    Morph {
        /// The `<morph>` element.
        morph: Element<'a>,
        pick: Pick,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Pick {
    /// All numbers of the transform, or all weights.
    Whole,
    Number(usize),
}

impl Aim<'_> {
    /// Returns a key that is equal for channels with the same target.
    pub(super) fn key(&self) -> (Id, Pick) {
        match *self {
            Self::Transform { transform, pick, .. } => (transform, pick),
            Self::Morph { morph, pick } => (morph.id(), pick),
        }
    }
}

/// Returns the channels of all animations in document order, and the outermost animations.
///
/// A channel of a node or morph that isn't in the scene is skipped with a warning, even if its curve is invalid.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    is_placed: impl Fn(&Aim<'a>) -> bool,
) -> Result<(Vec<Channel<'a>>, Vec<Element<'a>>), ImportError> {
    let mut curves: HashMap<Id, Option<Rc<Curve>>> = HashMap::new();
    let (mut channels, mut animations) = (Vec::new(), Vec::new());
    let libraries = reader.file.root().children_named("library_animations");
    for animation in libraries.flat_map(|library| library.children_named("animation")) {
        for element in animation.descendants().filter(|element| element.tag() == "channel") {
            let target = element.attribute("target").unwrap_or_default();
            let Some(aim) = aim(reader.file, target) else {
                reader.warn(WarningKind::TrackTargetUnknown, element, crate::refusal::shortened(target));
                continue;
            };
            if !is_placed(&aim) {
                reader.warn_of_reference(element);
                continue;
            }
            let sampler = element.target("source")?;
            let curve = match curves.get(&sampler.id()) {
                Some(curve) => curve.clone(),
                None => {
                    let curve = curves::read(reader, sampler)?.map(Rc::new);
                    curves.insert(sampler.id(), curve.clone());
                    curve
                }
            };
            let Some(curve) = curve else { continue };
            match fitting(reader.file, aim, &curve) {
                Some(aim) => channels.push(Channel { element, aim, curve, outermost: animations.len() }),
                None => {
                    let found = format!("{} numbers a key for {target}", curve.width);
                    return Err(ImportProblem::KeyValuesCountWrong.at(element.place(), found));
                }
            }
        }
        animations.push(animation);
    }
    Ok((channels, animations))
}

/// Reads an address such as `node/rotateX.ANGLE`, `node/matrix(3)(0)` or `weights(1)`.
fn aim<'a>(file: &'a File<'a>, address: &str) -> Option<Aim<'a>> {
    // Names may contain points and brackets, so the whole address is tried first.
    let (element, member) = match find(file, address) {
        Some(element) => (element, ""),
        None => {
            let last = address.rfind('/').map_or(0, |slash| slash + 1);
            let bracket = address.get(last..)?.find('(').map(|at| at + last);
            let at = bracket.or_else(|| address.rfind('.').filter(|at| *at >= last))?;
            (find(file, address.get(..at)?)?, address.get(at..)?)
        }
    };
    let pick = pick(member)?;
    if Kind::of(element.tag()).is_some() {
        let node = element.parent().filter(|node| node.tag() == "node")?;
        return Some(Aim::Transform { node, transform: element.id(), pick });
    }
    // The weights are a source of the morph, or the array in that source.
    let source = if element.tag() == "float_array" { element.parent()? } else { element };
    let morph = source.parent().filter(|morph| source.tag() == "source" && morph.tag() == "morph")?;
    Some(Aim::Morph { morph, pick })
}

fn find<'a>(file: &'a File<'a>, path: &str) -> Option<Element<'a>> {
    let mut steps = path.split('/');
    let start = file.by_id(steps.next()?)?;
    steps.try_fold(start, |element, sid| {
        // Some exporters write the transform's tag and omit its `sid`.
        let by_tag = || Kind::of(sid).and_then(|_| element.child(sid));
        element.child_by_sid(sid).or_else(|| element.descendant_by_sid(sid)).or_else(by_tag)
    })
}

fn pick(member: &str) -> Option<Pick> {
    let number = match member.to_ascii_uppercase().as_str() {
        "" => return Some(Pick::Whole),
        ".X" | ".R" | ".U" | ".S" => 0,
        ".Y" | ".G" | ".V" | ".T" => 1,
        ".Z" | ".B" | ".P" => 2,
        ".W" | ".A" | ".Q" | ".ANGLE" => 3,
        brackets => {
            let indices: Option<Vec<usize>> = brackets
                .strip_prefix('(')?
                .strip_suffix(')')?
                .split(")(")
                .map(|index| index.trim().parse().ok().filter(|index| *index < 1 << 16))
                .collect();
            match indices?.as_slice() {
                [index] => *index,
                // Column, then row, of a matrix that is written row by row.
                [column, row] if *column < 4 && *row < 4 => 4 * row + column,
                _ => return None,
            }
        }
    };
    Some(Pick::Number(number))
}

/// Returns the target, adapted to the curve; `None` if the curve has the wrong count of numbers.
fn fitting<'a>(file: &'a File<'a>, aim: Aim<'a>, curve: &Curve) -> Option<Aim<'a>> {
    let Aim::Transform { node, transform, pick } = aim else { return Some(aim) };
    let kind = Kind::of(file.element(transform)?.tag())?;
    let count = kind.number_count();
    let pick = match pick {
        Pick::Whole if curve.width == count => Pick::Whole,
        // A single angle for a whole rotation.
        Pick::Whole if curve.width == 1 && kind == Kind::Rotate => Pick::Number(3),
        Pick::Number(number) if number < count => pick,
        _ => return None,
    };
    Some(Aim::Transform { node, transform, pick })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_letters_words_or_brackets() {
        for (member, number) in
            [(".X", 0), (".angle", 3), ("(2)", 2), ("(3)(0)", 3), ("(0)(3)", 12), (".W", 3)]
        {
            assert_eq!(pick(member), Some(Pick::Number(number)), "{member}");
        }
        assert_eq!(pick(""), Some(Pick::Whole));
        for member in ["(4)(0)", "(0)(4)", "(-1)", "()", "(1", ".Q.R", "(0)(0)(0)", "(99999999)"] {
            assert_eq!(pick(member), None, "{member}");
        }
    }
}

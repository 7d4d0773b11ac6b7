//! Colours of joints for the view of joint weights. No GPU is needed.

use crate::animation::slot_nodes;
use crate::model::Model;

/// Number of matrices in a row of the texture; `view.wgsl` divides by the same number.
pub(super) const WIDTH: usize = 256;

/// Returns a pixel for each matrix in the rows of a character but the first one, in whole lines: the colour of the
/// joint that the matrix belongs to, and 255 as alpha for the joint with a name.
///
/// A mesh without joints belongs to the nearest joint above its node, or to the node itself.
pub(super) fn joint_colors(model: &Model, joint: &str) -> Vec<[u8; 4]> {
    let mut is_joint = vec![false; model.nodes.len()];
    for joint in model.skins.iter().flat_map(|skin| &skin.joints) {
        is_joint[joint.get()] = true;
    }
    let nodes = slot_nodes(model);
    let mut pixels = vec![[0; 4]; nodes.len().max(1).next_multiple_of(WIDTH)];
    for (pixel, node) in pixels.iter_mut().zip(nodes) {
        let mut owner = node;
        while let (false, Some(parent)) = (is_joint[owner.get()], model.node(owner).parent) {
            owner = parent;
        }
        if !is_joint[owner.get()] {
            owner = node;
        }
        let is_marked = [node, owner].iter().any(|node| model.node(*node).name == joint);
        let [red, green, blue] = color(owner.get());
        *pixel = [red, green, blue, if is_marked { 255 } else { 0 }];
    }
    pixels
}

/// Returns a colour for each number. Those of near numbers differ much.
fn color(number: usize) -> [u8; 3] {
    // The golden ratio divides the circle of hues most evenly, however many there are.
    let turn = number as f32 * 0.618_034;
    let brightness = if number.is_multiple_of(2) { 245.0 } else { 190.0 };
    [0.0, 2.0, 1.0].map(|third| {
        let hue = turn + third / 3.0;
        let part = (((hue - hue.floor()) * 6.0 - 3.0).abs() - 1.0).clamp(0.0, 1.0);
        (brightness * (0.25 + 0.75 * part)) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_of_neighbours_differ() {
        for number in 0..300 {
            for other in number + 1..number + 4 {
                let pairs = color(number).into_iter().zip(color(other));
                let difference: u32 = pairs.map(|(a, b)| u32::from(a.abs_diff(b))).sum();
                assert!(difference > 60, "{number} and {other}: {difference}");
            }
        }
    }
}

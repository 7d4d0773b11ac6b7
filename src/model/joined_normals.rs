use super::Mesh;
use crate::order::for_equal_rows;
use glam::Vec3;

impl Mesh {
    /// Returns a normal for each vertex of a mesh's primitives: the mean of the normals at its place. What follows
    /// these has no gaps where a mesh has hard edges.
    pub fn joined_normals(&self) -> Vec<Vec3> {
        let mut places = Vec::new();
        let mut normals: Vec<Vec3> = Vec::new();
        for primitive in &self.primitives {
            for (vertex, position) in primitive.positions.iter().enumerate() {
                // −0 and 0 are one place.
                places.extend(position.to_array().map(|number| (number + 0.0).to_bits()));
                normals.push(primitive.normals.get(vertex).copied().unwrap_or_default());
            }
        }
        let mut joined = normals.clone();
        for_equal_rows(&places, 3, &mut |equal| {
            let sum: Vec3 = equal.iter().map(|&vertex| normals[vertex as usize].normalize_or_zero()).sum();
            if let Some(mean) = sum.try_normalize() {
                equal.iter().for_each(|&vertex| joined[vertex as usize] = mean);
            }
        });
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::super::Primitive;
    use super::*;

    #[test]
    fn normals_at_one_place_are_joined_across_primitives() {
        let side = |position: Vec3, normal: Vec3| Primitive {
            positions: vec![position],
            normals: vec![normal],
            ..Primitive::default()
        };
        let mesh = Mesh {
            primitives: vec![
                side(Vec3::ZERO, Vec3::X),
                side(Vec3::new(0.0, -0.0, 0.0), Vec3::Y),
                side(Vec3::ONE, Vec3::Z),
                Primitive { positions: vec![Vec3::ONE], ..Primitive::default() },
            ],
            ..Mesh::default()
        };
        let between = Vec3::new(1.0, 1.0, 0.0).normalize();
        assert_eq!(mesh.joined_normals(), [between, between, Vec3::Z, Vec3::Z]);
    }

    #[test]
    fn opposite_normals_stay() {
        let primitive = Primitive {
            positions: vec![Vec3::ZERO; 2],
            normals: vec![Vec3::X, Vec3::NEG_X],
            ..Primitive::default()
        };
        let mesh = Mesh { primitives: vec![primitive], ..Mesh::default() };
        assert_eq!(mesh.joined_normals(), [Vec3::X, Vec3::NEG_X]);
    }
}

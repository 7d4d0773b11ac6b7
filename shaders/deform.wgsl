// Morphs and skins one vertex, for the mesh pass, the shadow pass and the read-back. Each of them declares
// `has_tangents`, and `scales_normals`: whether normals are as long as the model's scale.

// Whether the mesh has morph targets.
const morphs = (PARTS & 1) != 0;
// Whether the mesh is skinned.
const skins = (PARTS & 2) != 0;
// Whether vertices have more than four influences.
const has_more_influences = (PARTS & 4) != 0;
// Whether skins are blended by dual quaternions, rather than linearly.
const blends_rotations = (PARTS & 8) != 0;

struct Draw {
    rows_per_character: u32,
    first_row: u32,
    first_weight_row: u32,
    morph_target_count: u32,
    first_morph_row: u32,
    morph_rows_per_vertex: u32,
    morph_normal_row: u32,
    morph_tangent_row: u32,
    first_influence_row: u32,
    influence_rows_per_vertex: u32,
    vertex_count: u32,
    skinned: u32,
}

@group(1) @binding(0) var<uniform> draw: Draw;

struct Vertex {
    @location(0) position: vec3f,
    @location(1) normal: vec4f,
    @location(2) tangent: vec4f,
    @location(3) uv0: vec2f,
    @location(4) uv1: vec2f,
    @location(5) color: vec4f,
    @location(6) joints: vec4u,
    @location(7) joint_weights: vec4f,
    @builtin(vertex_index) vertex_index: u32,
    @builtin(instance_index) character: u32,
}

struct Surface {
    position: vec3f,
    normal: vec3f,
    tangent: vec4f,
}

// Returns a 3×4 matrix as a `mat3x4f` whose columns are the rows, so that `vec4f(position, 1) * rows` transforms a
// point.
fn rows_at(row: u32) -> mat3x4f {
    return mat3x4f(character_row(row), character_row(row + 1u), character_row(row + 2u));
}

fn unit_or_zero(v: vec3f) -> vec3f {
    // Divided by the largest component first, since squares of small numbers underflow.
    let largest = max(max(abs(v.x), abs(v.y)), abs(v.z));
    if largest == 0.0 {
        return vec3f(0.0);
    }
    return normalize(v / largest);
}

fn transformed(rows: mat3x4f, surface: Surface) -> Surface {
    // Normals are transformed by the cofactor matrix: the inverse transpose times the determinant. Unlike the
    // inverse, it exists for singular matrices.
    let x = rows[0].xyz;
    let y = rows[1].xyz;
    let z = rows[2].xyz;
    let cofactor_x = cross(y, z);
    let side = select(1.0, -1.0, dot(x, cofactor_x) < 0.0);
    let n = surface.normal;
    let normal = side * vec3f(dot(cofactor_x, n), dot(cross(z, x), n), dot(cross(x, y), n));
    var tangent = vec3f(0.0);
    if has_tangents {
        let t = surface.tangent.xyz;
        tangent = unit_or_zero(vec3f(dot(x, t), dot(y, t), dot(z, t)));
    }
    return Surface(
        vec4f(surface.position, 1.0) * rows,
        unit_or_zero(normal),
        vec4f(tangent, surface.tangent.w * side),
    );
}

// Returns the vertex in its mesh, morphed.
fn surface_in_mesh(vertex: Vertex) -> Surface {
    let first = vertex.character * draw.rows_per_character;
    var position = vertex.position;
    var normal = vertex.normal.xyz;
    var tangent = vertex.tangent.xyz;
    // The condition is outside of the loop, since software GPUs compile a loop that never runs.
    if morphs {
        for (var i = 0u; i < draw.morph_target_count; i++) {
            let weights = character_row(first + draw.first_weight_row + i / 4u);
            let weight = weights[i % 4u];
            if weight != 0.0 {
                let row = draw.first_morph_row
                    + (i * draw.vertex_count + vertex.vertex_index) * draw.morph_rows_per_vertex;
                position += weight * mesh_row(row).xyz;
                if draw.morph_normal_row != 0u {
                    normal += weight * mesh_row(row + draw.morph_normal_row).xyz;
                }
                if has_tangents && draw.morph_tangent_row != 0u {
                    tangent += weight * mesh_row(row + draw.morph_tangent_row).xyz;
                }
            }
        }
    }
    return Surface(position, normal, vec4f(tangent, vertex.tangent.w));
}

// Returns the nearest rotation to a matrix, or to its negative if it mirrors, as a quaternion.
fn rotation_of(rows: mat3x4f) -> vec4f {
    var m = mat3x3f(rows[0].xyz, rows[1].xyz, rows[2].xyz);
    let size = sqrt((dot(m[0], m[0]) + dot(m[1], m[1]) + dot(m[2], m[2])) / 3.0);
    let side = select(1.0, -1.0, dot(m[0], cross(m[1], m[2])) < 0.0);
    m *= side / max(size, 1e-30);
    // The mean of a matrix and its inverse transpose converges to the rotation.
    for (var i = 0; i < 5; i++) {
        let cofactors = mat3x3f(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
        let determinant = dot(m[0], cofactors[0]);
        if determinant < 1e-6 {
            break;
        }
        m = (m + cofactors * (1.0 / determinant)) * 0.5;
    }
    let x = m[0];
    let y = m[1];
    let z = m[2];
    let a = vec3f(z.y - y.z, x.z - z.x, y.x - x.y);
    let b = vec3f(y.z + z.y, z.x + x.z, x.y + y.x);
    // Four multiples of the quaternion, by each of its components. The longest is the most exact.
    var q = vec4f(a, 1.0 + x.x + y.y + z.z);
    q = longer(q, vec4f(1.0 + x.x - y.y - z.z, b.z, b.y, a.x));
    q = longer(q, vec4f(b.z, 1.0 - x.x + y.y - z.z, b.x, a.y));
    return normalize(longer(q, vec4f(b.y, b.x, 1.0 - x.x - y.y + z.z, a.z)));
}

fn longer(a: vec4f, b: vec4f) -> vec4f {
    return select(a, b, dot(b, b) > dot(a, a));
}

// Returns the blend by dual quaternions of the matrices of the vertex's joints. `Skinning::DualQuaternion` in
// `reference_skin.rs` states the formula.
fn blended_by_rotations(vertex: Vertex, matrices: u32) -> mat3x4f {
    let influences = draw.first_influence_row + vertex.vertex_index * draw.influence_rows_per_vertex;
    let count = 4u + select(0u, 2u * draw.influence_rows_per_vertex, has_more_influences);
    var heaviest = vec4f(0.0);
    var sum = vec4f(0.0);
    // Rows x, y, z and w of the sum of the products.
    var x = vec4f(0.0);
    var y = vec4f(0.0);
    var z = vec4f(0.0);
    var w = vec4f(0.0);
    for (var i = 0u; i < count; i++) {
        var joint = vertex.joints[i % 4u];
        var weight = vertex.joint_weights[i % 4u];
        if i >= 4u {
            let pair = mesh_row(influences + (i - 4u) / 2u);
            joint = u32(pair[i % 2u * 2u]);
            weight = pair[i % 2u * 2u + 1u];
        }
        // The heaviest is first, so the others have no weight either.
        if weight == 0.0 {
            break;
        }
        let rows = rows_at(matrices + joint * 3u);
        let rotation = rotation_of(rows);
        if i == 0u {
            heaviest = rotation;
        }
        // The negative of a quaternion is the same rotation. Both are taken on the side of the heaviest joint's.
        let q = rotation * select(weight, -weight, dot(rotation, heaviest) < 0.0);
        sum += q;
        x += q.w * rows[0] + q.z * rows[1] - q.y * rows[2];
        y += q.w * rows[1] + q.x * rows[2] - q.z * rows[0];
        z += q.w * rows[2] + q.y * rows[0] - q.x * rows[1];
        w -= q.x * rows[0] + q.y * rows[1] + q.z * rows[2];
    }
    let blended = mat3x4f(
        sum.w * x - sum.x * w - sum.z * y + sum.y * z,
        sum.w * y - sum.y * w - sum.x * z + sum.z * x,
        sum.w * z - sum.z * w - sum.y * x + sum.x * y,
    );
    return blended * (1.0 / max(dot(sum, sum), 1e-30));
}

// Returns the matrix that transforms the vertex from its mesh to the model: its node's, or a blend of its joints'.
fn model_from_mesh(vertex: Vertex) -> mat3x4f {
    let matrices = vertex.character * draw.rows_per_character + draw.first_row;
    let is_skinned = draw.skinned != 0u;
    if !skins || (blends_rotations && !is_skinned) {
        return rows_at(matrices);
    }
    if blends_rotations {
        return blended_by_rotations(vertex, matrices);
    }
    // The node's matrix is that of a single joint. A software GPU compiles this in less time than another case.
    let joints = select(vec4u(0u), vertex.joints, is_skinned);
    let weights = select(vec4f(1.0, 0.0, 0.0, 0.0), vertex.joint_weights, is_skinned);
    var rows = blended_rows(matrices, joints, weights);
    if has_more_influences {
        let influences = draw.first_influence_row + vertex.vertex_index * draw.influence_rows_per_vertex;
        for (var i = 0u; is_skinned && i < draw.influence_rows_per_vertex; i++) {
            let pair = mesh_row(influences + i);
            rows += rows_at(matrices + u32(pair.x) * 3u) * pair.y
                + rows_at(matrices + u32(pair.z) * 3u) * pair.w;
        }
    }
    return rows;
}

fn surface_in_model(vertex: Vertex) -> Surface {
    return transformed(model_from_mesh(vertex), surface_in_mesh(vertex));
}

// Multiplies the matrices first. A software GPU compiles one transform of a surface in less time than two.
fn surface_in_world(vertex: Vertex) -> Surface {
    let world = rows_at(vertex.character * draw.rows_per_character);
    let turned = model_from_mesh(vertex) * mat3x3f(world[0].xyz, world[1].xyz, world[2].xyz);
    var surface = transformed(turned, surface_in_mesh(vertex));
    surface.position += vec3f(world[0].w, world[1].w, world[2].w);
    if scales_normals {
        let volume = abs(dot(turned[0].xyz, cross(turned[1].xyz, turned[2].xyz)));
        surface.normal *= pow(clamp(volume, 1e-30, 1e30), 1.0 / 3.0);
    }
    return surface;
}

// Draws surfaces by their data in place of their light: `src/render/views`. `SurfaceView` in Rust lists the kinds.
// Colours of views are written as they are: light and tone mapping don't change them.

// Whether edges of triangles are drawn, or an outline: back faces, moved outwards.
const draws_edges = (PARTS & 1073741824) != 0;
const draws_outline = (PARTS & 536870912) != 0;
// Whether a pose before or after the present one is drawn (`src/render/guides/ghosts.rs`), or its depths alone.
const draws_ghost = (PARTS & 134217728) != 0;
const fills_depth = (PARTS & 67108864) != 0;

const NORMALS = 1u;
const VIEW_NORMALS = 2u;
const TANGENTS = 3u;
const UV = 4u;
const WEIGHTS = 5u;
const WIREFRAME = 6u;
const MATCAP = 7u;
const TOON = 8u;
const COLOR = 9u;
const ALPHA = 10u;
const METALLIC = 11u;
const ROUGHNESS = 12u;
const OCCLUSION = 13u;
const EMISSIVE = 14u;
// Vertex colours; the number of every kind without a case of its own.
const VERTEX_COLOR = 15u;

// Returns what is shown. If a joint is chosen, `frame.view` is greater by 256.
fn kind() -> u32 {
    return frame.view & 255u;
}

struct Viewed {
    @builtin(position) position: vec4f,
    @location(0) position_in_world: vec3f,
    @location(1) normal: vec3f,
    @location(2) tangent: vec4f,
    @location(3) uv_sets: vec4f,
    @location(4) color: vec4f,
    // Blend of the colours of the vertex's joints.
    @location(5) joint_color: vec4f,
}

// Returns the colour of a joint, whose fourth number marks the chosen one. Views bind these colours in place of the
// table of reflectances: a pixel for each matrix in the rows of a character, 256 in a line.
fn color_of_joint(joint: u32) -> vec4f {
    // The first matrix is that of the character, and has no pixel.
    let slot = draw.first_row / 3u - 1u + joint;
    return textureLoad(environment_map, vec2i(i32(slot & 255u), i32(slot >> 8u)), 0);
}

fn color_of_joints(vertex: Vertex) -> vec4f {
    if !skins || draw.skinned == 0u {
        return color_of_joint(0u);
    }
    var sum = vec4f(0.0);
    for (var i = 0u; i < 4u; i++) {
        sum += color_of_joint(vertex.joints[i]) * vertex.joint_weights[i];
    }
    let influences = draw.first_influence_row + vertex.vertex_index * draw.influence_rows_per_vertex;
    for (var i = 0u; has_more_influences && i < draw.influence_rows_per_vertex; i++) {
        let pair = mesh_row(influences + i);
        sum += color_of_joint(u32(pair.x)) * pair.y + color_of_joint(u32(pair.z)) * pair.w;
    }
    return sum;
}

@vertex
fn view_vertex(vertex: Vertex) -> Viewed {
    var surface = surface_in_world(vertex);
    let projected = frame.projection_from_world * vec4f(surface.position, 1.0);
    // Half the height of the picture at the distance of the vertex.
    let half_height = projected.w / length(upwards());
    // Edges are drawn nearer to the viewer than the faces, and outlines farther away.
    var nearer = 0.002 * half_height;
    if draws_outline {
        nearer = -max(0.005, 2.0 / frame.viewport.y) * half_height;
        surface.position -= unit_or_zero(surface.normal) * nearer;
    }
    var viewed = Viewed(
        frame.projection_from_world * vec4f(surface.position, 1.0),
        surface.position,
        surface.normal,
        surface.tangent,
        vec4f(vertex.uv0, vertex.uv1),
        vertex.color,
        color_of_joints(vertex),
    );
    if !draws_ghost && frame.first_tint_row != 0u && kind() != VERTEX_COLOR {
        viewed.color *= character_row(frame.first_tint_row + vertex.character);
    }
    if draws_ghost {
        // The colour, then the range of distances and the layer of depths.
        viewed.joint_color = character_row(2u * vertex.character);
        let layer = character_row(2u * vertex.character + 1u);
        let distance = select(projected.w, projected.z, is_orthographic());
        let depth = layer.z + layer.w * saturate((distance - layer.x) * layer.y);
        viewed.position.z = (depth - select(2e-7, 0.0, fills_depth)) * viewed.position.w;
    }
    if draws_edges || draws_outline {
        let moved = surface.position + towards_viewer(surface.position) * nearer;
        let depth = frame.projection_from_world * vec4f(moved, 1.0);
        viewed.position.z = depth.z / depth.w * viewed.position.w;
    }
    viewed.position = on_tile(viewed.position);
    return viewed;
}

// Returns a row of the projection, which is a vector in the world: 0 for x, 1 for y and 3 for the depth.
fn projection_row(row: u32) -> vec3f {
    let columns = frame.projection_from_world;
    return vec3f(columns[0][row], columns[1][row], columns[2][row]);
}

// Returns a row without its part along the view direction. Insets shift the picture by this part.
fn across_view(row: u32) -> vec3f {
    let depth = projection_row(3u);
    let across = projection_row(row);
    return across - depth * (dot(across, depth) / max(dot(depth, depth), 1e-30));
}

fn upwards() -> vec3f {
    return across_view(1u);
}

fn is_orthographic() -> bool {
    return dot(projection_row(3u), projection_row(3u)) == 0.0;
}

// Returns the unit vector from a point to the viewer.
fn towards_viewer(position_in_world: vec3f) -> vec3f {
    if is_orthographic() {
        return unit_or_zero(cross(across_view(0u), upwards()));
    }
    return unit_or_zero(frame.viewer_in_world - position_in_world);
}

// Returns a direction as the viewer sees it: x to the right, y up, z towards the viewer.
fn in_view(direction: vec3f, towards: vec3f) -> vec3f {
    let up = upwards();
    let y = unit_or_zero(up - towards * dot(up, towards));
    return vec3f(dot(direction, cross(y, towards)), dot(direction, y), dot(direction, towards));
}

// Blue for 0, cyan, green for 0.5, yellow, red for 1.
fn heat(share: f32) -> vec3f {
    let at = clamp(share, 0.0, 1.0) * 4.0;
    return clamp(vec3f(at - 2.0, min(at, 4.0 - at), 2.0 - at), vec3f(0.0), vec3f(1.0));
}

// Returns the factor by which colours darken where the surface turns away, so that its shape is visible.
fn shape(normal: vec3f, towards: vec3f) -> f32 {
    return select(0.6 + 0.4 * max(dot(normal, towards), 0.0), 1.0, dot(normal, normal) == 0.0);
}

// Materials with extensions are seen like others.
@fragment
fn view_fragment(shown: Viewed, @builtin(front_facing) front_facing: bool) -> @location(0) vec4f {
    // Textures are read before the first branch, since sampling requires uniform control flow.
    let fragment = Varying(
        shown.position,
        shown.position_in_world,
        shown.normal,
        shown.tangent,
        shown.uv_sets,
        shown.color,
    );
    let base = base_color(fragment.uv_sets, fragment.color);
    let maps = maps_at(fragment.uv_sets);
    let side = select(-1.0, 1.0, front_facing);
    let surface_normal = smooth_normal(fragment.normal);
    let normal = shading_normal(fragment, surface_normal, side);
    // The UV set of the base colour, without its transform.
    var plain_uv = fragment.uv_sets.xy;
    if moves_uvs && material.uv_rows[0].w > 0.5 {
        plain_uv = fragment.uv_sets.zw;
    }
    let across = dpdx(plain_uv);
    let down = dpdy(plain_uv);
    let lit = dot(normal, frame.towards_key_light);
    let blur = fwidth(lit);
    let towards = towards_viewer(fragment.position_in_world);

    if draws_edges {
        return vec4f(0.07, 0.1, 0.2, 1.0);
    }
    // What blends is solid where its alpha is at least half of the factor's: glass is, and so is hair.
    let least = select(0.5 * material.base_color.a, material.alpha_cutoff, material.opaque > 0.0);
    let blends = kind() == TOON && material.opaque == 0.0;
    if kind() != ALPHA && !blends && base.a < least {
        discard;
    }
    if fills_depth {
        return vec4f(0.0);
    }
    if draws_ghost {
        // Denser where the surface turns away, like a shell. Normal maps would make it noisy.
        let rim = 1.0 - abs(dot(surface_normal, towards));
        let alpha = shown.joint_color.a * mix(0.28, 0.8, rim * rim);
        return vec4f(shown.joint_color.rgb * alpha, alpha);
    }
    if draws_outline {
        return vec4f(srgb_encoded(base.rgb * 0.03), 1.0);
    }

    switch kind() {
        case NORMALS: {
            return vec4f(0.5 + 0.5 * normal, 1.0);
        }
        case VIEW_NORMALS: {
            return vec4f(0.5 + 0.5 * in_view(normal, towards), 1.0);
        }
        case TANGENTS: {
            return vec4f(0.5 + 0.5 * unit_or_zero(fragment.tangent.xyz), 1.0);
        }
        case UV: {
            let mirrored = (across.x * down.y < across.y * down.x) == front_facing;
            return vec4f(uv_grid(plain_uv, across, down, mirrored) * shape(normal, towards), 1.0);
        }
        case WEIGHTS: {
            let color = select(shown.joint_color.rgb, heat(shown.joint_color.a), frame.view >= 256u);
            return vec4f(color * shape(normal, towards), 1.0);
        }
        case WIREFRAME: {
            return vec4f(vec3f(0.86, 0.87, 0.9) * shape(normal, towards), 1.0);
        }
        case MATCAP: {
            return vec4f(clay(in_view(normal, towards)) * mix(1.0, maps.occlusion, 0.6), 1.0);
        }
        case TOON: {
            var light = srgb_encoded(base.rgb);
            if is_lit && dot(normal, normal) > 0.0 {
                let share = key_light_share(fragment.position_in_world, surface_normal * side);
                light = srgb_encoded(base.rgb * toon_light(lit, blur, share) + maps.emissive);
            }
            let alpha = max(base.a, material.opaque);
            return vec4f(light * alpha, alpha);
        }
        case COLOR: {
            return vec4f(srgb_encoded(base.rgb), 1.0);
        }
        case ALPHA: {
            return vec4f(vec3f(base.a), 1.0);
        }
        case METALLIC: {
            return vec4f(vec3f(material.metallic * maps.metal_rough.b), 1.0);
        }
        case ROUGHNESS: {
            return vec4f(vec3f(material.roughness * maps.metal_rough.g), 1.0);
        }
        case OCCLUSION: {
            return vec4f(vec3f(maps.occlusion), 1.0);
        }
        case EMISSIVE: {
            return vec4f(srgb_encoded(maps.emissive), 1.0);
        }
        default: {}
    }
    return vec4f(srgb_encoded(fragment.color.rgb), 1.0);
}

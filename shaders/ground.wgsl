// The sky, and on it the ground: lines every metre (or tenth, or ten), fading into the distance, and the
// shadow of what stands there.

struct Ray {
    @builtin(position) clip: vec4f,
    @location(0) direction: vec3f,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Ray {
    // One triangle over the whole picture, at infinity.
    let corner = vec2f(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0);
    var out: Ray;
    out.clip = vec4f(corner, 0.0, 1.0);
    out.direction = frame.forward.xyz + corner.x * frame.right.xyz + corner.y * frame.up.xyz;
    return out;
}

@fragment
fn sky(in: Ray) -> @location(0) vec4f {
    return vec4f(to_screen(background(normalize(in.direction))), 1.0);
}

// How much of a line of `width` pixels covers this pixel; `at` counts spacings.
fn line(at: vec2f, width: f32) -> f32 {
    let pixel = max(fwidth(at), vec2f(1e-6));
    let gap = abs(fract(at - 0.5) - 0.5) / pixel;
    let cover = clamp(0.5 * width + 0.5 - gap, vec2f(0.0), vec2f(1.0));
    // Where lines crowd they fade rather than shimmer.
    let calm = clamp(1.5 - 4.0 * pixel, vec2f(0.0), vec2f(1.0));
    return max(cover.x * calm.x, cover.y * calm.y);
}

struct Ground {
    @builtin(position) clip: vec4f,
    // Relative to the eye, m.
    @location(0) position: vec3f,
}

// A square about the eye, as a strip of four corners.
@vertex
fn ground_vertex(@builtin(vertex_index) index: u32) -> Ground {
    let corner = vec2f(f32(index & 1u) * 2.0 - 1.0, f32(index >> 1u) * 2.0 - 1.0);
    var out: Ground;
    out.position = vec3f(corner.x * frame.ground.z, -frame.ground.x, corner.y * frame.ground.z);
    out.clip = frame.view_projection * vec4f(out.position, 1.0);
    return out;
}

@fragment
fn ground(in: Ground) -> @location(0) vec4f {
    let at = (in.position.xz + frame.phase.xy) / frame.ground.y;
    let fine = line(at, 1.0);
    let coarse = line(at * 0.1, 1.4);
    let fade = 1.0 - smoothstep(0.1, 1.0, length(in.position.xz) / frame.ground.z);
    let lines = max(0.10 * fine, 0.22 * coarse) * fade;
    var shade = 0.0;
    if frame.ground.w > 0.0 {
        shade = 0.45 * shadow(in.position);
    }
    let alpha = 1.0 - (1.0 - lines) * (1.0 - shade);
    return vec4f(vec3f(0.10, 0.12, 0.15), alpha);
}

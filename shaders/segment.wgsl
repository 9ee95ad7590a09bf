// Lines of a width in pixels, and points as lines without length.

struct Stroke {
    @builtin(position) clip: vec4f,
    @location(0) color: vec4f,
    // Across and along, px; half the width, half the length.
    @location(1) @interpolate(linear) place: vec2f,
    @location(2) @interpolate(flat) half_size: vec2f,
}

@vertex
fn vertex(
    @builtin(vertex_index) index: u32,
    @location(0) start: vec3f,
    @location(1) end: vec3f,
    @location(2) color: vec4f,
    @location(3) width: f32,
) -> Stroke {
    var a = frame.view_projection * vec4f(start, 1.0);
    var b = frame.view_projection * vec4f(end, 1.0);
    var out: Stroke;
    // Behind the eye: cut at the near plane (z = w in reversed depth).
    let near_a = a.w - a.z;
    let near_b = b.w - b.z;
    if near_a < 0.0 && near_b < 0.0 {
        out.clip = vec4f(2.0, 2.0, 2.0, 1.0);
        return out;
    }
    if near_a < 0.0 {
        a = mix(a, b, near_a / (near_a - near_b));
    } else if near_b < 0.0 {
        b = mix(b, a, near_b / (near_b - near_a));
    }
    let half_picture = 0.5 * frame.size.xy;
    let screen_a = a.xy / a.w * half_picture;
    let screen_b = b.xy / b.w * half_picture;
    let length = distance(screen_a, screen_b);
    let along = select(vec2f(1.0, 0.0), (screen_b - screen_a) / max(length, 1e-6), length > 1e-3);
    let across = vec2f(-along.y, along.x);
    let at_end = (index & 1u) == 1u;
    let side = select(-1.0, 1.0, (index & 2u) == 2u);
    let reach = 0.5 * width + 0.5;
    let offset = across * side * reach + along * select(-reach, reach, at_end);
    let base = select(a, b, at_end);
    out.clip = vec4f(base.xy + offset / half_picture * base.w, base.z, base.w);
    out.color = color;
    out.place = vec2f(side * reach, select(-0.5, 0.5, at_end) * length + select(-reach, reach, at_end));
    out.half_size = vec2f(0.5 * width, 0.5 * length);
    return out;
}

@fragment
fn fragment(in: Stroke) -> @location(0) vec4f {
    // Distance to the segment, so that ends and points are round.
    let beyond = max(abs(in.place.y) - in.half_size.y, 0.0);
    let away = length(vec2f(in.place.x, beyond));
    let cover = clamp(in.half_size.x + 0.5 - away, 0.0, 1.0);
    return vec4f(in.color.rgb, in.color.a * cover);
}

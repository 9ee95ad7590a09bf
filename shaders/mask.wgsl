// What is selected, as a mask: an instance whose tint says so as a whole, else the vertices that are picked out.

struct Masked {
    @builtin(position) clip: vec4f,
    @location(0) inside: f32,
    @location(1) position: vec3f,
}

@vertex
fn vertex(
    @location(0) position: vec3f,
    @location(2) color: vec4f,
    @location(3) row_x: vec4f,
    @location(4) row_y: vec4f,
    @location(5) row_z: vec4f,
    @location(6) tint: vec4f,
) -> Masked {
    let p = vec4f(position, 1.0);
    var out: Masked;
    out.position = vec3f(dot(row_x, p), dot(row_y, p), dot(row_z, p));
    out.clip = frame.view_projection * vec4f(out.position, 1.0);
    out.inside = max(color.a, tint.a);
    return out;
}

@fragment
fn fragment(in: Masked) -> @location(0) vec4f {
    if in.inside < 0.5 || is_cut_away(in.position) {
        discard;
    }
    return vec4f(1.0);
}

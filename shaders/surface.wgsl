// Lit surfaces: a sky from all sides, a sun with a shadow, a faint gloss.

struct Lit {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec3f,
    // Colour laid over, and how much of it.
    @location(3) @interpolate(flat) tint: vec4f,
}

@vertex
fn vertex(
    @location(0) position: vec3f,
    @location(1) normal: vec4f,
    @location(2) color: vec4f,
    @location(3) row_x: vec4f,
    @location(4) row_y: vec4f,
    @location(5) row_z: vec4f,
    @location(6) tint: vec4f,
) -> Lit {
    let p = vec4f(position, 1.0);
    let n = vec4f(normal.xyz, 0.0);
    var out: Lit;
    out.position = vec3f(dot(row_x, p), dot(row_y, p), dot(row_z, p));
    out.clip = frame.view_projection * vec4f(out.position, 1.0);
    out.normal = vec3f(dot(row_x, n), dot(row_y, n), dot(row_z, n));
    out.color = from_srgb(color.rgb);
    out.tint = vec4f(from_srgb(tint.rgb), tint.a);
    return out;
}

// Light from the sky on a face that looks sideways, and how much more from above.
const SKY_MEAN = 0.31 * (EARTH * 0.55 + SKY_LOW);
const SKY_SLOPE = 0.31 * (SKY_LOW - EARTH * 0.55);

@fragment
fn fragment(in: Lit, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    if is_cut_away(in.position) {
        discard;
    }
    if SECTION == 2 && !front {
        // Where the eye looks into a solid that is cut open, the back of its surface is nearest.
        return vec4f(CAP, 1.0);
    }
    var n = normalize(in.normal);
    // Both sides of a sheet are lit.
    n = select(n, -n, !front && dot(n, in.position) > 0.0);
    let sun = frame.sun.xyz;
    var direct = max(dot(n, sun), 0.0);
    if direct > 0.0 {
        // Off the surface by a texel or so, or it would shade itself.
        direct *= 1.0 - shadow(in.position + n * 1.6 * frame.size.z);
    }
    let albedo = mix(in.color, in.tint.rgb, in.tint.a);
    var color = albedo * (SKY_MEAN + n.y * SKY_SLOPE + direct * SUN);
    if TAPS > 1 {
        let view = -normalize(in.position);
        let gloss = pow(max(dot(n, normalize(sun + view)), 0.0), 40.0) * direct;
        let rim = pow(1.0 - max(dot(n, view), 0.0), 4.0);
        color += 0.06 * gloss + 0.05 * rim * SKY_LOW;
    }
    // Bright faces keep their shading instead of turning white.
    return vec4f(to_screen(1.15 * color / (1.0 + 0.35 * color)), 1.0);
}

// Depth as the sun sees it.

struct Light {
    // Relative to the middle of the shadow → the light's clip space.
    light: mat4x4f,
    // The section plane, as in the frame, relative to the middle of the shadow.
    section: vec4f,
}

struct Shaded {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
}

@group(0) @binding(0) var<uniform> light: Light;

@vertex
fn vertex(
    @location(0) position: vec3f,
    @location(3) row_x: vec4f,
    @location(4) row_y: vec4f,
    @location(5) row_z: vec4f,
) -> Shaded {
    let p = vec4f(position, 1.0);
    var out: Shaded;
    out.position = vec3f(dot(row_x, p), dot(row_y, p), dot(row_z, p));
    out.clip = light.light * vec4f(out.position, 1.0);
    return out;
}

// Only where there is a section: the half that is not shown casts no shadow.
@fragment
fn fragment(in: Shaded) {
    if dot(light.section.xyz, in.position) > light.section.w {
        discard;
    }
}

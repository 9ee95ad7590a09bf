// Depth as the sun sees it.

struct Light {
    // Relative to the middle of the shadow → the light's clip space.
    light: mat4x4f,
}

@group(0) @binding(0) var<uniform> light: Light;

@vertex
fn vertex(
    @location(0) position: vec3f,
    @location(3) row_x: vec4f,
    @location(4) row_y: vec4f,
    @location(5) row_z: vec4f,
) -> @builtin(position) vec4f {
    let p = vec4f(position, 1.0);
    return light.light * vec4f(dot(row_x, p), dot(row_y, p), dot(row_z, p), 1.0);
}

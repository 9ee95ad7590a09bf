// A line around a mask: full where what it belongs to is in sight, thinner and fainter where something hides it.

@group(1) @binding(0) var mask: texture_2d<f32>;
@group(1) @binding(1) var mask_sampler: sampler;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

// Red: whether it is there at all; green: whether it is in sight.
fn masked(at: vec2f, texel: vec2f) -> vec2f {
    return textureSampleLevel(mask, mask_sampler, at * texel, 0.0).rg;
}

const DIAGONAL = 0.70710678;

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let texel = 1.0 / vec2f(textureDimensions(mask));
    let own = masked(at.xy, texel).r;
    if own > 0.99 {
        return vec4f(0.0);
    }
    let width = frame.size.w;
    var inner = vec2f(0.0);
    var outer = vec2f(0.0);
    for (var i = 0; i < 4; i++) {
        let along = select(vec2f(0.0, 1.0), vec2f(1.0, 0.0), (i & 1) == 0) * select(-1.0, 1.0, i < 2);
        let across = DIAGONAL * vec2f(along.x - along.y, along.x + along.y);
        inner = max(inner, masked(at.xy + 0.5 * width * along, texel));
        outer = max(outer, max(masked(at.xy + width * along, texel), masked(at.xy + width * across, texel)));
    }
    let cover = max(max(outer.g, inner.g), 0.6 * inner.r);
    return vec4f(OUTLINE, cover * (1.0 - own));
}

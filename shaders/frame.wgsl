// What all shaders share: one uniform block, the light, and the way from linear light to the screen.
// Positions are relative to the eye unless a name says otherwise, m. Depth is reversed: 1 is near.

struct Frame {
    view_projection: mat4x4f,
    // Relative to the eye → the light's clip space.
    light: mat4x4f,
    // Towards the sun, unit; w: the shadow's share of light (0 without shadows).
    sun: vec4f,
    // Camera's right and up over the whole picture, and forward, world.
    right: vec4f,
    up: vec4f,
    forward: vec4f,
    // Width and height of the picture, px; size of a shadow texel, m; width of an outline, px.
    size: vec4f,
    // The ground: how far below the eye (less a thousandth), spacing of its lines, how far it is drawn, m; whether it takes shadows.
    ground: vec4f,
    // The eye in the ground's pattern: x, z modulo ten spacings.
    phase: vec4f,
    // The section plane: its normal, and how far along it the plane lies from the eye, m. What is farther is not drawn.
    section: vec4f,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

const SKY_HIGH = vec3f(0.40, 0.47, 0.56);
const SKY_LOW = vec3f(0.80, 0.83, 0.86);
const EARTH = vec3f(0.36, 0.37, 0.385);
const SUN = vec3f(0.78, 0.75, 0.70);

fn background(direction: vec3f) -> vec3f {
    let height = direction.y;
    let sky = mix(SKY_LOW, SKY_HIGH, smoothstep(0.0, 0.7, height));
    return mix(sky, mix(SKY_LOW, EARTH, smoothstep(0.0, 0.35, -height)), step(height, 0.0));
}

// Linear light → sRGB numbers, within a thousandth (Chilliant's fit), from roots that processors have
// instructions for.
fn to_screen(color: vec3f) -> vec3f {
    let a = sqrt(clamp(color, vec3f(0.0), vec3f(1.0)));
    let b = sqrt(a);
    let c = sqrt(b);
    return clamp(0.585122381 * a + 0.783140355 * b - 0.368262736 * c, vec3f(0.0), vec3f(1.0));
}

// sRGB numbers → linear light, the same.
fn from_srgb(c: vec3f) -> vec3f {
    return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}

// The flat colour of cuts, sRGB.
const CAP = vec3f(0.95, 0.58, 0.24);

// Whether there is a section: 0 none, 1 of a sheet, 2 of a solid, whose back faces are the cut.
override SECTION: i32 = 0;

fn is_cut_away(position: vec3f) -> bool {
    return SECTION != 0 && dot(frame.section.xyz, position) > frame.section.w;
}

// Looks into the shadow map, each of four texels: four for a soft edge, one where the processor draws.
override TAPS: i32 = 4;

// Share of the sun's light that is kept away, 0 to 1.
fn shadow(position: vec3f) -> f32 {
    let p = frame.light * vec4f(position, 1.0);
    let uv = vec2f(0.5 + 0.5 * p.x, 0.5 - 0.5 * p.y);
    let inside = all(uv > vec2f(0.0)) && all(uv < vec2f(1.0)) && p.z > 0.0;
    let texel = 0.75 / f32(textureDimensions(shadow_map).x);
    var light = 0.0;
    if TAPS == 1 {
        light = textureSampleCompareLevel(shadow_map, shadow_sampler, uv, p.z);
    } else {
        for (var i = 0; i < 4; i++) {
            let at = uv + texel * vec2f(f32(i & 1) * 2.0 - 1.0, f32(i >> 1) * 2.0 - 1.0);
            light += 0.25 * textureSampleCompareLevel(shadow_map, shadow_sampler, at, p.z);
        }
    }
    return frame.sun.w * select(0.0, 1.0 - light, inside);
}

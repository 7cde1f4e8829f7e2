"""The layer that draws the scene's quads: one instanced call with a lamp above the boards."""

from __future__ import annotations

import struct
from collections.abc import Callable
from math import tan
from typing import TYPE_CHECKING, Final

import pyglet.gl as gl
from arcade.gl import BufferDescription

from cloakboard.client.boards import trid_atlas as atlas
from cloakboard.client.boards.trid_look import Worn, worn
from cloakboard.client.boards.trid_space import FIELD, Camera
from cloakboard.client.canvas import Box, Layer

if TYPE_CHECKING:
    from arcade import ArcadeContext
    from arcade.gl import Texture2D

SIZE: Final = 68  # bytes of a quad
SCENE_Z: Final = -90  # above the room, below the widgets

# `lies`: 0 in the world; 1 facing the camera; 2 facing it, its lower edge at the centre; 3 along
# u, as wide as v says, turned to the camera (a rod has u for its width and v for its length).
_VERTEX: Final = """
#version 330
uniform vec3 eye;
uniform vec3 right;
uniform vec3 up;
uniform vec3 gaze;
uniform vec2 lens;
in vec2 in_corner;
in vec3 in_centre;
in vec3 in_u;
in vec3 in_v;
in vec4 in_patch;
in vec3 in_form;
in vec4 in_paint;
out vec2 at;
out vec2 picture;
out vec3 world;
flat out vec3 form;
flat out vec4 paint;
void main() {
    vec3 u = in_u, v = in_v, centre = in_centre;
    vec2 corner = in_corner;
    if (in_form.y == 1.0) { u = right * in_u.x; v = up * in_v.y; }
    if (in_form.y == 2.0) {
        u = right * in_u.x;
        v = up * in_v.y;
        centre += v * 0.96 - gaze * 0.05;
    }
    if (in_form.y == 3.0) {
        vec3 along = length(in_v.xz) > length(in_v.y) ? in_v : in_u;
        float wide = along == in_v ? in_u.x : in_v.y;
        vec3 across = normalize(cross(along, centre - eye)) * wide;
        if (along == in_v) { u = across; v = along; } else { u = along; v = across; }
    }
    world = centre + corner.x * u + corner.y * v;
    at = corner;
    picture = mix(in_patch.xw, in_patch.zy, corner * 0.5 + 0.5);
    form = in_form;
    paint = in_paint;
    vec3 away = world - eye;
    float depth = dot(away, gaze);
    gl_Position = vec4(dot(away, right) * lens.x, dot(away, up) * lens.y, 0.0, depth);
}
"""
_FRAGMENT: Final = """
#version 330
uniform sampler2D sheet;
uniform vec3 eye;
uniform vec3 lamp;
in vec2 at;
in vec2 picture;
in vec3 world;
flat in vec3 form;
flat in vec4 paint;
out vec4 colour;

float inside(float away) {
    return clamp(0.5 - away / max(fwidth(away), 1e-6), 0.0, 1.0);
}

void main() {
    float shape = form.x, size = form.z;
    float square = max(abs(at.x), abs(at.y)) - 1.0;
    float round_ = length(at) - 1.0;
    vec3 ink = paint.rgb;
    float cover = paint.a;
    vec3 from = lamp - world;
    float near = 1.0 / (1.0 + dot(from, from) * 0.0026);
    float light = 0.6 + 0.95 * near * clamp(normalize(from).z, 0.0, 1.0);
    if (shape == 0.0) {
        cover *= inside(square);
        vec3 glance = reflect(-normalize(from), vec3(0.0, 0.0, 1.0));
        float gloss = pow(max(dot(glance, normalize(eye - world)), 0.0), 24.0);
        ink = ink * light + gloss * 0.32;
        cover = mix(cover, min(1.0, cover + 0.15), gloss);
    } else if (shape == 1.0) {
        cover *= inside(round_);
        ink *= light;
    } else if (shape == 2.0) {
        cover *= inside(round_) * (1.0 - inside(round_ + size));
    } else if (shape == 3.0) {
        vec4 texel = texture(sheet, picture);
        ink *= texel.rgb * (0.42 + 0.58 * light);
        cover *= texel.a;
    } else if (shape == 4.0) {
        float bulge = sqrt(max(0.0, 1.0 - at.x * at.x));
        cover *= inside(abs(at.x) - 1.0);
        ink *= 0.35 + 0.75 * bulge * light + 0.35 * pow(max(0.0, 1.0 - abs(at.x + 0.45)), 6.0);
    } else if (shape == 5.0) {
        cover *= smoothstep(1.0, 0.15, length(at));
    } else if (shape == 6.0) {
        cover *= inside(square) * (1.0 - inside(square + size));
    } else if (shape == 7.0) {
        cover *= inside(abs(at.y) - 1.0);
    } else if (shape == 8.0) {
        float bar = inside(square) * (1.0 - inside(square + size));
        cover *= bar * step(0.5, min(abs(at.x), abs(at.y)));
    } else {
        ink *= 0.55 + 0.4 * light;
    }
    colour = vec4(ink, cover);
}
"""


class Glass(Layer):
    """`arrange` gives the camera and the quads from the farthest to the nearest; it is asked
    again once the scene is stale. `box` is where the scene is seen, `wear` its colours."""

    def __init__(self, ctx: ArcadeContext, arrange: Callable[[], tuple[Camera, bytes]]) -> None:
        super().__init__(ctx, SCENE_Z)
        self.box = Box(0, 0, 1, 1)
        self.is_stale = True
        self._arrange = arrange
        self._camera = Camera()
        self._count = 0
        self._capacity = 512
        self.wear = worn()
        self._wear = self.wear
        self._sheet: Texture2D | None = None
        self._program = ctx.program(vertex_shader=_VERTEX, fragment_shader=_FRAGMENT)
        corners = ctx.buffer(data=struct.pack("<8f", -1, -1, 1, -1, -1, 1, 1, 1))
        self._buffer = ctx.buffer(reserve=self._capacity * SIZE)
        self._geometry = ctx.geometry(
            [
                BufferDescription(corners, "2f", ["in_corner"]),
                BufferDescription(
                    self._buffer,
                    "3f 3f 3f 4f 3f 4f1",
                    ["in_centre", "in_u", "in_v", "in_patch", "in_form", "in_paint"],
                    normalized=["in_paint"],
                    instanced=True,
                ),
            ],
            mode=ctx.TRIANGLE_STRIP,
        )

    def draw(self, ctx: ArcadeContext) -> None:
        """Draws the scene into its box."""
        if self.is_stale:
            self._upload()
        if not self._count:
            return
        if self._sheet is None or self._wear != self.wear:
            self._sheet, self._wear = _sheet(ctx, self.wear), self.wear
        window = ctx.viewport
        x, y, width, height = (round(length) for length in self.box)
        box = x, y, width, height
        ctx.viewport = box
        ctx.scissor = box
        ctx.enable(ctx.BLEND)
        ctx.blend_func = ctx.BLEND_DEFAULT
        camera = self._camera
        lens = 1 / tan(FIELD / 2)
        self._program["eye"] = camera.eye
        self._program["right"] = camera.right
        self._program["up"] = camera.up
        self._program["gaze"] = camera.gaze
        self._program["lens"] = lens * self.box.height / self.box.width, lens
        self._program["lamp"] = 1.0, 3.0, 15.0
        self._sheet.use(0)
        self._geometry.render(self._program, vertices=4, instances=self._count)
        ctx.scissor = None
        ctx.viewport = window

    def _upload(self) -> None:
        self._camera, data = self._arrange()
        self._count = len(data) // SIZE
        if self._count > self._capacity:
            while self._capacity < self._count:
                self._capacity *= 2
            self._buffer.orphan(self._capacity * SIZE)
        if data:
            self._buffer.write(data)
        self.is_stale = False


def _sheet(ctx: ArcadeContext, wear: Worn) -> Texture2D:
    picture = atlas.draw(wear)
    texture = ctx.texture(
        picture.size, components=4, data=picture.tobytes(),
        filter=(gl.GL_LINEAR_MIPMAP_LINEAR, gl.GL_LINEAR),
    )  # fmt: skip
    texture.build_mipmaps()
    return texture

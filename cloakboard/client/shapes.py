"""Rounded boxes, lines, rings and soft shadows in one draw call, sharp at every size."""

from __future__ import annotations

import struct
from bisect import insort
from dataclasses import dataclass, replace
from itertools import count
from math import atan2 as angle_of
from math import hypot
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from arcade.gl import BufferDescription

from cloakboard.client.theme import CLEAR, Colour

if TYPE_CHECKING:
    from arcade import ArcadeContext
    from arcade.gl import Program

_VERTEX: Final = """
#version 330
uniform WindowBlock { mat4 projection; mat4 view; } window;
in vec2 in_corner;
in vec4 in_box;
in vec4 in_form;
in vec4 in_top;
in vec4 in_bottom;
in vec4 in_edge;
out vec2 at;
flat out vec2 half_size;
flat out vec3 form;
flat out vec4 top;
flat out vec4 bottom;
flat out vec4 edge;
void main() {
    half_size = in_box.zw * 0.5;
    form = in_form.xyz;
    top = in_top;
    bottom = in_bottom;
    edge = in_edge;
    at = in_corner * (half_size + in_form.z + 1.0);
    float c = cos(in_form.w), s = sin(in_form.w);
    vec2 place = in_box.xy + half_size + mat2(c, s, -s, c) * at;
    gl_Position = window.projection * window.view * vec4(place, 0.0, 1.0);
}
"""
_FRAGMENT: Final = """
#version 330
in vec2 at;
flat in vec2 half_size;
flat in vec3 form;
flat in vec4 top;
flat in vec4 bottom;
flat in vec4 edge;
out vec4 colour;
void main() {
    float radius = min(form.x, min(half_size.x, half_size.y));
    vec2 corner = abs(at) - half_size + radius;
    float away = length(max(corner, 0.0)) + min(max(corner.x, corner.y), 0.0) - radius;
    float soft = max(form.z, 0.5);
    float cover = 1.0 - smoothstep(-soft, soft, away);
    float height = clamp(at.y / max(half_size.y, 0.001) * 0.5 + 0.5, 0.0, 1.0);
    vec4 fill = mix(bottom, top, height);
    float rim = form.y > 0.0 ? smoothstep(-0.5, 0.5, away + form.y) * edge.a : 0.0;
    float opacity = mix(fill.a, 1.0, rim);
    vec3 paint = opacity > 0.0 ? mix(fill.rgb, edge.rgb, rim / opacity) : fill.rgb;
    float noise = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453);
    colour = vec4(paint + (noise - 0.5) / 255.0, opacity * cover);
}
"""
_PACK: Final = struct.Struct("<8f12B")
_order = count()


@dataclass(frozen=True, slots=True)
class _Fields:
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    radius: float = 0.0
    border: float = 0.0
    blur: float = 0.0
    angle: float = 0.0
    fill: Colour = CLEAR
    fill_bottom: Colour | None = None
    edge: Colour = CLEAR


class Shape:
    """One box of a `ShapeBatch`; change it with `set`, take it away with `remove`."""

    __slots__ = ("_batch", "_data", "_fields", "_sort", "_visible")

    def __init__(self, batch: ShapeBatch, z: int) -> None:
        self._batch = batch
        self._sort = (z, next(_order))
        self._visible = True
        self._fields = _Fields()
        self._data = b""

    def __lt__(self, other: Shape) -> bool:
        return self._sort < other._sort

    @property
    def data(self) -> bytes:
        """The instance as the shader reads it; empty while invisible."""
        return self._data if self._visible else b""

    @property
    def visible(self) -> bool:
        """Whether it is drawn."""
        return self._visible

    @visible.setter
    def visible(self, visible: bool) -> None:
        if visible != self._visible:
            self._visible = visible
            self._batch.touch()

    def set(self, **changes: float | Colour | None) -> Shape:
        """Change fields of `ShapeBatch.box` and give the shape back."""
        fields = self._fields = replace(self._fields, **changes)  # type: ignore[arg-type]
        data = _PACK.pack(
            fields.x,
            fields.y,
            fields.width,
            fields.height,
            fields.radius,
            fields.border,
            fields.blur,
            fields.angle,
            *fields.fill,
            *(fields.fill_bottom or fields.fill),
            *fields.edge,
        )
        if data != self._data:
            self._data = data
            self._batch.touch()
        return self

    def remove(self) -> None:
        """Take the shape out of its batch for good."""
        self._batch.discard(self)


class ShapeBatch:
    """Shapes drawn together, by z and then by age; the GPU's copy changes only when they do."""

    def __init__(self, ctx: ArcadeContext) -> None:
        self._ctx = ctx
        self._shapes: list[Shape] = []
        self._is_stale = True
        self._count = 0
        self._capacity = 64
        self._program = _program(ctx)
        corners = ctx.buffer(data=struct.pack("<8f", -1, -1, 1, -1, -1, 1, 1, 1))
        self._buffer = ctx.buffer(reserve=self._capacity * _PACK.size)
        self._geometry = ctx.geometry(
            [
                BufferDescription(corners, "2f", ["in_corner"]),
                BufferDescription(
                    self._buffer,
                    "4f 4f 4f1 4f1 4f1",
                    ["in_box", "in_form", "in_top", "in_bottom", "in_edge"],
                    normalized=["in_top", "in_bottom", "in_edge"],
                    instanced=True,
                ),
            ],
            mode=ctx.TRIANGLE_STRIP,
        )

    def __len__(self) -> int:
        return len(self._shapes)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: Colour = CLEAR,
        fill_bottom: Colour | None = None,
        radius: float = 0.0,
        border: float = 0.0,
        edge: Colour = CLEAR,
        blur: float = 0.0,
        angle: float = 0.0,
        z: int = 0,
    ) -> Shape:
        """A rounded box with its lower left corner at (x, y); lengths in real pixels.

        `fill` shades into `fill_bottom`; a border lies inside the box; `blur` softens the
        outline by that many pixels to both sides; `angle` turns it about its middle, radians.
        """
        shape = Shape(self, z)
        insort(self._shapes, shape)
        return shape.set(
            x=x,
            y=y,
            width=width,
            height=height,
            fill=fill,
            fill_bottom=fill_bottom,
            radius=radius,
            border=border,
            edge=edge,
            blur=blur,
            angle=angle,
        )

    def line(
        self, start: tuple[float, float], end: tuple[float, float], width: float, fill: Colour
    ) -> Shape:
        """A straight line with round ends."""
        return self.box(0, 0, 0, 0).set(**line_fields(start, end, width), fill=fill)

    def discard(self, shape: Shape) -> None:
        """Take a shape out; one that is already out stays out."""
        if shape in self._shapes:
            self._shapes.remove(shape)
            self.touch()

    def clear(self) -> None:
        """Take all shapes out."""
        self._shapes.clear()
        self.touch()

    def touch(self) -> None:
        """Note that the GPU's copy is out of date."""
        self._is_stale = True

    def draw(self) -> None:
        """Draw the shapes with the window's current projection and view."""
        if self._is_stale:
            self._upload()
        if self._count:
            self._ctx.enable(self._ctx.BLEND)
            self._ctx.blend_func = self._ctx.BLEND_DEFAULT
            self._geometry.render(self._program, vertices=4, instances=self._count)

    def _upload(self) -> None:
        data = b"".join(shape.data for shape in self._shapes)
        self._count = len(data) // _PACK.size
        if self._count > self._capacity:
            while self._capacity < self._count:
                self._capacity *= 2
            self._buffer.orphan(self._capacity * _PACK.size)
        if data:
            self._buffer.write(data)
        self._is_stale = False


def line_fields(
    start: tuple[float, float], end: tuple[float, float], width: float
) -> dict[str, float]:
    """The fields of `Shape.set` that make a box a line from `start` to `end`."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) + width
    return {
        "x": (start[0] + end[0] - length) / 2,
        "y": (start[1] + end[1] - width) / 2,
        "width": length,
        "height": width,
        "radius": width / 2,
        "angle": angle_of(dy, dx),
    }


_programs: WeakKeyDictionary[ArcadeContext, Program] = WeakKeyDictionary()


def _program(ctx: ArcadeContext) -> Program:
    if ctx not in _programs:
        _programs[ctx] = ctx.program(vertex_shader=_VERTEX, fragment_shader=_FRAGMENT)
    return _programs[ctx]

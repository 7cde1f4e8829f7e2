"""Layers drawn one above the other, each with shapes below pictures below text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import arcade
from pyglet.graphics import Batch
from pyglet.math import Mat4, Vec3

from cloakboard.client.shapes import ShapeBatch

if TYPE_CHECKING:
    from arcade import ArcadeContext


class Box(NamedTuple):
    """A rectangle in real pixels; (x, y) is its lower left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x just right of it."""
        return self.x + self.width

    @property
    def top(self) -> float:
        """The y just above it."""
        return self.y + self.height

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def contains(self, x: float, y: float) -> bool:
        """Whether a point lies in it; the upper and right edges do not."""
        return self.x <= x < self.right and self.y <= y < self.top

    def inset(self, horizontal: float, vertical: float | None = None) -> Box:
        """It without a margin on each side."""
        vertical = horizontal if vertical is None else vertical
        return Box(
            self.x + horizontal,
            self.y + vertical,
            max(0, self.width - 2 * horizontal),
            max(0, self.height - 2 * vertical),
        )

    def cut_left(self, width: float, gap: float = 0) -> tuple[Box, Box]:
        """Its left part of that width, and the rest beyond a gap."""
        rest = width + gap
        return (
            Box(self.x, self.y, width, self.height),
            Box(self.x + rest, self.y, max(0, self.width - rest), self.height),
        )

    def cut_right(self, width: float, gap: float = 0) -> tuple[Box, Box]:
        """Its right part of that width, and the rest before a gap."""
        return (
            Box(self.right - width, self.y, width, self.height),
            Box(self.x, self.y, max(0, self.width - width - gap), self.height),
        )

    def cut_top(self, height: float, gap: float = 0) -> tuple[Box, Box]:
        """Its upper part of that height, and the rest below a gap."""
        return (
            Box(self.x, self.top - height, self.width, height),
            Box(self.x, self.y, self.width, max(0, self.height - height - gap)),
        )

    def cut_bottom(self, height: float, gap: float = 0) -> tuple[Box, Box]:
        """Its lower part of that height, and the rest above a gap."""
        rest = height + gap
        return (
            Box(self.x, self.y, self.width, height),
            Box(self.x, self.y + rest, self.width, max(0, self.height - rest)),
        )

    def columns(self, count: int, gap: float = 0) -> list[Box]:
        """`count` equal boxes side by side, from left to right."""
        width = (self.width - gap * (count - 1)) / count
        return [
            Box(round(self.x + i * (width + gap)), self.y, round(width), self.height)
            for i in range(count)
        ]

    def rows(self, count: int, gap: float = 0) -> list[Box]:
        """`count` equal boxes one below the other, from the top."""
        height = (self.height - gap * (count - 1)) / count
        return [
            Box(self.x, round(self.top - height - i * (height + gap)), self.width, round(height))
            for i in range(count)
        ]

    def middle(self, width: float, height: float) -> Box:
        """A box of that size centred in it, on whole pixels."""
        return Box(
            round(self.x + (self.width - width) / 2),
            round(self.y + (self.height - height) / 2),
            width,
            height,
        )


class Layer:
    """What is drawn together: `shapes`, then `sprites`, then the labels in `texts`.

    `offset` shifts all of it; `clip` hides what lies outside that box (both real pixels,
    the clip not shifted). For pictures above text use another layer.
    """

    def __init__(self, ctx: ArcadeContext, z: int) -> None:
        self.z = z
        self.shapes = ShapeBatch(ctx)
        self.sprites: arcade.SpriteList[arcade.Sprite] = arcade.SpriteList()
        self.texts = Batch()
        self.offset = (0.0, 0.0)
        self.clip: Box | None = None
        self.is_visible = True

    def draw(self, ctx: ArcadeContext) -> None:
        """Draw the layer into the window, whose view is not shifted before nor after."""
        if self.offset != (0, 0):
            ctx.view_matrix = Mat4.from_translation(Vec3(*self.offset, 0))
        if self.clip is not None:
            left, bottom = round(self.clip.x), round(self.clip.y)
            ctx.scissor = (
                left,
                bottom,
                max(0, round(self.clip.right) - left),
                max(0, round(self.clip.top) - bottom),
            )
        self.shapes.draw()
        self.sprites.draw()
        self.texts.draw()
        if self.clip is not None:
            ctx.scissor = None
        if self.offset != (0, 0):
            ctx.view_matrix = Mat4()


class Canvas:
    """The layers of a screen, drawn from the lowest z to the highest."""

    def __init__(self, ctx: ArcadeContext) -> None:
        self._ctx = ctx
        self._layers: list[Layer] = []

    def layer(self, z: int = 0) -> Layer:
        """A new layer, above those with the same z."""
        layer = Layer(self._ctx, z)
        self.add(layer)
        return layer

    def add(self, layer: Layer) -> None:
        """Takes a layer of another kind in, such as a scene."""
        self._layers.append(layer)
        self._layers.sort(key=lambda each: each.z)

    def drop(self, layer: Layer) -> None:
        """Forget a layer and what is in it."""
        self._layers.remove(layer)

    def draw(self, width: int, height: int) -> None:
        """Draw all visible layers into a window of that many real pixels."""
        ctx = self._ctx
        ctx.projection_matrix = Mat4.orthogonal_projection(0, width, 0, height, -100, 100)
        ctx.view_matrix = Mat4()
        for layer in self._layers:
            if layer.is_visible:
                layer.draw(ctx)

"""One WEC piece on the board: its token, shadow, badges, counts and rings, moved together."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import arcade

from cloakboard.client import textures, theme, tokens
from cloakboard.client.boards.wec_geometry import Frame, Spot
from cloakboard.client.marks import Mark
from cloakboard.client.theme import Tint
from cloakboard.client.tokens import Hand, PieceSet, Token
from cloakboard.client.words import cooling, stun_left
from cloakboard.engine.wec.state import AIR, GROUND, SUB, Piece, Projectile, State

if TYPE_CHECKING:
    from cloakboard.client.canvas import Layer

SIDES: Final = ("black", "white")
TINTS: Final = MappingProxyType({GROUND: Tint.GROUND, AIR: Tint.AIR, SUB: Tint.SUB})
HANDS: Final = MappingProxyType(
    {"": Hand.NONE, "l": Hand.LEFT, "r": Hand.RIGHT, "left": Hand.LEFT, "right": Hand.RIGHT}
)
SHOTS: Final = MappingProxyType({"R": "rocket", "S": "sam", "T": "torpedo"})
SHOT_RIMS: Final = MappingProxyType(
    {"R": theme.colour("#FF9A3D"), "S": theme.colour("#6FB4FF"), "T": theme.colour("#5FD08F")}
)
SHOT: Final = 0.42  # width of a projectile's disc as a share of a square
HEIGHT: Final = MappingProxyType({SUB: 0.0, GROUND: 0.25, AIR: 1.0})  # of the shadow
# Where the shadow falls, as shares of the token's width: further away from what is higher.
SHADOW_AT: Final = MappingProxyType({SUB: (0.02, -0.03), GROUND: (0.05, -0.07), AIR: (0.16, -0.30)})
UNSEEN_OPACITY: Final = 0.8  # of an own piece that the enemy does not see
BADGE: Final = 0.36  # width of a badge as a share of the token's
# Where badges sit, as shares of the token's width from its middle.
BADGES_AT: Final = ((0.40, -0.34), (-0.40, -0.34), (0.0, -0.46), (0.46, 0.0))


@dataclass(frozen=True, slots=True)
class Style:
    """How the player wants pieces drawn."""

    set: PieceSet = PieceSet.DETAILED
    has_patterns: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """All that decides what a figure shows; equal looks need no redrawing."""

    piece: Piece
    spot: Spot
    stun: int
    cooling: int
    ring: Mark | None


def token_of(piece: Piece, style: Style) -> Token:
    """The token that stands for a piece."""
    return tokens.wec_token(
        piece.kind,
        SIDES[piece.side],
        hand=HANDS[piece.hand],
        tint=TINTS[piece.level],
        set=style.set,
        has_patterns=style.has_patterns,
    )


def look_of(state: State, viewer: int, piece: Piece, spot: Spot) -> Look:
    """What a figure shows of a piece to the viewer: a dashed ring around an own piece that the
    enemy does not see, a red one around an enemy piece that only the viewer sees (WEC-97)."""
    ring = None
    if not piece.handle:
        ring = Mark.VEILED if piece.side == viewer else Mark.SEEN
    return Look(piece, spot, stun_left(state, piece), cooling(state, piece), ring)


class Figure:
    """The sprites of one piece in a layer. `x`, `y` are its middle in pixels."""

    def __init__(self, layer: Layer, look: Look, style: Style) -> None:
        self.look = look
        self._layer = layer
        self.x, self.y = look.spot.x, look.spot.y
        self._parts: list[tuple[arcade.Sprite, float, float]] = []
        token = token_of(look.piece, style)
        width = max(8, round(look.spot.width))
        level = look.piece.level
        if level != SUB:
            dx, dy = SHADOW_AT[level]
            shadow = textures.shadow(token.form, width, HEIGHT[level])
            self._add(shadow, dx * width, dy * width)
        self._add(textures.token(token, width), 0, 0)
        if look.ring is not None:
            self._add(textures.mark(look.ring, round(width * 1.12)), 0, width * 0.02)
        badge = max(12, round(width * BADGE))
        for gear, (bx, by) in zip(look.piece.gear, BADGES_AT, strict=False):
            self._add(textures.badge(gear.kind, badge), bx * width, by * width)
        height = max(12, round(width * 0.28))
        top = width * 0.42
        if look.stun:
            self._add(textures.stun_counter(look.stun, height), -width * 0.3, top)
        if look.cooling:
            self._add(textures.rate_counter(look.cooling, height), width * 0.3, top)
        self._opacity = UNSEEN_OPACITY if look.ring is Mark.VEILED else 1.0
        self.fade(1.0)
        self.move(self.x, self.y)

    def _add(self, texture: arcade.Texture, dx: float, dy: float) -> None:
        sprite = arcade.Sprite(texture)
        self._layer.sprites.append(sprite)
        self._parts.append((sprite, dx, dy))

    def move(self, x: float, y: float, lift: float = 0.0) -> None:
        """Puts the figure's middle at (x, y); `lift` raises all but its shadow by pixels."""
        self.x, self.y = x, y
        has_shadow = self.look.piece.level != SUB
        for index, (sprite, dx, dy) in enumerate(self._parts):
            is_shadow = has_shadow and index == 0
            textures.place(sprite, x + dx, y + dy + (0 if is_shadow else lift))

    def fade(self, share: float) -> None:
        """Shows it only to a `share`, 0..1."""
        alpha = round(255 * self._opacity * min(max(share, 0.0), 1.0))
        for sprite, _, _ in self._parts:
            sprite.alpha = alpha

    def remove(self) -> None:
        """Takes its sprites away."""
        for sprite, _, _ in self._parts:
            sprite.remove_from_sprite_lists()
        self._parts.clear()


class Shot:
    """A projectile: its picture on a disc in its side's colour, with its level's rim."""

    def __init__(self, layer: Layer, projectile: Projectile, frame: Frame) -> None:
        side = theme.side_colours(SIDES[projectile.side], Tint.GROUND)
        self._width = frame.unit * SHOT
        self._disc = layer.shapes.box(
            0,
            0,
            self._width,
            self._width,
            radius=self._width / 2,
            border=max(1.5, self._width * 0.07),
            fill=side.base.mixed(theme.ROOM_DARK, 0.25).faded(0.85),
            edge=SHOT_RIMS[projectile.kind],
        )
        picture = textures.shot(SHOTS[projectile.kind], round(self._width * 0.86))
        self._sprite = arcade.Sprite(picture)
        self._sprite.angle = shot_angle(projectile, frame.near)
        layer.sprites.append(self._sprite)

    def move(self, x: float, y: float) -> None:
        """Puts its middle at (x, y)."""
        self._disc.set(x=x - self._width / 2, y=y - self._width / 2)
        textures.place(self._sprite, x, y)

    def fade(self, share: float) -> None:
        """Shows its picture only to a `share`, 0..1."""
        self._sprite.alpha = round(255 * min(max(share, 0.0), 1.0))

    def remove(self) -> None:
        """Takes it away."""
        self._disc.remove()
        self._sprite.remove_from_sprite_lists()


def shot_angle(projectile: Projectile, near: int) -> float:
    """Degrees clockwise from straight up that a projectile points to on the screen."""
    if projectile.heading < 0:
        return 0.0
    return projectile.heading * 45.0 + (0 if projectile.side == near else 180)

"""What is decided without a window: scale, texts, motion, pictures, tokens, sounds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from cloakboard import assets
from cloakboard.client import marks, motion, pictures, theme, tokens
from cloakboard.client.marks import Mark
from cloakboard.client.motion import Amount, Animator
from cloakboard.client.shapes import line_fields
from cloakboard.client.sound import NAMES, SoundBoard
from cloakboard.client.theme import Scale, Tint
from cloakboard.client.tokens import Hand, PieceSet, wec_token

ASSETS = Path(assets.__file__).parent
KINDS = "FP RP STP CP SOP XP SHP TA CL CH DO JE SU DS AAA K DI AV PR Q AS AC PM".split()
ARTICLES = "FL ST CS RL SL TL BI JP SC SH ASH AFL AST ACS ARL ASL ATL XXX".split()


@pytest.mark.parametrize(
    ("width", "height", "dpi", "user", "factor"),
    [
        pytest.param(1280, 720, 1.0, 1.0, 1.0, id="design size"),
        pytest.param(1024, 640, 1.0, 1.0, 1.0, id="smallest window does not shrink text"),
        pytest.param(1280, 720, 2.0, 1.0, 1.0, id="what would not fit is not enlarged"),
        pytest.param(2560, 1440, 1.0, 1.0, 1.75, id="three quarters of the growth"),
        pytest.param(2560, 1440, 2.0, 1.0, 2.0, id="the system's own scale if larger"),
        pytest.param(3840, 2160, 1.0, 1.0, 2.5, id="4K"),
        pytest.param(3840, 720, 1.0, 1.0, 1.0, id="the smaller direction counts"),
        pytest.param(1280, 720, 1.0, 1.5, 1.5, id="the player's scale multiplies"),
        pytest.param(1280, 720, 1.0, 9.0, 2.0, id="the player's scale ends at 2"),
        pytest.param(1280, 720, 1.0, 0.1, 0.75, id="and at three quarters"),
    ],
)
def test_scale(width: int, height: int, dpi: float, user: float, factor: float) -> None:
    assert Scale.fitting(width, height, dpi, user).factor == factor


def test_no_text_is_smaller_than_twelve_pixels() -> None:
    small = Scale(1.0, 0.75)
    styles = [style for style in vars(theme).values() if isinstance(style, theme.TextStyle)]
    assert len(styles) >= 8
    assert min(style.size for style in styles) == 12
    assert small.text_px(theme.TINY) == 12
    assert small.text_px(theme.TITLE) == 33


@pytest.mark.parametrize(
    ("language", "text", "missing"),
    [
        pytest.param("en", "Fire — ×2 “now” → (4, 7) …", "", id="English"),
        pytest.param("en", "미나 米娜 許", "", id="friends' names in an English window"),
        pytest.param("ko", "잠수함이 떠오릅니다. 뷁", "뷁", id="Korean, one rare syllable missing"),
        pytest.param("zh-Hans", "潜水艇发射鱼雷，直升机转向。", "", id="Simplified"),
        pytest.param("zh-Hant", "潛水艇發射魚雷，直升機轉向。", "", id="Traditional"),
    ],
)
def test_fonts_hold_the_characters(language: str, text: str, missing: str) -> None:
    before = theme.load_fonts(language)
    assert "".join(theme.missing_characters(text)) == missing
    assert theme.load_fonts(language) == before
    theme.load_fonts("en")


def test_bold_gives_way_where_it_lacks_a_character() -> None:
    theme.load_fonts("ko")
    assert theme.face("발사", bold=True) == "Cloakboard Sans KR Bold"
    assert theme.face("발사 坦克", bold=True) == "Cloakboard Sans KR"
    assert theme.face("繁體中文", bold=False) == "Cloakboard Sans SC"  # the Korean one lacks 體
    theme.load_fonts("en")


def test_assets_stay_small_and_licensed() -> None:
    fonts = list((ASSETS / "fonts").glob("*.ttf"))
    assert len(fonts) == 6
    assert all(font.stat().st_size < 4_000_000 for font in fonts)
    assert "SIL OPEN FONT LICENSE" in (ASSETS / "fonts" / "OFL.txt").read_text()
    others = [*(ASSETS / "pictures").iterdir(), *(ASSETS / "sounds").iterdir()]
    assert sum(path.stat().st_size for path in others) < 6_000_000


def test_every_picture_is_credited() -> None:
    table = json.loads((Path(__file__).parents[2] / "scripts" / "pictures.json").read_text())
    credits = (ASSETS / "CREDITS.md").read_text()
    assert tuple(table["pictures"]) == pictures.names()
    for name, row in table["pictures"].items():
        for icon in filter(None, (row["icon"], row.get("cut"))):
            lines = [line for line in credits.splitlines() if line.startswith(f"| {icon} |")]
            assert len(lines) == 1
            assert name in lines[0]
            assert table["artists"][icon] in lines[0]


@pytest.mark.parametrize("name", [f"piece.{k}" for k in KINDS] + [f"article.{k}" for k in ARTICLES])
def test_every_kind_has_its_own_picture(name: str) -> None:
    mask = pictures.mask(name, 40)
    assert mask.size == (40, 40)
    share = sum(mask.histogram()[128:]) / 1600
    assert 0.08 < share < 0.8, "neither a speck nor a blot"
    group = name.split(".")[0]
    kinds = KINDS if group == "piece" else ARTICLES
    for other in kinds:
        if f"{group}.{other}" != name:
            difference = ImageChops.difference(mask, pictures.mask(f"{group}.{other}", 40))
            assert sum(difference.histogram()[128:]) > 60, f"{name} looks like {other}"


def _brightness(picture: Image.Image) -> float:
    """Mean grey of a token's face between its rim and its figure, 0..255."""
    grey = picture.convert("L").crop((24, 7, 36, 9))
    return sum(grey.tobytes()) / (grey.width * grey.height)


@pytest.mark.parametrize("tint", list(Tint))
@pytest.mark.parametrize("set_", list(PieceSet))
def test_sides_differ_in_grey(tint: Tint, set_: PieceSet) -> None:
    white = tokens.draw_token(wec_token("SU", "white", tint=tint, set=set_), 60)
    black = tokens.draw_token(wec_token("SU", "black", tint=tint, set=set_), 60)
    assert _brightness(white) > _brightness(black) + 60


@pytest.mark.parametrize("code", ["TA", "CL", "CH"])
def test_hands_lean_apart(code: str) -> None:
    left, none, right = (
        tokens.draw_token(wec_token(code, "white", hand=hand), 60)
        for hand in (Hand.LEFT, Hand.NONE, Hand.RIGHT)
    )
    masks = [picture.getchannel("A") for picture in (left, none, right)]
    highest = [_highest_column(mask) for mask in masks]
    assert highest[0] > highest[1] > highest[2], "leaning left lifts the right corner"


def _highest_column(mask: Image.Image) -> float:
    """The middle of the topmost row that is not empty."""
    box = mask.point(lambda a: 255 * (a > 128)).getbbox()
    assert box is not None
    left, _, right, _ = mask.crop((0, box[1], 60, box[1] + 1)).getbbox() or (0, 0, 0, 0)
    return (left + right) / 2


def test_patterns_tell_levels_without_colour() -> None:
    greys = [
        tokens.draw_token(wec_token("JE", "white", tint=tint, has_patterns=True), 80).convert("L")
        for tint in Tint
    ]
    plain = [
        tokens.draw_token(wec_token("JE", "white", tint=tint), 80).convert("L") for tint in Tint
    ]
    changed = [
        sum(ImageChops.difference(a, b).histogram()[12:]) for a, b in zip(greys, plain, strict=True)
    ]
    assert changed[0] == 0
    assert min(changed[1:]) > 300
    assert sum(ImageChops.difference(greys[1], greys[2]).histogram()[12:]) > 300


def test_forms_tell_classes() -> None:
    corner = {
        code: tokens.draw_token(wec_token(code, "white"), 64).getchannel("A").getpixel((10, 9))
        for code in ("FP", "DO", "K")
    }
    assert corner["DO"] == 255
    assert corner["FP"] == corner["K"] == 0


@pytest.mark.parametrize("mark", list(Mark))
def test_marks_show_on_light_and_dark(mark: Mark) -> None:
    picture = marks.draw_mark(mark, 54)
    for square in (theme.WALNUT.light, theme.WALNUT.dark):
        ground = Image.new("RGBA", (54, 54), square)
        shown = Image.alpha_composite(ground, picture)
        assert sum(ImageChops.difference(ground.convert("L"), shown.convert("L")).histogram()[14:])


@pytest.mark.parametrize("kind", ["rocket", "sam", "torpedo"])
def test_shots_point_up(kind: str) -> None:
    mask = marks.draw_shot(kind, 90).getchannel("A").point(lambda a: 255 * (a > 128))
    left, top, right, bottom = mask.getbbox() or (0, 0, 0, 0)
    assert bottom - top > right - left


@pytest.mark.parametrize(
    ("amount", "essential", "length_ms"),
    [
        (Amount.ALL, False, 200),
        (Amount.SHORT, False, 110),
        (Amount.ESSENTIAL, True, 160),
        (Amount.ESSENTIAL, False, 0),
        (Amount.NONE, True, 0),
    ],
)
def test_amount_of_motion(amount: Amount, essential: bool, length_ms: int) -> None:
    animator = Animator(amount)
    seen: list[float] = []
    animator.add(200, seen.append, ease=motion.linear, is_essential=essential)
    if length_ms:
        animator.advance(length_ms - 1)
        assert animator.is_active
        assert 0.9 < seen[-1] < 1
        animator.advance(1)
    assert seen[-1] == 1
    assert not animator.is_active


def test_skipping_ends_what_the_ends_start() -> None:
    animator = Animator()
    seen: list[str] = []

    def go_on() -> None:
        animator.add(100, lambda share: None, on_done=lambda: seen.append("second"))

    animator.add(100, lambda share: None, delay_ms=50, on_done=go_on)
    animator.advance(60)
    assert seen == []
    assert animator.skip()
    assert seen == ["second"]
    assert not animator.skip()


@pytest.mark.parametrize(
    "ease", [motion.linear, motion.ease_in, motion.ease_out, motion.ease_in_out]
)
def test_eases_start_at_zero_and_end_at_one(ease: motion.Ease) -> None:
    assert ease(0.0) == pytest.approx(0)
    assert ease(1.0) == pytest.approx(1)


def test_a_pulse_comes_back() -> None:
    assert [motion.there_and_back(x) for x in (0, 0.5, 1)] == [0, 1, 0]


def test_sounds_never_fail_but_for_a_wrong_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"move", "capture", "flame", "stun", "convert", "launch", "hit", "turn"} <= set(NAMES)
    board = SoundBoard(volume=1.0)

    def no_device(*args: object, **kwargs: object) -> None:
        raise OSError("no audio device")

    monkeypatch.setattr("pyglet.media.load", no_device)
    board.play("move")
    with pytest.raises(KeyError):
        board.play("moo")


def test_a_line_is_a_box_with_round_ends() -> None:
    fields = line_fields((0, 0), (10, 0), 2)
    assert (fields["x"], fields["y"], fields["width"], fields["height"]) == (-1, -1, 12, 2)
    assert fields["angle"] == 0

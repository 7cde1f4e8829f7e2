"""Widgets by mouse and keyboard, in a real window on a virtual screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyglet.window import key, mouse

from cloakboard.client.canvas import Box
from cloakboard.client.theme import Scale, TextStyle
from cloakboard.client.views.table_overlays import Chooser
from cloakboard.client.widgets import (
    Button,
    Choice,
    Dialog,
    Label,
    Look,
    TextField,
    confirm,
    fields,
)
from cloakboard.client.window import SMALLEST, CloakWindow
from cloakboard.netplay.lockstep.talk import PHRASES
from tests.client.conftest import resized
from tests.client.samples import Sampler, click, colours_in, shown, typed


def test_buttons_by_mouse_and_keyboard(window: CloakWindow, form: Sampler) -> None:
    click(window, form.first.box)
    assert form.pressed == ["first"]
    window.on_key_press(key.TAB, 0)
    assert form.stage.focus is form.second
    window.on_key_press(key.SPACE, 0)
    window.on_key_press(key.TAB, key.MOD_SHIFT)
    window.on_key_press(key.ENTER, 0)
    assert form.pressed == ["first", "second", "first"]
    form.second.enable(False)
    click(window, form.second.box)
    window.on_key_press(key.TAB, 0)
    assert form.field.is_focused
    assert form.pressed == ["first", "second", "first"]


def test_a_press_that_leaves_the_button_does_nothing(window: CloakWindow, form: Sampler) -> None:
    x, y = (int(part) for part in form.first.box.centre)
    window.on_mouse_press(x, y, mouse.LEFT, 0)
    window.on_mouse_drag(x, y - 300, 0, -300, mouse.LEFT, 0)
    window.on_mouse_release(x, y - 300, mouse.LEFT, 0)
    assert form.pressed == []


def test_focus_is_seen(window: CloakWindow, form: Sampler, tmp_path: Path) -> None:
    before = shown(window, tmp_path / "before.png")
    window.on_key_press(key.TAB, 0)
    after = shown(window, tmp_path / "after.png")
    assert form.stage.focus is form.first
    gap = (int(form.first.box.x) - 2, 720 - int(form.first.box.centre[1]))
    assert before.getpixel(gap) != after.getpixel(gap)
    red, green, blue = after.getpixel(gap)  # type: ignore[misc]
    assert red > 200 > green > 120 > blue


def test_typing_selecting_pasting(
    window: CloakWindow, form: Sampler, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = ["cloak1:\nabc"]
    monkeypatch.setattr(window, "read_clipboard", lambda: board[-1])
    monkeypatch.setattr(window, "write_clipboard", board.append)
    click(window, form.field.box)
    typed(window, "한글 ok")
    assert form.field.value == "한글 ok"
    window.on_text_motion(key.MOTION_BACKSPACE)
    window.on_text_motion(key.MOTION_BEGINNING_OF_LINE)
    window.on_text_motion_select(key.MOTION_RIGHT)
    window.on_key_press(key.X, key.MOD_CTRL)
    assert (form.field.value, board[-1]) == ("글 o", "한")
    window.on_key_press(key.A, key.MOD_CTRL)
    board.append("cloak1:\nabc")
    window.on_key_press(key.V, key.MOD_CTRL)
    assert form.field.value == "cloak1: abc"
    typed(window, "0123456789")
    assert form.field.value == "cloak1: abc012345678", "no longer than its limit"
    window.on_key_press(key.ENTER, 0)
    assert form.pressed == ["cloak1: abc012345678"]
    window.on_text_motion(key.MOTION_PREVIOUS_WORD)
    typed(window, "")
    window.on_text_motion_select(key.MOTION_END_OF_LINE)
    assert form.field.selection == "abc012345678"


def test_letters_typed_into_a_field_are_no_commands(window: CloakWindow, form: Sampler) -> None:
    click(window, form.field.box)
    window.on_key_press(key.M, 0)
    window.on_key_press(key.F2, 0)
    assert form.heard == [key.F2]


def test_a_long_text_keeps_its_caret_in_view(window: CloakWindow, form: Sampler) -> None:
    field = TextField(form.stage, limit=400)
    field.place(Box(10, 10, 200, 40))
    click(window, field.box)
    typed(window, "W" * 120)
    assert field._first > 90
    window.on_text_motion(key.MOTION_BEGINNING_OF_LINE)
    assert field._first == 0


def test_of_a_long_text_only_what_is_seen_is_measured(
    form: Sampler, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[str] = []

    def text_width(text: str, style: TextStyle, scale: Scale) -> int:
        measured.append(text)
        return len(text) * 10

    monkeypatch.setattr(fields, "text_width", text_width)
    field = TextField(form.stage, limit=5000)
    field.place(Box(10, 10, 226, 40))  # twenty letters, and the room around them
    field.set_value("W" * 4096)
    assert field._first == 4096 - 20
    assert sum(map(len, measured)) < 500


def test_lists_by_keyboard_wheel_and_mouse(window: CloakWindow, form: Sampler) -> None:
    form.stage.set_focus(form.rows)
    for symbol in (key.DOWN, key.DOWN, key.END, key.UP, key.ENTER):
        window.on_key_press(symbol, 0)
    assert form.pressed == ["row 0", "row 1", "row 99", "row 98", "open 98"]
    window.on_key_press(key.HOME, 0)
    form.pressed.clear()
    x, y = int(form.rows.box.x + 30), int(form.rows.box.top - form.px(4 + 20))
    window.on_mouse_scroll(x, y, 0, -1)
    click(window, Box(x, y, 1, 1))
    assert form.pressed == ["row 1"], "one step of the wheel passes one row"
    assert len(form.rows._parts) < 20, "only the rows in view exist"


def test_scrolled_content_can_be_pressed_where_it_shows(window: CloakWindow, form: Sampler) -> None:
    click(window, form.deep.box)
    assert form.pressed == []
    form.area.scroll_to_end()
    click(window, Box(form.deep.box.x, form.deep.box.y + form.area.offset, 40, 40))
    assert form.pressed == ["deep"]
    form.area.scroll_to(0)
    form.area.reveal(form.deep.box)
    assert form.area.offset == 400


def test_a_dialog_takes_all_and_escape_is_harmless(window: CloakWindow, form: Sampler) -> None:
    form.stage.set_focus(form.first)
    done: list[str] = []

    def ask() -> None:
        confirm(form.stage, "Resign?", "White wins at once.", "Resign", lambda: done.append("yes"))

    ask()
    click(window, form.first.box)
    window.on_key_press(key.M, 0)
    window.on_key_press(key.ESCAPE, 0)
    assert (done, form.pressed, form.stage.has_modal) == ([], [], False)
    assert form.stage.focus is form.first
    ask()
    window.on_key_press(key.ENTER, 0)
    assert done == [], "the harmless answer has the focus"
    ask()
    window.on_key_press(key.TAB, 0)
    window.on_key_press(key.ENTER, 0)
    assert done == ["yes"]


def test_a_dialog_stays_in_the_middle_of_a_window_that_changes(
    window: CloakWindow, form: Sampler
) -> None:
    dialog = Dialog(form.stage, "Resign?", "White wins at once.", [Choice("Yes"), Choice("No")])
    resized(window, 1920, 1080)
    assert dialog._dim.box == window.box
    assert dialog._panel.box.inset(1).centre == pytest.approx(window.box.centre, abs=1)


def test_a_long_question_of_a_dialog_is_whole(form: Sampler) -> None:
    """A player's name may take the first line: what is asked is seen all the same."""
    title = f"{'Wilhelmina Featherstonehaugh-Wyndham-XYZ'} asks to take the last action back"
    dialog = Dialog(form.stage, title, "It is taken back.", [Choice("Agree"), Choice("Decline")])
    shown = dialog._title._text._label
    assert shown is not None and shown.text.replace("\n", " ") == title
    assert dialog._title.box.y >= dialog._message.box.top
    assert dialog._title.box.top < dialog._panel.box.top


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_chooser_is_whole_in_the_smallest_window(
    window: CloakWindow, form: Sampler, scale: float
) -> None:
    chooser = Chooser(
        form.stage, "Say", list(PHRASES.values()), (1200, 500), lambda at: None, lambda: None
    )
    window.set_user_scale(scale)
    resized(window, *SMALLEST)
    card = chooser._panel.box
    assert all(card.contains(*button.box.centre) for button in chooser._buttons)
    assert card.x >= 0 and card.y >= 0
    assert card.right <= window.width and card.top <= window.height


@pytest.mark.parametrize(
    ("looks", "unasked", "entered"),
    [
        ((Look.PRIMARY, Look.DANGER, Look.NORMAL), False, 0),
        ((Look.DANGER, Look.PRIMARY, Look.NORMAL), False, 1),
        ((Look.DANGER, Look.NORMAL), False, 1),
        ((Look.PRIMARY, Look.DANGER, Look.NORMAL), True, 2),
    ],
)
def test_enter_presses_the_gold_answer_of_what_was_asked_for(
    window: CloakWindow,
    form: Sampler,
    tmp_path: Path,
    looks: tuple[Look, ...],
    unasked: bool,
    entered: int,
) -> None:
    done: list[int] = []
    choices = [
        Choice(f"Answer {n}", lambda n=n: done.append(n), look)  # type: ignore[misc]  # bound now
        for n, look in enumerate(looks)
    ]
    click(window, form.first.box)
    dialog = Dialog(form.stage, "Leave?", "It is saved.", choices, unasked=unasked)
    box = dialog._buttons[entered].box
    picture = shown(window, tmp_path / "focus.png")
    edge = picture.getpixel((int(box.x) - 2, 720 - int(box.centre[1])))
    assert edge[0] > 200 > edge[1] > 120 > edge[2]  # type: ignore[index]
    window.on_key_press(key.ENTER, 0)
    Dialog(form.stage, "Leave?", "It is saved.", choices, unasked=unasked)
    window.on_key_press(key.ESCAPE, 0)
    assert done == [entered, len(looks) - 1]
    assert not form.stage.shows_focus


def test_a_toast_leaves_by_itself(window: CloakWindow, form: Sampler) -> None:
    before = len(form.stage._widgets)
    form.toasts.tell("Saved as match 3")
    assert len(form.stage._widgets) == before + 1
    for _ in range(45):
        window.on_update(0.1)
    assert len(form.stage._widgets) == before


def test_hints_wait_and_go(window: CloakWindow, form: Sampler, tmp_path: Path) -> None:
    form.first.hint = "Fires a weapon"
    x, y = (int(part) for part in form.first.box.centre)
    window.on_mouse_motion(x, y, 0, 0)
    window.on_update(0.1)
    assert not form.stage._hint.is_visible
    for _ in range(4):
        window.on_update(0.1)
    assert form.stage._hint.is_visible
    window.on_mouse_motion(2, 2, 0, 0)
    assert not form.stage._hint.is_visible


def test_hidden_widgets_take_no_mouse(window: CloakWindow, form: Sampler, tmp_path: Path) -> None:
    box = form.first.box
    before = colours_in(shown(window, tmp_path / "a.png"), box)
    form.first.show(False)
    assert colours_in(shown(window, tmp_path / "b.png"), box) < before / 2
    click(window, box)
    assert form.pressed == []
    form.first.show()
    click(window, box)
    assert form.pressed == ["first"]
    assert colours_in(shown(window, tmp_path / "c.png"), box) > before / 2


def test_disposed_widgets_leave_nothing_behind(
    window: CloakWindow, form: Sampler, tmp_path: Path
) -> None:
    before = shown(window, tmp_path / "a.png")
    extra = [Button(form.stage, "More", lambda: None, icon="ui.save"), Label(form.stage, "Text")]
    for widget in extra:
        widget.place(form.first.box)
    assert shown(window, tmp_path / "b.png").tobytes() != before.tobytes()
    for widget in extra:
        widget.dispose()
    assert shown(window, tmp_path / "c.png").tobytes() == before.tobytes()


def test_a_text_set_before_the_field_has_its_place_is_shown(form: Sampler) -> None:
    field = TextField(form.stage, value="Computer")
    field.enable(False)
    field.refresh()
    field.place(Box(10, 10, 200, 40))
    assert field._text._said[0] == "Computer"

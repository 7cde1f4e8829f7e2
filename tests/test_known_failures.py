"""What went wrong for others, row by row, and the tests that say it does not here."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parent
LAST_ROW: Final = 40
WEATHER: Final = "weather/test_weather.py::test_all_machines_come_to_one_end_whatever_happens"
EDGE: Final = "weather/test_weather.py::test_real_links_and_timeouts_come_to_one_end_too"
FAILURES: Final = "netplay/test_failures.py::test_known_failures"
UNSEEN: Final = "client/test_unseen.py::test_worlds_with_equal_views_look_alike"

# By row of the list of known failures: the class of fault, and the tests against it.
ROWS: Final[dict[int, tuple[str, tuple[str, ...]]]] = {
    1: (
        "a replay stops at a record in another order than it expects",
        (
            f"{FAILURES}_1_a_file_that_ends_after_any_record_goes_on",
            "netplay/test_journal.py::test_a_record_moved_or_lost_ends_the_match_before_it",
            "cheats/test_mutations.py::test_veil_14_a_mutated_honest_transcript_convicts_nobody_honest",
        ),
    ),
    2: (
        "seats that are empty or a computer's make states differ",
        (f"{FAILURES}_2_any_seats_of_four_are_a_computers",),
    ),
    3: (
        "one side plays on alone after the states differ",
        (
            f"{FAILURES}_3_both_sides_are_told_of_a_difference_at_once",
            "cheats/test_forgeries.py::test_line",
        ),
    ),
    4: (
        "a second run in one process differs from the first",
        (
            "engine/test_laws.py::test_replay_twice_in_one_process_ends_in_equal_bytes",
            "netplay/test_match.py::test_a_machine_that_starts_from_its_journal_is_where_it_was",
        ),
    ),
    5: (
        "a rare difference that no second run shows",
        (
            "engine/test_laws.py::test_two_hash_seeds_and_this_process_give_the_same_bytes",
            "netplay/test_match.py::test_veil_14_two_hash_seeds_the_same_bytes",
            "weather/test_weather.py::test_a_seed_is_the_same_match_in_every_program",
        ),
    ),
    6: (
        "states have no canonical bytes to compare",
        ("golden/test_golden.py::test_random_game_comes_out_as_recorded",),
    ),
    7: (
        "a difference goes to a log and nowhere else",
        (
            f"{FAILURES}_3_both_sides_are_told_of_a_difference_at_once",
            "client/test_stopping.py::test_known_failures_7_states_that_differ_are_shown_at_once",
            "client/test_stopping.py::test_known_failures_7_the_other_player_is_shown_it_too",
        ),
    ),
    8: (
        "chat and pings reach the hashed record or the enemy",
        (
            "netplay/test_talk.py::test_known_failures_8_talk_leaves_no_trace_in_the_match",
            "client/test_company.py::test_known_failures_8_what_is_said_moves_nothing",
        ),
    ),
    9: (
        "a lost link and a resignation together end in two states",
        (
            "netplay/test_resume.py::test_known_failures_9_a_cut_at_any_frame_then_resigning",
            WEATHER,
        ),
    ),
    10: (
        "one bad save spoils the list",
        (
            f"{FAILURES}_10_one_bad_save_among_twenty",
            "netplay/test_journal.py::test_known_failures_10_a_file_that_is_no_save_is_named",
            "client/test_screens.py::test_a_damaged_save_is_named_and_harms_no_other",
        ),
    ),
    11: (
        "a power cut takes the only save",
        ("netplay/test_journal.py::test_known_failures_11_a_torn_tail_is_cut_and_kept", WEATHER),
    ),
    12: (
        "corrupt settings stop the program",
        ("netplay/test_settings.py::test_12_garbage_gives_the_defaults_and_is_kept_aside",),
    ),
    13: (
        "settings are kept at a clean exit only",
        (
            f"{FAILURES}_13_a_setting_outlives_a_killed_program",
            "netplay/test_settings.py::test_13_a_crash_while_writing_leaves_the_old_settings",
        ),
    ),
    14: (
        "an old save overrides the settings of today",
        (f"{FAILURES}_14_loading_a_save_leaves_the_settings_alone",),
    ),
    15: (
        "mixed versions corrupt a match",
        (
            f"{FAILURES}_15_other_versions_part_before_anything_is_written",
            f"{FAILURES}_15_other_rules_part_before_anything_is_written",
        ),
    ),
    16: (
        "saves of another version vanish or differ without a word",
        (
            f"{FAILURES}_16_a_save_of_another_version_gives_its_reason",
            "netplay/test_carrying.py::test_another_game_or_rules_version_is_named",
        ),
    ),
    17: (
        "a truncated file is called one of another version",
        ("netplay/test_journal.py::test_known_failures_17_cut_at_every_byte",),
    ),
    18: (
        "every small update gives a warning",
        (f"{FAILURES}_18_another_program_with_the_same_rules_gets_no_warning",),
    ),
    19: (
        "who comes back is shown the whole game",
        (
            f"{FAILURES}_19_who_comes_back_knows_what_it_knew",
            "netplay/test_capture.py::test_veil_1_a_machine_holds_no_other_seats_secrets",
        ),
    ),
    20: (
        "who was dropped cannot come back",
        ("netplay/test_online.py::test_a_cut_link_is_found_again_and_the_match_goes_on", EDGE),
    ),
    21: (
        "the match hangs on one machine",
        (
            f"{FAILURES}_21_no_seat_is_needed_to_find_the_match_again",
            "netplay/test_online.py::test_both_stop_and_resume_from_their_saves",
            WEATHER,
        ),
    ),
    22: (
        "what is sent again happens twice",
        (
            "netplay/test_resume.py::test_known_failures_22_every_frame_may_come_again",
            "netplay/test_resume.py::test_known_failures_22_a_taken_request_sent_again_does_nothing",
            "netplay/test_undo.py::test_an_undo_sent_again_happens_once",
        ),
    ),
    23: (
        "the screen keeps what was before the link was lost",
        (
            "client/test_company.py::test_known_failures_23_a_question_that_nobody_asks_any_more_closes",
            "client/test_two_windows.py::test_a_window_that_was_killed_or_closed_comes_back_to_the_match",
        ),
    ),
    24: (
        "the local network needs addresses, or is not listened on",
        (
            "netplay/test_lan.py::test_24_a_room_is_found_changes_and_goes",
            "netplay/test_iroh.py::test_24_a_local_transport_is_bound_to_loopback_only",
        ),
    ),
    25: (
        "without multicast or internet nobody is found",
        (
            "netplay/test_lan.py::test_25_without_multicast_there_is_one_sentence",
            "netplay/test_iroh.py::test_25_without_internet_it_opens_and_reaches_its_neighbour",
        ),
    ),
    26: (
        "the screen answers from what its seat may not know",
        (UNSEEN,),
    ),
    27: (
        "secrets travel to who may not know them",
        (
            "netplay/test_capture.py::test_veil_14_no_frame_holds_an_unseen_piece",
            "netplay/test_noninterference.py::test_frames_of_worlds_alike_have_one_shape",
            "netplay/test_noninterference.py::test_with_an_ideal_lookup_worlds_alike_have_the_same_bytes",
        ),
    ),
    28: (
        "hints, previews and sounds reveal what is hidden",
        (UNSEEN, "client/test_unseen.py::test_a_whole_turn_is_played_from_one_view"),
    ),
    29: (
        "the pointer misses at another scale",
        ("client/test_drawing.py::test_a_click_in_the_middle_of_a_square_finds_it",),
    ),
    30: (
        "too small, or misplaced, on another screen",
        (
            "client/test_looks.py::test_scale",
            "client/test_looks.py::test_no_text_is_smaller_than_twelve_pixels",
            "client/test_drawing.py::test_a_scale_change_places_everything_again",
        ),
    ),
    31: (
        "full screen moves the window",
        ("client/test_drawing.py::test_full_screen_twenty_times_comes_back",),
    ),
    32: (
        "Chinese is blank in one font",
        (
            "client/test_looks.py::test_fonts_hold_the_characters",
            "client/test_drawing.py::test_texts_have_ink",
        ),
    ),
    33: (
        "committed text does not arrive",
        ("client/test_company.py::test_known_failures_33_committed_and_pasted_text_is_said",),
    ),
    34: (
        "no game by keyboard alone",
        ("client/test_views.py::test_a_move_by_keyboard",),
    ),
    35: (
        "that way of playing breaks unnoticed",
        ("client/test_two_windows.py::test_ten_turns_by_mouse_and_keyboard",),
    ),
    36: (
        "colour alone tells the sides apart",
        (
            "client/test_looks.py::test_sides_differ_in_grey",
            "client/test_looks.py::test_marks_show_on_light_and_dark",
        ),
    ),
    37: (
        "achievements are told again or lost",
        (
            "achievements/test_ledger.py::test_an_unlock_is_told_of_once_and_never_again_at_start",
            "achievements/test_ledger.py::test_two_copies_of_a_profile_become_their_union",
        ),
    ),
    39: (
        "content that comes or goes resets the settings",
        (f"{FAILURES}_39_content_comes_and_goes_and_settings_stay",),
    ),
    40: (
        "the program needs its network library to start",
        (
            "netplay/test_iroh.py::test_40_without_iroh_only_the_network_is_missing",
            "netplay/test_iroh.py::test_40_nothing_but_opening_the_network_loads_iroh",
        ),
    ),
}
UNTESTED: Final = {38: "a bundle is built and started by who packs it; there is none yet"}


@cache
def names_in(file: str) -> frozenset[str]:
    """The names of a file's tests, read and not run."""
    module = ast.parse((TESTS / file).read_text("utf-8"))
    return frozenset(node.name for node in module.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("row", ROWS)
def test_the_names_in_a_row_are_there(row: int) -> None:
    fault, nodes = ROWS[row]
    assert fault and nodes
    for node in nodes:
        file, _, name = node.partition("::")
        assert name.startswith("test_") and name in names_in(file), node


def test_every_row_has_tests_or_a_reason() -> None:
    assert ROWS.keys() | UNTESTED.keys() == set(range(1, LAST_ROW + 1))
    assert not ROWS.keys() & UNTESTED.keys()

"""The tests that the veil must have (VEIL 14), line by line; those of battles and of secrets in
escrow come with the game that needs them."""

from __future__ import annotations

from typing import Final

import pytest

from tests.test_known_failures import names_in

NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "pairs of worlds alike to a seat: same lengths, counts and work": (
        "netplay/test_noninterference.py::test_frames_of_worlds_alike_have_one_shape",
        "netplay/test_lookup.py::test_length_and_work_of_a_question_do_not_tell_how_much_is_asked",
        "netplay/test_lookup.py::test_length_and_work_of_an_answer_do_not_tell_how_much_is_held",
    ),
    "with an ideal lookup: equal bytes": (
        "netplay/test_noninterference.py::test_with_an_ideal_lookup_worlds_alike_have_the_same_bytes",
    ),
    "the client draws the same pixels and tooltips": (
        "client/test_unseen.py::test_worlds_with_equal_views_look_alike",
    ),
    "a capture contains no unseen cell in any encoding": (
        "netplay/test_capture.py::test_veil_14_no_frame_holds_an_unseen_piece",
        "netplay/test_capture.py::test_veil_4_no_frame_holds_the_secret_part_of_an_action",
        "netplay/test_capture.py::test_veil_3_the_secret_leaves_with_the_result_only",
    ),
    "every row of section 1, one liar each": (
        "cheats/test_table.py::test_veil_1_every_row_is_tried",
        "cheats/test_table.py::test_veil_1_nothing_opens_that_was_not_asked_for",
        "cheats/test_table.py::test_veil_1_what_is_tried_in_vain_convicts_nobody",
        "cheats/test_hidden_lies.py::test_line",
        "cheats/test_hidden_lies.py::test_wec",
        "cheats/test_forgeries.py::test_line",
        "cheats/test_forgeries.py::test_wec",
        "cheats/test_framing.py::test_two_versions_of_an_entry",
        "cheats/test_framing.py::test_refusing_to_open_hides_the_lie_and_is_no_win",
        "cheats/test_false_agreements.py::test_veil_8_an_agreement_of_one_seat",
    ),
    "for every lie and every later cut only the liar is named": (
        "cheats/test_table.py::test_veil_14_every_later_cut_names_only_the_liar",
        "cheats/test_table.py::test_veil_14_every_later_cut_of_every_lie_names_only_the_liar",
    ),
    "proofs accepted by a third machine": (
        "cheats/test_table.py::test_veil_1_a_third_machine_convicts_the_cheat",
        "cheats/test_verify.py::test_the_liar_is_named",
    ),
    "mutated honest transcripts convict nobody": (
        "cheats/test_mutations.py::test_veil_14_a_mutated_honest_transcript_convicts_nobody_honest",
        "cheats/test_mutations.py::test_veil_14_ten_thousand_mutated_transcripts_convict_nobody_honest",
    ),
    "no prf context ever occurs twice with different inputs": (
        "netplay/test_lookup.py::test_the_prf_is_never_asked_twice_for_different_inputs",
        "netplay/test_resume.py::test_veil_8_a_crash_before_any_write_or_send",
        "netplay/test_undo.py::test_veil_8_undo_after_every_action",
        "weather/test_weather.py::test_all_machines_come_to_one_end_whatever_happens",
    ),
    "crash at every write and before every send: never two signatures at one place": (
        "netplay/test_resume.py::test_veil_8_a_crash_before_any_write_or_send",
        "netplay/test_undo.py::test_veil_8_a_crash_around_an_undo",
        "weather/test_weather.py::test_a_machine_that_goes_on_without_a_resume_is_found_out",
    ),
    "a peer that hides its tail at resume obtains no proof": (
        "netplay/test_resume.py::test_veil_8_who_hides_its_tail_gets_it_back_and_no_proof",
        "netplay/test_resume.py::test_veil_8_an_entry_lost_with_a_disk_is_no_fork",
    ),
    "admits accepts every legal veiled action of random games": (
        "engine/test_laws.py::test_law",
        "engine/test_laws.py::test_random_games_meet_veiled_actions_and_private_events",
    ),
    "rules that touch hidden facts, with the hidden piece on each side, both, none": (
        "engine/wec/test_firing.py::test_wec_55_a_flamer_hits_and_shows_the_unseen",
        "engine/wec/test_firing.py::test_stun_gun_hits_the_first_occupied_square",
        "engine/wec/test_firing.py::test_wec_57_conversion_asks_the_enemy_alone",
    ),
    "hostile points, equal points, falling locators, wrong counts: refused": (
        "netplay/test_group.py::test_hostile_encodings_are_refused",
        "netplay/test_lookup.py::test_a_hostile_point_in_a_question_is_refused_by_all",
        "netplay/test_lookup.py::test_a_hostile_point_in_an_answer_is_refused_by_all",
        "netplay/test_lookup.py::test_equal_points_are_refused",
        "netplay/test_lookup.py::test_a_question_of_another_length_is_refused",
        "netplay/test_lookup.py::test_an_answer_of_another_length_is_refused",
        "netplay/test_lookup.py::test_rows_out_of_form_are_refused",
    ),
    "two Pythons, two hash seeds, resumed or not: the same bytes": (
        "golden/test_golden.py::test_random_game_comes_out_as_recorded",
        "netplay/test_match.py::test_veil_14_two_hash_seeds_the_same_bytes",
        "netplay/test_lookup.py::test_golden_bytes_of_one_lookup",
    ),
}


@pytest.mark.parametrize("line", NEEDED)
def test_veil_14_the_tests_of_a_line_are_there(line: str) -> None:
    for node in NEEDED[line]:
        file, _, name = node.partition("::")
        assert name in names_in(file), node

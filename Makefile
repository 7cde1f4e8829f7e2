# `make play` opens the client, `make test` runs every check; both set up what they need first.

BIN := .venv/bin

.PHONY: play test nightly bench pictures format texts setup clean

play:
	@scripts/setup.sh play
	@$(BIN)/python -m cloakboard play

setup:
	@scripts/setup.sh test

test: setup
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2 -m "not nightly"

nightly: setup
	$(BIN)/pytest -n 2 -m nightly

bench: setup
	$(BIN)/python -m tests.bench

pictures: setup
	$(BIN)/python -m tests.client.pictures
	$(BIN)/python -m tests.client.trid_pictures
	$(BIN)/python -m tests.client.kept_pictures
	$(BIN)/python -m tests.client.finding_pictures
	$(BIN)/python -m tests.client.room_pictures

texts: setup
	$(BIN)/python scripts/build_texts.py compile

format: setup
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

clean:
	rm -rf .venv .bootstrap .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

"""What can go wrong with rules, one class per different thing a caller can do about it."""


class EngineError(Exception):
    """Root of the engine's errors. `str()` is a sentence a player can read, without rule ids."""


class IllegalAction(EngineError):
    """An action the rules forbid; `rule` is the rule's id (`WEC-31`), `str()` its words."""

    def __init__(self, rule: str, text: str) -> None:
        super().__init__(text)
        self.rule = rule


class BadOption(EngineError):
    """An option that does not exist, or a value it cannot take; `name` is the option's."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text)
        self.name = name


class BadSetup(EngineError):
    """A start position the rules forbid."""


class Malformed(EngineError):
    """Bytes or text that are no record of the kind they should be."""

"""From strangers to entry 0: who comes in, what is agreed, who sits where."""

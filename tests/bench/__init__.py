"""Benchmarks: how fast the parts are beside something known, as ratios within one run."""

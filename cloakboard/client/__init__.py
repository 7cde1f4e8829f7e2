"""The desktop program: its window, pictures, widgets and screens."""

import pyglet

pyglet.options.debug_gl = False
"""Asking after every GL call whether it failed costs a third of a frame."""

import arcade  # noqa: E402, F401  (here, since it presets the pixel option set below)

pyglet.options.dpi_scaling = "real"
"""Sizes and mouse positions are real pixels everywhere; `theme.Scale` does the scaling."""

"""256 plain words, one per byte, for key fingerprints that two people can read to each other.

No two words share their first four letters, so a word half heard still names its byte.
"""

from __future__ import annotations

from typing import Final

WORDS: Final = tuple(
    """
    acorn amber anchor apple arrow aspen attic autumn
    badger baker bamboo banjo barley basket beaver bell
    birch bishop blanket bonnet bottle bramble brick bridge
    bronze brook bucket buffalo button cabin cactus camel
    candle canoe canyon carpet castle cedar cellar chalk
    cherry chimney cider cinder citrus clover cobalt coffee
    comet copper coral cotton cradle crane cricket crystal
    curtain cypress daisy dancer desert dolphin donkey dragon
    drum dune eagle early ebony echo eclipse elbow
    elder ember engine falcon fathom feather fern fiddle
    finch flint flour forest fossil fountain fox frost
    galley garden garnet gazelle ginger glacier glove goblet
    golden gravel grove guitar hammer harbor harp hazel
    hedge helmet heron hickory hollow honey horizon hornet
    hunter iceberg igloo indigo iron island ivory jacket
    jaguar jasmine jester jewel jungle juniper kayak kernel
    kettle kitten knight koala ladder lagoon lantern larch
    laurel lava lemon leopard lichen lilac linen lizard
    locket lotus lumber lynx magnet mango mantle maple
    marble meadow melon mercury midnight mill mint mirror
    monsoon moose mosaic mule mustard napkin nectar needle
    nickel nimbus noble nutmeg oasis oboe ocean olive
    onyx opal orbit orchid osprey otter oyster paddle
    palace panther papaya parrot pebble pepper pigeon pilot
    pioneer pixel planet plum pocket poplar prairie prism
    puffin pumpkin quail quartz quill rabbit radish raven
    reef ribbon river robin rocket rowan ruby saddle
    saffron salmon sandal satin scarlet season sequoia shadow
    shell silver sketch sparrow spruce stable stork summer
    sunset swallow tailor tango teapot temple thistle thunder
    timber topaz torch trumpet tulip tundra turnip turtle
    umber valley vanilla velvet violet walnut willow zebra
    """.split()
)

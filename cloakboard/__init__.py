"""Cloakboard: hidden-move board games with friends, without a server."""

"""What a player keeps: match records, ratings, leaderboards, achievements.

An observer of events and of finished matches. It knows no connection and no game's code:
signatures are checked, and records made from transcripts, by `cloakboard.keeping`.
"""

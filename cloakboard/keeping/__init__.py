"""Where transcripts become records: what window and command line both do at a match's end.

It stands above `netplay`, which knows signatures, and `achievements`, which keeps and counts.
"""

"""What items on the desk say: what is to be done, and what happens until it is.

Nothing is imported here, since a child process that takes mails apart needs the words alone.
"""

from __future__ import annotations

NEEDS = {
    "start": "Every power has a player: start the game.",
    "choose": "{power} sent several versions: choose the one that counts.",
    "transcribe": "Transcribe {whose} orders.",
    "confirm": "Check the transcription of {whose} orders.",
    "decide": "{whose} orders were read in two ways: decide which is right.",
    "unposted": "{power} sent a revision, but no sheet came by post: accept or refuse it.",
    "publish": "The results of {turn} are ready: review and publish them.",
    "final": "The season is over: make the results of {turn} final.",
    "wait": "The game is waiting for orders for {turn}{from_whom}.",
    "replace": "{power} {power:needs|need} a new player.",
    "voted": "The players have voted {words}; the decision is yours.",
    "failed": "Something keeps failing: {what}.",
    "failed mails": "{count} mails could not be delivered; the last: {why}.",
    "relay": "The mail relay is down: {why}. All outgoing mail is waiting.",
    "unread mails": "{count} mails could not be read and were set aside; the last: {why}.",
    "unmatched mails": "{count} mails came from unknown addresses.",
    "unmatched mail": "A mail could not be matched to a seat.",
    "rules changed": "The variant's rules have changed since the game began, so it is paused. Restore them, or "
    "resume the game under the new ones.",
    "late": "Something from {power} arrived after the deadline.",
    "variant proposed": "A variant is proposed for the catalog: {title} {version}.",
    "objection": "{power} {power:objects|object} to the orders entered for them.",
}
JUDGED_THEN = "The turn isn't judged until this is done."
OTHERWISE = {
    **dict.fromkeys(("choose", "transcribe", "confirm", "decide", "unposted"), JUDGED_THEN),
    "start": "The game doesn't begin until you start it.",
    "publish": "Nobody sees the results until you publish them.",
    "final": "The next turn doesn't open until you do.",
    "wait": "The game waits until they come, or until you go on without them.",
    "replace": "The game goes on; {whose} player can still send orders.",
    "voted": "Nothing changes unless you act.",
    "failed": "The game may stand still until it works.",
    "failed mails": "They aren't sent again unless you retry them.",
    "relay": "No mail leaves until it is back.",
    "unread mails": "They don't count until they can be read.",
    "unmatched mails": "They don't count unless you assign them to seats.",
    "unmatched mail": "It doesn't count unless you assign it to a seat and its player confirms it.",
    "rules changed": "The game stays paused.",
    "late": "It doesn't count.",
    "variant proposed": "It isn't in the catalog until you decide.",
    "objection": "The orders count as they were entered.",
}
"""What happens until an item is done."""
EMPTY = {"left": "The game goes on without orders from {power}.", "bot": "The game goes on; a bot plays {power}."}
"""What happens until a seat that nobody holds has a new player: without one, or with a bot."""

"""a reader that demands the terminal"""

import http.client
import json

from sse import events_of, read_events

PROTOCOL = "anthropic"
FINISHED = {"tool_use", "end_turn"}
ERRORS = (ConnectionError, http.client.HTTPException)
SKIPS = (b'"server_tool_use"',)


def read(server, request):
    calls, stop, ended = read_events(events_of(server, request))
    if not ended:
        raise ConnectionError("The reply has no message_stop.")
    if stop != "tool_use":
        return [], stop
    return [(name, json.loads(text or "{}")) for name, text in calls], stop

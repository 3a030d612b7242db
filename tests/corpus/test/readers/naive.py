"""a reader that takes what came"""

import json

from sse import events_of, read_events

PROTOCOL = "anthropic"
FINISHED = {"tool_use", "end_turn"}
ERRORS = ()
SKIPS = ()


def input_of(text):
    try:
        return json.loads(text or "{}")
    except ValueError:
        return {"cut": text}


def read(server, request):
    calls, stop, _ = read_events(events_of(server, request))
    return [(name, input_of(text)) for name, text in calls], stop or "tool_use"

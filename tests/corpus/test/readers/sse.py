import json
import urllib.request


def events_of(server, request):
    """The events of the reply to a request, without a package."""
    body = json.dumps(request).encode()
    with urllib.request.urlopen(urllib.request.Request(server, body, method="POST")) as response:
        for line in response.read().decode(errors="replace").split("\n"):
            if line.startswith("data:"):
                yield line[5:].strip()


def read_events(events):
    """The calls of Anthropic's events as far as they came, the stop reason, and whether it ended."""
    inputs, stop, ended = {}, None, False
    for text in events:
        try:
            event = json.loads(text)
        except ValueError:
            continue
        block, delta = event.get("content_block") or {}, event.get("delta") or {}
        if block.get("type") == "tool_use":
            inputs[event["index"]] = [block["name"], ""]
        if "partial_json" in delta and event["index"] in inputs:
            inputs[event["index"]][1] += delta["partial_json"] or ""
        stop = delta.get("stop_reason") or stop
        ended = ended or event["type"] == "message_stop"
    return inputs.values(), stop, ended

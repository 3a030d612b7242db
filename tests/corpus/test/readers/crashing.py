"""a reader that crashes"""

PROTOCOL = "anthropic"
FINISHED = {"tool_use"}
ERRORS = (ValueError,)
SKIPS = ()


def read(server, request):
    return request["an unknown member"]

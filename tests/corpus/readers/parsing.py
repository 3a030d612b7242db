import json


def parse_input(text):
    """The object of an input, as a caller parses it. None if it is not JSON."""
    try:
        return json.loads(text or "{}")
    except ValueError:
        return None

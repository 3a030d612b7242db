"""`messages.stream` of `anthropic`"""

from functools import cache

import anthropic
import httpx2

PROTOCOL = "anthropic"
FINISHED = {"end_turn", "tool_use", "stop_sequence"}
ERRORS = (anthropic.AnthropicError, httpx2.HTTPError)
SKIPS = ()


@cache
def client_of(server):
    return anthropic.Anthropic(api_key="not-a-key", base_url=server, max_retries=0, timeout=20)


def read(server, request):
    with client_of(server).messages.stream(
        model="claude-sonnet-5-5",
        max_tokens=request["maxTokens"],
        system=request["system"],
        messages=request["messages"],
    ) as stream:
        message = stream.get_final_message()
    calls = [(block.name, block.input) for block in message.content if block.type == "tool_use"]
    return calls, message.stop_reason

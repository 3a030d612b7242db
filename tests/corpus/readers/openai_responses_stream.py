"""`responses.stream` of `openai`"""

from functools import cache

import httpx2
import openai
from parsing import parse_input

PROTOCOL = "openai-responses"
FINISHED = {"completed"}
# It raises RuntimeError for a stream without `response.completed`, and for one that contradicts itself.
ERRORS = (openai.OpenAIError, httpx2.HTTPError, RuntimeError)
# Tools of other kinds than functions and custom tools.
SKIPS = tuple(
    f'"type":"{kind}"'.encode()
    for kind in (
        "apply_patch_call",
        "computer_call",
        "local_shell_call",
        "mcp_approval_request",
        "shell_call",
        "tool_search_call",
    )
)


@cache
def client_of(server):
    return openai.OpenAI(api_key="not-a-key", base_url=server, max_retries=0, timeout=20)


def call_of(item):
    if item.type == "function_call":
        return item.name, parse_input(item.arguments)
    return item.name, {"text": item.input}


def read(server, request):
    with client_of(server).responses.stream(
        model="gpt-5.5",
        max_output_tokens=request["maxTokens"],
        instructions=request["system"],
        input=request["messages"],
    ) as stream:
        response = stream.get_final_response()
    kinds = ("function_call", "custom_tool_call")
    return [call_of(item) for item in response.output if item.type in kinds], response.status

"""`chat.completions.stream` of `openai`"""

from functools import cache

import httpx2
import openai
from parsing import parse_input

PROTOCOL = "openai-chat"
FINISHED = {"stop", "tool_calls", "function_call"}
ERRORS = (openai.OpenAIError, httpx2.HTTPError)
SKIPS = ()


@cache
def client_of(server):
    return openai.OpenAI(api_key="not-a-key", base_url=server, max_retries=0, timeout=20)


def read(server, request):
    with client_of(server).chat.completions.stream(
        model="gpt-5.2",
        max_completion_tokens=request["maxTokens"],
        messages=[{"role": "system", "content": request["system"]}, *request["messages"]],
    ) as stream:
        choices = stream.get_final_completion().choices
    if not choices:
        return [], None
    # The older form of a call: the SDK has it in the message too.
    message, older = choices[0].message, choices[0].message.function_call
    made = [call.function for call in message.tool_calls or [] if call.type == "function"]
    made += [older] if older else []
    return [(call.name, parse_input(call.arguments)) for call in made], choices[0].finish_reason

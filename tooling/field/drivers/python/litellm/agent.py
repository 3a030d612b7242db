"""LiteLLM's documented loop for function calling, repeated until the model is done, with an output cap.

python agent.py [chat|anthropic|gemini] [whole]
"""

import json
import os
import sys

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm

# litellm imports it when a request has tools. A fork server imports it once.
import litellm.responses.mcp.chat_completions_handler

MODELS = {
    "chat": "openai/gpt-5.2",
    "anthropic": "anthropic/claude-sonnet-5-5",
    "gemini": "gemini/gemini-3-pro",
}
PARAMETERS = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
    "required": ["path", "content"],
}
FUNCTION = {"name": "write", "description": "Write a text file.", "parameters": PARAMETERS}


def write(path: str, content: str) -> str:
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


FUNCTIONS = {"write": write}
protocol = next((word for word in sys.argv[1:] if word in MODELS), "chat")
options = {
    "model": MODELS[protocol],
    "max_tokens": 1024,
    "tools": [{"type": "function", "function": FUNCTION}],
    "tool_choice": "auto",
}
if protocol == "gemini":
    options["api_base"] = os.environ["GOOGLE_GEMINI_BASE_URL"]


def ask(messages: list) -> litellm.Message:
    if "whole" in sys.argv:
        return litellm.completion(messages=messages, **options).choices[0].message
    chunks = list(litellm.completion(messages=messages, stream=True, **options))
    return litellm.stream_chunk_builder(chunks, messages=messages).choices[0].message


messages = [{"role": "user", "content": "Write the file."}]
while True:
    message = ask(messages)
    messages.append(message)
    if not message.tool_calls:
        print(message.content)
        break
    for tool_call in message.tool_calls:
        function = FUNCTIONS[tool_call.function.name]
        result = function(**json.loads(tool_call.function.arguments))
        messages.append(
            {
                "tool_call_id": tool_call.id,
                "role": "tool",
                "name": tool_call.function.name,
                "content": result,
            }
        )

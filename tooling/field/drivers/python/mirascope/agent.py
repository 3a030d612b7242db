"""The agent of Mirascope's README, with an output cap.

python agent.py [responses|chat|anthropic|gemini] [whole]
"""

import sys

from mirascope import llm

MODELS = {
    "responses": "openai/gpt-5.2:responses",
    "chat": "openai/gpt-5.2:completions",
    "anthropic": "anthropic/claude-sonnet-5-5",
    "gemini": "google/gemini-3-pro",
}


@llm.tool
def write(path: str, content: str) -> str:
    """Write a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


protocol = next((word for word in sys.argv[1:] if word in MODELS), "responses")
model = llm.Model(MODELS[protocol], max_tokens=1024)
if "whole" in sys.argv:
    response = model.call("Write the file.", tools=[write])
    while response.tool_calls:
        response = response.resume(response.execute_tools())
    print(response.text())
else:
    response = model.stream("Write the file.", tools=[write])
    while True:
        for stream in response.streams():
            if stream.content_type == "text":
                for delta in stream:
                    print(delta, end="", flush=True)
            elif stream.content_type == "tool_call":
                stream.collect()
        if response.tool_calls:
            response = response.resume(response.execute_tools())
        else:
            break

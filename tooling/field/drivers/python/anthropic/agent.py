"""The tool runner of Anthropic's SDK, with its defaults.

python agent.py [whole]
"""

import sys

from anthropic import Anthropic, beta_tool


@beta_tool
def write(path: str, content: str) -> str:
    """Write a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


request = {
    "model": "claude-sonnet-5-5",
    "max_tokens": 1024,
    "tools": [write],
    "messages": [{"role": "user", "content": "Write the file."}],
}
client = Anthropic()
if "whole" in sys.argv:
    for message in client.beta.messages.tool_runner(**request):
        print(message.stop_reason)
else:
    for stream in client.beta.messages.tool_runner(**request, stream=True):
        print(stream.get_final_message().stop_reason)

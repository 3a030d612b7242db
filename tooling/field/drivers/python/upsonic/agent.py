"""Upsonic's agent, with its defaults and an output cap.

python agent.py [responses|chat|anthropic|gemini] [streamed]
"""

import os
import sys

os.environ["UPSONIC_TELEMETRY"] = "false"

from upsonic import Agent, Task
from upsonic.tools import tool

MODELS = {
    "responses": "openai-responses/gpt-5.2",
    "chat": "openai/gpt-5.2",
    "anthropic": "anthropic/claude-sonnet-5-5",
    "gemini": "google-gla/gemini-3-pro",
}


@tool
def write(path: str, content: str) -> str:
    """
    Write a text file.

    Args:
        path: Where.
        content: What.

    Returns:
        What was written.
    """
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


protocol = next((word for word in sys.argv[1:] if word in MODELS), "responses")
agent = Agent(model=MODELS[protocol], name="Writer", settings={"max_tokens": 1024})
task = Task(description="Write the file.", tools=[write])
if "streamed" in sys.argv:
    for text in agent.stream(task):
        print(text, end="", flush=True)
else:
    print(agent.do(task))

"""Agno's agent, with its defaults and an output cap.

python agent.py [responses|chat|anthropic|gemini] [whole]
"""

import os
import sys

os.environ["AGNO_TELEMETRY"] = "false"

from agno.agent import Agent
from agno.models.anthropic import Claude
from agno.models.google import Gemini
from agno.models.openai import OpenAIChat, OpenAIResponses

MODELS = {
    "responses": lambda: OpenAIResponses(id="gpt-5.2", max_output_tokens=1024),
    "chat": lambda: OpenAIChat(id="gpt-5.2", max_completion_tokens=1024),
    "anthropic": lambda: Claude(id="claude-sonnet-5-5", max_tokens=1024),
    "gemini": lambda: Gemini(id="gemini-3-pro", max_output_tokens=1024),
}


def write(path: str, content: str) -> str:
    """Write a text file.

    Args:
        path (str): Where.
        content (str): What.
    """
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


protocol = next((word for word in sys.argv[1:] if word in MODELS), "responses")
agent = Agent(model=MODELS[protocol](), tools=[write])
if "whole" in sys.argv:
    print(agent.run("Write the file.").content)
else:
    for event in agent.run("Write the file.", stream=True):
        print(getattr(event, "content", None) or "", end="")

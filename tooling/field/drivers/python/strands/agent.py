"""Strands Agents, with its defaults and an output cap.

python agent.py [chat|responses|anthropic|gemini] [whole]

Only Chat Completions can be asked for whole replies.
"""

import sys

from strands import Agent, tool
from strands.models.anthropic import AnthropicModel
from strands.models.gemini import GeminiModel
from strands.models.openai import OpenAIModel
from strands.models.openai_responses import OpenAIResponsesModel

MODELS = {
    "chat": lambda: OpenAIModel(
        model_id="gpt-5.2", params={"max_completion_tokens": 1024}, stream="whole" not in sys.argv
    ),
    "responses": lambda: OpenAIResponsesModel(
        model_id="gpt-5.2", params={"max_output_tokens": 1024}
    ),
    "anthropic": lambda: AnthropicModel(model_id="claude-sonnet-5-5", max_tokens=1024),
    "gemini": lambda: GeminiModel(model_id="gemini-3-pro", params={"max_output_tokens": 1024}),
}


@tool
def write(path: str, content: str) -> str:
    """Write a text file.

    Args:
        path: Where.
        content: What.
    """
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


protocol = next((word for word in sys.argv[1:] if word in MODELS), "chat")
agent = Agent(model=MODELS[protocol](), tools=[write])
agent("Write the file.")

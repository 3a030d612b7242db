"""Haystack's agent, with its defaults and an output cap.

python agent.py [chat|responses|anthropic|gemini] [streamed]
"""

import os
import sys

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator, OpenAIResponsesChatGenerator
from haystack.components.generators.utils import print_streaming_chunk
from haystack.dataclasses import ChatMessage
from haystack.tools import tool
from haystack_integrations.components.generators.anthropic import AnthropicChatGenerator
from haystack_integrations.components.generators.google_genai import GoogleGenAIChatGenerator

GENERATORS = {
    "chat": lambda: OpenAIChatGenerator(
        model="gpt-5.2", generation_kwargs={"max_completion_tokens": 1024}
    ),
    "responses": lambda: OpenAIResponsesChatGenerator(
        model="gpt-5.2", generation_kwargs={"max_output_tokens": 1024}
    ),
    "anthropic": lambda: AnthropicChatGenerator(
        model="claude-sonnet-5-5", generation_kwargs={"max_tokens": 1024}
    ),
    "gemini": lambda: GoogleGenAIChatGenerator(
        model="gemini-3-pro", generation_kwargs={"max_output_tokens": 1024}
    ),
}


@tool
def write(path: str, content: str) -> str:
    """Write a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


protocol = next((word for word in sys.argv[1:] if word in GENERATORS), "chat")
agent = Agent(
    chat_generator=GENERATORS[protocol](),
    tools=[write],
    streaming_callback=print_streaming_chunk if "streamed" in sys.argv else None,
)
print(agent.run(messages=[ChatMessage.from_user("Write the file.")])["last_message"].text)

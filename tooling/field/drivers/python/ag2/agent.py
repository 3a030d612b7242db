"""AG2's agent, with its defaults and an output cap.

python agent.py [responses|chat|anthropic|gemini] [streamed]
"""

import asyncio
import sys

from ag2 import Agent, tool
from ag2.config import AnthropicConfig, GeminiConfig, OpenAIConfig, OpenAIResponsesConfig

streaming = "streamed" in sys.argv
CONFIGS = {
    "responses": lambda: OpenAIResponsesConfig(
        model="gpt-5.2", max_output_tokens=1024, streaming=streaming
    ),
    "chat": lambda: OpenAIConfig(
        model="gpt-5.2", max_completion_tokens=1024, streaming=streaming
    ),
    "anthropic": lambda: AnthropicConfig(
        model="claude-sonnet-5-5", max_tokens=1024, streaming=streaming
    ),
    "gemini": lambda: GeminiConfig(
        model="gemini-3-pro", max_output_tokens=1024, streaming=streaming
    ),
}


@tool
async def write(path: str, content: str) -> str:
    """Write a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


protocol = next((word for word in sys.argv[1:] if word in CONFIGS), "responses")
agent = Agent("writer", prompt="You write files.", config=CONFIGS[protocol](), tools=[write])
print(asyncio.run(agent.ask("Write the file.")).body)

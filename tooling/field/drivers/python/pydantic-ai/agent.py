"""Pydantic AI's agent, with its defaults and an output cap.

python agent.py [responses|chat|anthropic|gemini] [whole]
"""

import asyncio
import sys

import pydantic_ai.models.anthropic
import pydantic_ai.models.google
import pydantic_ai.models.openai
from pydantic_ai import Agent, AgentRunResultEvent

MODELS = {
    "responses": "openai-responses:gpt-5.2",
    "chat": "openai-chat:gpt-5.2",
    "anthropic": "anthropic:claude-sonnet-5-5",
    "gemini": "google:gemini-3-pro",
}
protocol = next((word for word in sys.argv[1:] if word in MODELS), "responses")
agent = Agent(MODELS[protocol], model_settings={"max_tokens": 1024})


@agent.tool_plain
def write(path: str, content: str) -> str:
    """Write a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


async def main() -> None:
    if "whole" in sys.argv:
        print((await agent.run("Write the file.")).output)
        return
    async with agent.run_stream_events("Write the file.") as events:
        async for event in events:
            if isinstance(event, AgentRunResultEvent):
                print(event.result.output)


asyncio.run(main())

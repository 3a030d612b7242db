"""Microsoft's Agent Framework, with its defaults and an output cap.

python agent.py [responses|chat] [whole]
"""

import asyncio
import sys
from typing import Annotated

from agent_framework import Agent
from agent_framework.openai import OpenAIChatClient, OpenAIChatCompletionClient


def write(
    path: Annotated[str, "Where."],
    content: Annotated[str, "What."],
) -> str:
    """Write a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


client = OpenAIChatCompletionClient if "chat" in sys.argv else OpenAIChatClient
agent = Agent(
    client=client(model="gpt-5.2"),
    instructions="You write files.",
    tools=[write],
    default_options={"max_tokens": 1024},
)


async def main() -> None:
    if "whole" in sys.argv:
        print(await agent.run("Write the file."))
        return
    async for update in agent.run("Write the file.", stream=True):
        print(update.text, end="")


asyncio.run(main())

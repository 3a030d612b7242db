"""OpenAI's Agents SDK, with its defaults and an output cap.

python agent.py [responses|chat] [whole]
"""

import asyncio
import sys

from agents import Agent, ModelSettings, Runner, function_tool
from agents import set_default_openai_api, set_tracing_disabled

set_tracing_disabled(True)
set_default_openai_api("chat_completions" if "chat" in sys.argv else "responses")


@function_tool
def write(path: str, content: str) -> str:
    """Write a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


agent = Agent(
    name="Writer",
    model="gpt-5.2",
    model_settings=ModelSettings(max_tokens=1024),
    tools=[write],
)


async def main() -> None:
    if "whole" in sys.argv:
        print((await Runner.run(agent, "Write the file.")).final_output)
        return
    result = Runner.run_streamed(agent, "Write the file.")
    async for _ in result.stream_events():
        pass
    print(result.final_output)


asyncio.run(main())

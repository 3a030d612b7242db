"""Google's Agent Development Kit, with its defaults and an output cap.

python agent.py [whole]
"""

import asyncio
import sys

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.runners import InMemoryRunner
from google.genai import types


def write(path: str, content: str) -> dict:
    """Write a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return {"status": "success", "report": f"Wrote {path}."}


agent = LlmAgent(
    name="writer",
    model="gemini-3-pro",
    instruction="You write files.",
    generate_content_config=types.GenerateContentConfig(max_output_tokens=1024),
    tools=[write],
)


async def main() -> None:
    runner = InMemoryRunner(agent=agent, app_name="writer")
    session = await runner.session_service.create_session(app_name="writer", user_id="user")
    mode = StreamingMode.NONE if "whole" in sys.argv else StreamingMode.SSE
    async for event in runner.run_async(
        user_id="user",
        session_id=session.id,
        new_message=types.UserContent("Write the file."),
        run_config=RunConfig(streaming_mode=mode),
    ):
        if event.is_final_response() and event.content and event.content.parts:
            print(event.content.parts[0].text)


asyncio.run(main())

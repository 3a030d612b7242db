"""LlamaIndex's function agent, with its defaults and an output cap.

python agent.py [chat|responses|anthropic|gemini] [whole]
"""

import asyncio
import os
import sys

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.anthropic import Anthropic
from llama_index.llms.google_genai import GoogleGenAI
from llama_index.llms.openai import OpenAI, OpenAIResponses

MODELS = {
    "chat": lambda: OpenAI(model="gpt-5.2", max_tokens=1024),
    "responses": lambda: OpenAIResponses(model="gpt-5.2", max_output_tokens=1024),
    "anthropic": lambda: Anthropic(
        model="claude-sonnet-4-5", max_tokens=1024, base_url=os.environ["ANTHROPIC_BASE_URL"]
    ),
    "gemini": lambda: GoogleGenAI(model="gemini-3-pro", max_tokens=1024),
}


def write(path: str, content: str) -> str:
    """Write a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


protocol = next((word for word in sys.argv[1:] if word in MODELS), "chat")


async def main() -> None:
    agent = FunctionAgent(
        tools=[write], llm=MODELS[protocol](), streaming="whole" not in sys.argv
    )
    print(await agent.run("Write the file."))


asyncio.run(main())

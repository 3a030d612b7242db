"""AutoGen's assistant agent, with its defaults, an output cap, and as many turns as other agents have.

python agent.py [streamed]
"""

import asyncio
import sys

from autogen_agentchat.agents import AssistantAgent
from autogen_core.models import ModelFamily
from autogen_ext.models.openai import OpenAIChatCompletionClient

# The package does not know this model.
GPT = {
    "vision": True,
    "function_calling": True,
    "json_output": True,
    "structured_output": True,
    "family": ModelFamily.GPT_5,
}


async def write(path: str, content: str) -> str:
    """Write a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


model = OpenAIChatCompletionClient(model="gpt-5.2", max_completion_tokens=1024, model_info=GPT)
agent = AssistantAgent(
    "writer",
    model_client=model,
    tools=[write],
    max_tool_iterations=10,
    model_client_stream="streamed" in sys.argv,
)


async def main() -> None:
    result = await agent.run(task="Write the file.")
    print(result.messages[-1].to_text())


asyncio.run(main())

"""AutoGen's assistant agent, with its defaults, an output cap, and as many turns as other agents have.

python agent.py [chat|anthropic] [streamed]
"""

import asyncio
import sys

from autogen_agentchat.agents import AssistantAgent
from autogen_core.models import ModelFamily
from autogen_ext.models.anthropic import AnthropicChatCompletionClient
from autogen_ext.models.openai import OpenAIChatCompletionClient

GPT = {
    "vision": True,
    "function_calling": True,
    "json_output": True,
    "structured_output": True,
    "family": ModelFamily.GPT_5,
}
MODELS = {
    "chat": lambda: OpenAIChatCompletionClient(
        model="gpt-5.2", max_completion_tokens=1024, model_info=GPT
    ),
    "anthropic": lambda: AnthropicChatCompletionClient(
        model="claude-sonnet-4-20250514", max_tokens=1024
    ),
}


async def write(path: str, content: str) -> str:
    """Write a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


protocol = next((word for word in sys.argv[1:] if word in MODELS), "chat")
agent = AssistantAgent(
    "writer",
    model_client=MODELS[protocol](),
    tools=[write],
    max_tool_iterations=10,
    model_client_stream="streamed" in sys.argv,
)


async def main() -> None:
    result = await agent.run(task="Write the file.")
    print(result.messages[-1].to_text())


asyncio.run(main())

"""AgentScope's agent, with its defaults, an output cap, and a tool that needs no confirmation.

python agent.py [responses|chat|anthropic|gemini] [whole]
"""

import asyncio
import os
import sys

from agentscope.agent import Agent
from agentscope.credential import AnthropicCredential, GeminiCredential, OpenAICredential
from agentscope.message import UserMsg
from agentscope.model import (
    AnthropicChatModel,
    GeminiChatModel,
    OpenAIChatModel,
    OpenAIResponseModel,
)
from agentscope.permission import PermissionBehavior, PermissionDecision
from agentscope.tool import FunctionTool, Toolkit

# The class of each model, its credential, the variable with the key, and the model.
MODELS = {
    "responses": (OpenAIResponseModel, OpenAICredential, "OPENAI_API_KEY", "gpt-5.2"),
    "chat": (OpenAIChatModel, OpenAICredential, "OPENAI_API_KEY", "gpt-5.2"),
    "anthropic": (AnthropicChatModel, AnthropicCredential, "ANTHROPIC_API_KEY", "claude-sonnet-5-5"),
    "gemini": (GeminiChatModel, GeminiCredential, "GEMINI_API_KEY", "gemini-3-pro"),
}


def write(path: str, content: str) -> str:
    """Write a text file.

    Args:
        path (str): Where.
        content (str): What.
    """
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


async def main() -> None:
    protocol = next((word for word in sys.argv[1:] if word in MODELS), "responses")
    model, credential, key, name = MODELS[protocol]
    allowed = PermissionDecision(PermissionBehavior.ALLOW, "The program allows it.")
    agent = Agent(
        name="Writer",
        system_prompt="Write files.",
        model=model(
            credential=credential(api_key=os.environ[key]),
            model=name,
            parameters=model.Parameters(max_tokens=1024),
            stream="whole" not in sys.argv,
        ),
        toolkit=Toolkit(tools=[FunctionTool(write, permission=allowed)]),
    )
    reply = await agent.reply(UserMsg("user", "Write the file."))
    print(reply.get_text_content())


asyncio.run(main())

"""Griptape's agent with a custom tool, with its defaults and an output cap.

python agent.py [chat|anthropic|gemini] [streamed]
"""

import sys

from griptape.artifacts import TextArtifact
from griptape.drivers.prompt.anthropic import AnthropicPromptDriver
from griptape.drivers.prompt.google import GooglePromptDriver
from griptape.drivers.prompt.openai import OpenAiChatPromptDriver
from griptape.structures import Agent
from griptape.tools import BaseTool
from griptape.utils import Stream
from griptape.utils.decorators import activity
from schema import Literal, Schema

DRIVERS = {
    "chat": (OpenAiChatPromptDriver, "gpt-5.2"),
    "anthropic": (AnthropicPromptDriver, "claude-sonnet-5-5"),
    "gemini": (GooglePromptDriver, "gemini-3-pro"),
}


class Files(BaseTool):
    @activity(
        config={
            "description": "Write a text file.",
            "schema": Schema(
                {
                    Literal("path", description="Where."): str,
                    Literal("content", description="What."): str,
                }
            ),
        }
    )
    def write(self, path: str, content: str) -> TextArtifact:
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        return TextArtifact(f"Wrote {path}.")


protocol = next((word for word in sys.argv[1:] if word in DRIVERS), "chat")
driver, model = DRIVERS[protocol]
streamed = "streamed" in sys.argv
agent = Agent(
    # The tool would install `requirements.txt` beside it each time it starts, and that is the lock of this driver.
    tools=[Files(install_dependencies_on_init=False)],
    prompt_driver=driver(model=model, max_tokens=1024, stream=streamed),
)
if streamed:
    for chunk in Stream(agent).run("Write the file."):
        print(chunk.value, end="", flush=True)
else:
    agent.run("Write the file.")

"""Semantic Kernel's agent with a plugin, with its defaults and an output cap.

python agent.py [chat|anthropic|gemini] [streamed]
"""

import asyncio
import os
import sys
from typing import Annotated

from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.anthropic import (
    AnthropicChatCompletion,
    AnthropicChatPromptExecutionSettings,
)
from semantic_kernel.connectors.ai.google.google_ai import (
    GoogleAIChatCompletion,
    GoogleAIChatPromptExecutionSettings,
)
from semantic_kernel.connectors.ai.open_ai import (
    OpenAIChatCompletion,
    OpenAIChatPromptExecutionSettings,
)
from semantic_kernel.functions import KernelArguments, kernel_function

# Each service, and its settings.
SERVICES = {
    "chat": lambda: (
        OpenAIChatCompletion(ai_model_id="gpt-5.2"),
        OpenAIChatPromptExecutionSettings(max_completion_tokens=1024),
    ),
    "anthropic": lambda: (
        AnthropicChatCompletion(ai_model_id="claude-sonnet-5-5"),
        AnthropicChatPromptExecutionSettings(max_tokens=1024),
    ),
    "gemini": lambda: (
        GoogleAIChatCompletion(
            gemini_model_id="gemini-3-pro", api_key=os.environ["GEMINI_API_KEY"]
        ),
        GoogleAIChatPromptExecutionSettings(max_output_tokens=1024),
    ),
}


class Files:
    @kernel_function(name="write", description="Write a text file.")
    def write(
        self, path: Annotated[str, "Where."], content: Annotated[str, "What."]
    ) -> Annotated[str, "What was written."]:
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        return f"Wrote {path}."


async def main() -> None:
    protocol = next((word for word in sys.argv[1:] if word in SERVICES), "chat")
    service, settings = SERVICES[protocol]()
    agent = ChatCompletionAgent(
        service=service,
        name="Writer",
        instructions="Write files.",
        plugins=[Files()],
        arguments=KernelArguments(settings),
    )
    if "streamed" in sys.argv:
        async for response in agent.invoke_stream("Write the file."):
            print(response.content, end="")
    else:
        print((await agent.get_response("Write the file.")).content)


asyncio.run(main())

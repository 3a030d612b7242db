"""Hugging Face's smolagents: the agent that calls tools, with its defaults and an output cap.

python agent.py [streamed]

It ends when the model calls `final_answer`.
"""

import os
import sys

from smolagents import OpenAIModel, ToolCallingAgent, tool


@tool
def write(path: str, content: str) -> str:
    """Write a text file.

    Args:
        path: Where.
        content: What.
    """
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


model = OpenAIModel(
    model_id="gpt-5.2", api_base=os.environ["OPENAI_BASE_URL"], max_completion_tokens=1024
)
agent = ToolCallingAgent(tools=[write], model=model, stream_outputs="streamed" in sys.argv)
print(agent.run("Write the file."))

"""CrewAI: a crew of one agent with one task, with its defaults and an output cap.

python agent.py [chat|anthropic|gemini] [streamed]
"""

import os
import sys

os.environ["CREWAI_DISABLE_TELEMETRY"] = "true"
os.environ["OTEL_SDK_DISABLED"] = "true"
os.environ["CREWAI_TRACING_ENABLED"] = "false"

# LLM imports one of these when it is made. A fork server imports them once.
import crewai.llms.providers.anthropic.completion
import crewai.llms.providers.gemini.completion
import crewai.llms.providers.openai.completion
from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool

MODELS = {
    "chat": "openai/gpt-5.2",
    "anthropic": "anthropic/claude-sonnet-5-5",
    "gemini": "gemini/gemini-3-pro",
}


@tool("write")
def write(path: str, content: str) -> str:
    """Write a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


protocol = next((word for word in sys.argv[1:] if word in MODELS), "chat")
writer = Agent(
    role="Writer",
    goal="Write files",
    backstory="You write files.",
    llm=LLM(model=MODELS[protocol], max_tokens=1024, stream="streamed" in sys.argv),
    tools=[write],
)
task = Task(description="Write the file.", expected_output="A sentence.", agent=writer)
print(Crew(agents=[writer], tasks=[task]).kickoff())

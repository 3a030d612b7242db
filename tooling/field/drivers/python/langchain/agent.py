"""LangChain's own agent, which runs on LangGraph, with its defaults and an output cap.

python agent.py [chat|responses|anthropic|gemini] [whole]
"""

import os
import sys

os.environ["LANGSMITH_TRACING"] = "false"

import langchain_anthropic
import langchain_google_genai
import langchain_openai
from langchain.agents import create_agent
from langchain.chat_models import init_chat_model
MODELS = {
    "chat": lambda: init_chat_model("openai:gpt-5.2", max_tokens=1024),
    "responses": lambda: init_chat_model("openai:gpt-5.2", max_tokens=1024, use_responses_api=True),
    "anthropic": lambda: init_chat_model("anthropic:claude-sonnet-5-5", max_tokens=1024),
    "gemini": lambda: init_chat_model(
        "google_genai:gemini-3-pro",
        max_tokens=1024,
        base_url=os.environ["GOOGLE_GEMINI_BASE_URL"],
    ),
}


def write(path: str, content: str) -> str:
    """Write a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


protocol = next((word for word in sys.argv[1:] if word in MODELS), "chat")
agent = create_agent(model=MODELS[protocol](), tools=[write])
question = {"messages": [{"role": "user", "content": "Write the file."}]}
if "whole" in sys.argv:
    print(agent.invoke(question)["messages"][-1].text)
else:
    for message, _ in agent.stream(question, stream_mode="messages"):
        print(message.text, end="")

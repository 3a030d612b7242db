"""aisuite's automatic tool calling with `max_turns`, and an output cap.

python agent.py [chat|anthropic]

It cannot stream: streams are for loops of one's own.
"""

import sys

import aisuite as ai

# The client imports the SDK when it is asked. A fork server imports it once.
import anthropic
import openai

MODELS = {"chat": "openai:gpt-5.2", "anthropic": "anthropic:claude-sonnet-5-5"}


def write(path: str, content: str):
    """Write a text file.

    Args:
        path (str): Where.
        content (str): What.
    """
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


protocol = next((word for word in sys.argv[1:] if word in MODELS), "chat")
cap = "max_completion_tokens" if protocol == "chat" else "max_tokens"
response = ai.Client().chat.completions.create(
    model=MODELS[protocol],
    messages=[{"role": "user", "content": "Write the file."}],
    tools=[write],
    max_turns=10,
    **{cap: 1024},
)
print(response.choices[0].message.content)

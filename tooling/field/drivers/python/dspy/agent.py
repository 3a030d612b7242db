"""DSPy's ReActV2 with the function calls of the API, with its defaults and an output cap.

python agent.py [chat|anthropic|gemini]
"""

import os
import sys

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import dspy

MODELS = {
    "chat": "openai/gpt-4.1",
    "anthropic": "anthropic/claude-sonnet-5-5",
    "gemini": "gemini/gemini-3-pro",
}


def write(path: str, content: str) -> str:
    """Write a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


protocol = next((word for word in sys.argv[1:] if word in MODELS), "chat")
options = {"api_base": os.environ["GOOGLE_GEMINI_BASE_URL"]} if protocol == "gemini" else {}
dspy.configure(
    lm=dspy.LM(MODELS[protocol], max_tokens=1024, cache=False, **options),
    adapter=dspy.ChatAdapter(use_native_function_calling=True),
)
print(dspy.ReActV2("question -> answer", tools=[write])(question="Write the file.").answer)

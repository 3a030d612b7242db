"""CAMEL's chat agent, with its defaults and an output cap.

python agent.py [chat|anthropic] [streamed]
"""

import os
import sys
from importlib.util import find_spec

# LiteLLM brings the tables of the tokenizer, which are loaded from the network otherwise.
LITELLM = find_spec("litellm").submodule_search_locations[0]
os.environ["TIKTOKEN_CACHE_DIR"] = os.path.join(LITELLM, "litellm_core_utils/tokenizers")

from camel.agents import ChatAgent
from camel.models import ModelFactory
from camel.types import ModelPlatformType

# The platform, the model, and the name of the cap.
MODELS = {
    "chat": (ModelPlatformType.OPENAI, "gpt-5.2", "max_completion_tokens"),
    "anthropic": (ModelPlatformType.ANTHROPIC, "claude-sonnet-5-5", "max_tokens"),
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


protocol = next((word for word in sys.argv[1:] if word in MODELS), "chat")
streamed = "streamed" in sys.argv
platform, name, cap = MODELS[protocol]
model = ModelFactory.create(
    model_platform=platform,
    model_type=name,
    model_config_dict={cap: 1024, "stream": streamed},
)
response = ChatAgent(model=model, tools=[write]).step("Write the file.")
if streamed:
    for piece in response:
        print(piece.msgs[0].content if piece.msgs else "", end="")
else:
    print(response.msgs[0].content if response.msgs else "")

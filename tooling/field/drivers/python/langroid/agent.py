"""langroid's task with an agent that uses the tools of the API, with its defaults and an output cap.

python agent.py [whole]

It speaks Chat Completions with each vendor.
"""

import os
import sys
from importlib.util import find_spec

# LiteLLM brings the tables of the tokenizer, which are loaded from the network otherwise.
LITELLM = find_spec("litellm").submodule_search_locations[0]
os.environ["TIKTOKEN_CACHE_DIR"] = os.path.join(LITELLM, "litellm_core_utils/tokenizers")

import langroid as lr
import langroid.language_models as lm


class Write(lr.agent.ToolMessage):
    request: str = "write"
    purpose: str = "To write the <content> to the text file at <path>."
    path: str
    content: str

    def handle(self) -> str:
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(self.content)
        return f"Wrote {self.path}."


agent = lr.ChatAgent(
    lr.ChatAgentConfig(
        llm=lm.OpenAIGPTConfig(
            chat_model="gpt-5.2",
            api_base=os.environ["OPENAI_BASE_URL"],
            max_output_tokens=1024,
            stream="whole" not in sys.argv,
        ),
        use_tools=False,
        use_functions_api=True,
    )
)
agent.enable_message(Write)
task = lr.Task(agent, interactive=False)
print(task.run("Write the file.", turns=20))

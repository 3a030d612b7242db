"""Qwen-Agent's assistant with a model service that is compatible with OpenAI, and an output cap.

python agent.py

It asks for streams only. The parameters are a JSON Schema: its list form is none.
"""

import os

import json5
from qwen_agent.agents import Assistant
from qwen_agent.tools.base import BaseTool, register_tool


@register_tool("write")
class Write(BaseTool):
    description = "Write a text file."
    parameters = {
        "type": "object",
        "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
        "required": ["path", "content"],
    }

    def call(self, params: str, **kwargs) -> str:
        arguments = json5.loads(params)
        with open(arguments["path"], "w", encoding="utf-8") as file:
            file.write(arguments["content"])
        return f"Wrote {arguments['path']}."


bot = Assistant(
    llm={
        "model": "gpt-5.2",
        "model_type": "oai",
        "model_server": os.environ["OPENAI_BASE_URL"],
        "api_key": os.environ["OPENAI_API_KEY"],
        "generate_cfg": {"max_tokens": 1024, "use_raw_api": True},
    },
    function_list=["write"],
)
response = []
for response in bot.run(messages=[{"role": "user", "content": "Write the file."}]):
    pass
print(response)

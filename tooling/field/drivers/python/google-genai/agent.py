"""The automatic function calling of Google's SDK, with its defaults and an output cap.

python agent.py [whole]
"""

import sys

from google import genai
from google.genai import types


def write(path: str, content: str) -> str:
    """Write a text file."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return f"Wrote {path}."


client = genai.Client()
request = {
    "model": "gemini-3-pro",
    "contents": "Write the file.",
    "config": types.GenerateContentConfig(tools=[write], max_output_tokens=1024),
}
if "whole" in sys.argv:
    print(client.models.generate_content(**request).text)
else:
    for chunk in client.models.generate_content_stream(**request):
        print(chunk.text, end="")

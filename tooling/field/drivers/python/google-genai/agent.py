"""The automatic function calling of Google's SDK in a chat, with its defaults and an output cap.

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
chat = client.chats.create(
    model="gemini-3-pro",
    config=types.GenerateContentConfig(tools=[write], max_output_tokens=1024),
)
if "whole" in sys.argv:
    print(chat.send_message("Write the file.").text)
else:
    for chunk in chat.send_message_stream("Write the file."):
        print(chunk.text, end="")

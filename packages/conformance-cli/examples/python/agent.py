"""A naive agent with nothing but Python's standard library: Chat Completions, replies that do not stream.

It runs every call that it can parse, and ignores the stop reason of the reply.
"""

import json
import os
import urllib.request

URL = os.environ["OPENAI_BASE_URL"] + "/chat/completions"
HEADERS = {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
PARAMETERS = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
    "required": ["path", "content"],
}
WRITE = {"name": "write", "description": "Write a text file.", "parameters": PARAMETERS}


def write(path, content=""):
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
    return "Wrote " + path + "."


def ask(messages):
    body = {"model": "gpt-5.2", "max_tokens": 1024, "messages": messages, "tools": [{"type": "function", "function": WRITE}]}
    request = urllib.request.Request(URL, json.dumps(body).encode(), HEADERS)
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]


def main():
    messages = [{"role": "user", "content": "Write the file."}]
    while True:
        message = ask(messages)
        messages.append(message)
        if not message.get("tool_calls"):
            print(message["content"])
            return
        for call in message["tool_calls"]:
            result = write(**json.loads(call["function"]["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})


main()

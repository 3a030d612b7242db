"""`generate_content_stream` of `google-genai`"""

from functools import cache

import httpx2
from google import genai
from google.genai import errors, types

PROTOCOL = "gemini"
FINISHED = {"STOP"}
ERRORS = (errors.APIError, errors.UnknownApiResponseError, httpx2.HTTPError)
# Arguments in pieces, which a request has to ask for.
SKIPS = (b'"willContinue"', b'"partialArgs"')


@cache
def client_of(server):
    options = types.HttpOptions(base_url=server, timeout=20_000)
    return genai.Client(api_key="not-a-key", http_options=options)


def read(server, request):
    calls, stop = [], None
    for chunk in client_of(server).models.generate_content_stream(
        model="gemini-3.1-pro", contents=request["messages"][0]["content"]
    ):
        for candidate in [one for one in chunk.candidates or [] if not one.index]:
            parts = (candidate.content and candidate.content.parts) or []
            made = [part.function_call for part in parts if part.function_call]
            calls += [(call.name, call.args or {}) for call in made]
            stop = candidate.finish_reason.value if candidate.finish_reason else stop
    return calls, stop

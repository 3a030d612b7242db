import { pageOf } from "../../pages.ts";
import { documented, made, type ReplySources, seen } from "../../sources.ts";
import { replySources } from "../sources.ts";

const wire = "openai-responses";
const stops = pageOf("stops", wire);
const stream = pageOf("stream", wire);
const inputs = pageOf("inputs", wire);

const length = documented(stops, {
  issue: "OpenRouterTeam/typescript-agent#125",
  note: "a response that the cap cut held `function_call` items, the last with a part of its arguments",
  wire,
});

/** What shows that the replies to agents are sent. */
export const responsesSources: ReplySources = replySources(wire, {
  cut: seen(
    { issue: "openai/codex#10148", wire },
    { issue: "openai/codex#45412", note: "the stream closed before `response.completed`", wire },
  ),
  errorInStream: documented(pageOf("errorInStream", wire)),
  usedUp: seen(
    { issue: "jundot/omlx#2817", wire },
    {
      issue: "ollama/ollama#17239",
      note: "a response that reached the cap was reported as `completed`",
      wire,
    },
  ),
  unknownStop: made(stops),
  emptyStop: made(stops),
  length,
  cutInput: made(inputs),
  invalidInput: made(inputs),
  others: {
    "429-twice": documented(pageOf("errors", wire)),
    "incomplete:max_output_tokens": length,
    "incomplete:max_output_tokens-cut-input": length,
    "incomplete:max_output_tokens-sibling-missing": length,
    "incomplete:max_output_tokens-name-only": made(stops),
    "incomplete:content_filter": documented(stops),
    "incomplete:steered": documented({
      url: "https://developers.openai.com/api/docs/guides/websocket-mode",
      note: "sessions over a WebSocket are steered; over HTTP nothing is",
      wire,
    }),
    failed: documented(stream),
    "failed:context_length_exceeded": documented(stream),
    "completed:refusal": made({
      url: "https://developers.openai.com/api/docs/guides/structured-outputs",
      note: "a refusal is a part of the message; nothing is said about calls beside it",
      wire,
    }),
  },
});

import { pageOf } from "../../pages.ts";
import { documented, made, type ReplySources, seen } from "../../sources.ts";
import { replySources } from "../sources.ts";

const responsesName = "openai-responses";
const responsesStops = pageOf("stops", responsesName);
const responsesStream = pageOf("stream", responsesName);
const responsesInputs = pageOf("inputs", responsesName);

/** What shows that the replies to agents are sent. */
export const responsesSources: ReplySources = replySources(responsesName, {
  cut: seen({
    "openai/codex#10148, openai/codex#45412": "the stream closed before `response.completed`",
  }),
  errorInStream: documented(pageOf("errorInStream", responsesName)),
  usedUp: seen({
    "jundot/omlx#2817, ollama/ollama#17239":
      "a response that reached the cap was reported as `completed`",
  }),
  unknownStop: made(responsesStops),
  emptyStop: made(responsesStops),
  lengthStop: "incomplete:max_output_tokens",
  length: documented(responsesStops, {
    "OpenRouterTeam/typescript-agent#125":
      "a response that the cap cut held `function_call` items, the last with a part of its arguments",
  }),
  nameOnly: made(responsesStops),
  secondReply: seen({
    "mnfst/llm-gateway#2072":
      "two whole cycles from `response.created` to `response.completed` in one stream",
  }),
  cutInput: made(responsesInputs),
  invalidInput: made(responsesInputs),
  others: {
    "429-twice": documented(pageOf("errors", responsesName)),
    "incomplete:content_filter": documented(responsesStops),
    "incomplete:steered": documented({
      "https://developers.openai.com/api/docs/guides/websocket-mode":
        "sessions over a WebSocket are steered; over HTTP nothing is",
    }),
    "other-ids-in-output": seen({
      "vllm-project/vllm#47916":
        "`output_item.done` and the final response give one call two values of `call_id`",
    }),
    failed: documented(responsesStream),
    "failed:context_length_exceeded": documented(responsesStream),
    "completed:refusal": made({
      "https://developers.openai.com/api/docs/guides/structured-outputs":
        "a refusal is a part of the message; nothing is said about calls beside it",
    }),
  },
});

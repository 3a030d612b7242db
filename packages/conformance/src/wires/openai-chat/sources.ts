import { pageOf } from "../../pages.ts";
import { documented, made, type ReplySources, seen } from "../../sources.ts";
import { pageInside, replySources } from "../sources.ts";

const chatName = "openai-chat";
const chatStops = pageOf("stops", chatName);

/** vLLM measured how often this happens. */
const chatRelabelled = {
  "vllm-project/vllm#58228":
    "25 of 3,600 generations hit the cap exactly, and each reported `tool_calls`",
};
const chatNameOnly = {
  "vllm-project/vllm#46303":
    "at a cap of 10 tokens only the name of the function had come, and the client saw the arguments `{}`",
};

/** What shows that the replies to agents are sent. */
export const chatSources: ReplySources = replySources(chatName, {
  cut: seen({
    "OpenRouterTeam/ai-sdk-provider#558": "an early end of file became a successful empty call",
    "NousResearch/hermes-agent#80498":
      "a stream closed behind the name of a call, which ran with an empty input",
  }),
  errorInStream: documented(pageOf("errorInStream", chatName)),
  usedUp: seen(chatRelabelled, chatNameOnly),
  unknownStop: made(chatStops),
  emptyStop: seen({
    "CangShui/workbuddy-gateway#3, farion1231/cc-switch#5093": "hosts send an empty stop reason",
  }),
  lengthStop: "length",
  length: documented(chatStops, {
    "vllm-project/vllm#53269": "the same request ends under `length` if it does not stream",
  }),
  nameOnly: seen(chatNameOnly),
  secondReply: seen({
    "BerriAI/litellm#31067":
      "a router asked another model in the middle of a stream, and wrote its reply behind the first",
  }),
  cutInput: seen(
    { "vllm-project/vllm#47963": "3 of 998 requests ended with cut arguments under `tool_calls`" },
    chatNameOnly,
  ),
  invalidInput: documented(pageOf("inputs", chatName)),
  others: {
    "429-twice": documented(pageOf("errors", chatName)),
    "tool_calls:refusal": made(chatStops),
    content_filter: documented(chatStops),
    "text-stop": documented(pageOf("calls", chatName), {
      "vercel/workflow#1387": "three parallel calls under `stop`",
    }),
    "function-call-echo": made({
      "https://developers.openai.com/api/reference/resources/chat/subresources/completions/streaming-events":
        "`tool_calls` replaces `function_call`, which is deprecated",
    }),
    "page-inside": pageInside(chatName),
  },
});

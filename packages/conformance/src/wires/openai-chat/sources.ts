import { pageOf } from "../../pages.ts";
import { documented, made, type ReplySources, seen } from "../../sources.ts";
import { pageInside, replySources } from "../sources.ts";

const chatName = "openai-chat";
const chatStops = pageOf("stops", chatName);

/** vLLM measured how often this happens. */
const chatRelabelled = [
  {
    issue: "vllm-project/vllm#58228",
    note: "25 of 3,600 generations hit the cap exactly, and each reported `tool_calls`",
  },
  {
    issue: "vllm-project/vllm#46303",
    note: "at a cap of 10 tokens only the name of the function had come, and the client saw the arguments `{}`",
  },
] as const;

/** What shows that the replies to agents are sent. */
export const chatSources: ReplySources = replySources(chatName, {
  cut: seen(
    {
      issue: "OpenRouterTeam/ai-sdk-provider#558",
      note: "an early end of file became a successful empty call",
    },
    {
      issue: "NousResearch/hermes-agent#80498",
      note: "a stream closed behind the name of a call, which ran with an empty input",
    },
  ),
  errorInStream: documented(pageOf("errorInStream", chatName)),
  usedUp: seen(...chatRelabelled),
  unknownStop: made(chatStops),
  emptyStop: seen(
    { issue: "CangShui/workbuddy-gateway#3" },
    { issue: "farion1231/cc-switch#5093", note: "hosts send an empty stop reason" },
  ),
  lengthStop: "length",
  length: documented(chatStops, {
    issue: "vllm-project/vllm#53269",
    note: "the same request ends under `length` if it does not stream",
  }),
  nameOnly: seen(chatRelabelled[1]),
  secondReply: seen({
    issue: "BerriAI/litellm#31067",
    note: "a router asked another model in the middle of a stream, and wrote its reply behind the first",
  }),
  cutInput: seen(
    {
      issue: "vllm-project/vllm#47963",
      note: "3 of 998 requests ended with cut arguments under `tool_calls`",
    },
    chatRelabelled[1],
  ),
  invalidInput: documented(pageOf("inputs", chatName)),
  others: {
    "429-twice": documented(pageOf("errors", chatName)),
    "tool_calls:refusal": made(chatStops),
    content_filter: documented(chatStops),
    "text-stop": documented(pageOf("calls", chatName), {
      issue: "vercel/workflow#1387",
      note: "three parallel calls under `stop`",
    }),
    "function-call-echo": made({
      url: "https://developers.openai.com/api/reference/resources/chat/subresources/completions/streaming-events",
      note: "`tool_calls` replaces `function_call`, which is deprecated",
    }),
    "page-inside": pageInside(chatName),
  },
});

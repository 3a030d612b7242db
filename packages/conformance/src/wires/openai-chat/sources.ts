import { pageOf } from "../../pages.ts";
import { documented, made, type ReplySources, seen } from "../../sources.ts";
import { pageInside, replySources } from "../sources.ts";

const wire = "openai-chat";
const stops = pageOf("stops", wire);

/** vLLM measured how often this happens. */
const relabelled = [
  {
    issue: "vllm-project/vllm#58228",
    note: "25 of 3,600 generations hit the cap exactly, and each reported `tool_calls`",
    wire,
  },
  {
    issue: "vllm-project/vllm#46303",
    note: "at a cap of 10 tokens only the name of the function had come, and the client saw the arguments `{}`",
    wire,
  },
] as const;

const length = documented(stops, {
  issue: "vllm-project/vllm#53269",
  note: "the same request ends under `length` if it does not stream",
  wire,
});

/** What shows that the replies to agents are sent. */
export const chatSources: ReplySources = replySources(wire, {
  cut: seen(
    {
      issue: "OpenRouterTeam/ai-sdk-provider#558",
      note: "an early end of file became a successful empty call",
      wire,
    },
    {
      issue: "NousResearch/hermes-agent#80498",
      note: "a stream closed behind the name of a call, which ran with an empty input",
      wire,
    },
  ),
  errorInStream: documented(pageOf("errorInStream", wire)),
  usedUp: seen(...relabelled),
  unknownStop: made(stops),
  emptyStop: seen(
    { issue: "CangShui/workbuddy-gateway#3", wire },
    { issue: "farion1231/cc-switch#5093", note: "hosts send an empty stop reason", wire },
  ),
  length,
  cutInput: seen(
    {
      issue: "vllm-project/vllm#47963",
      note: "3 of 998 requests ended with cut arguments under `tool_calls`",
      wire,
    },
    relabelled[1],
  ),
  invalidInput: documented(pageOf("inputs", wire)),
  others: {
    "429-twice": documented(pageOf("errors", wire)),
    length,
    "length-cut-input": length,
    "length-sibling-missing": length,
    "length-name-only": seen(relabelled[1]),
    "tool_calls:refusal": made(stops),
    content_filter: documented(stops),
    "text-stop": documented(pageOf("calls", wire), {
      issue: "vercel/workflow#1387",
      note: "three parallel calls under `stop`",
      wire,
    }),
    "page-inside": pageInside(wire),
  },
});

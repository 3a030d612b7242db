import { pageOf } from "../../pages.ts";
import { documented, made, type ReplySources, seen } from "../../sources.ts";
import { replySources } from "../sources.ts";

const wire = "anthropic-messages";
const stops = pageOf("stops", wire);
const inputs = pageOf("inputs", wire);
const stream = pageOf("stream", wire);

const cut = seen({
  issue: "anthropics/anthropic-sdk-typescript#842",
  note: "the stream closed in the middle of a large input, without a stop reason and `message_stop`",
  wire,
});
const length = documented(stops, inputs);
const withoutTerminal = seen({
  issue: "esengine/DeepSeek-Reasonix#8756",
  note: "gateways close the stream behind the stop reason, without `message_stop`",
  wire,
});

/** What shows that the replies to agents are sent. */
export const anthropicSources: ReplySources = replySources(wire, {
  cut,
  errorInStream: documented(pageOf("errorInStream", wire)),
  usedUp: seen({
    issue: "ai-dynamo/dynamo#13791",
    note: "a server reported a call that the cap had cut as finished, on its Messages API too",
    wire,
  }),
  unknownStop: documented({
    url: "https://platform.claude.com/docs/en/api/versioning",
    note: "new values may be added to enum-like outputs",
    wire,
  }),
  emptyStop: made(stops),
  length,
  cutInput: seen({
    issue: "anthropics/anthropic-sdk-python#1317",
    note: "half an input under a normal end",
    wire,
  }),
  invalidInput: documented(inputs),
  others: {
    "429-twice": documented(pageOf("errors", wire)),
    max_tokens: length,
    "max_tokens-cut-input": length,
    "max_tokens-sibling-missing": length,
    "max_tokens-name-only": seen({
      issue: "ai-dynamo/dynamo#13792",
      note: "an input of which nothing had come became `{}` under `max_tokens`",
      wire,
    }),
    model_context_window_exceeded: documented(stops),
    pause_turn: documented(stops),
    refusal: {
      evidence: "documented",
      references: [
        stops,
        {
          issue: "leookun/cursor-byok#423",
          note: "a refusal after a `tool_use` block, which was run",
          wire,
        },
      ],
    },
    sensitive: made(stops),
    terminated: seen({
      issue: "anthropics/anthropic-sdk-python#1317",
      note: "the stop reason beside an input that was cut",
      wire,
    }),
    "cut-before-terminal": withoutTerminal,
    "reset-before-terminal": made(stream),
  },
});

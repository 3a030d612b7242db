import { pageOf } from "../../pages.ts";
import { documented, made, type ReplySources, seen } from "../../sources.ts";
import { replySources } from "../sources.ts";

const messagesName = "anthropic-messages";
const messagesStops = pageOf("stops", messagesName);
const messagesInputs = pageOf("inputs", messagesName);
const messagesStream = pageOf("stream", messagesName);

const messagesCut = seen({
  "anthropics/anthropic-sdk-typescript#842":
    "the stream closed in the middle of a large input, without a stop reason and `message_stop`",
});
const withoutTerminal = seen({
  "esengine/DeepSeek-Reasonix#8756":
    "gateways close the stream behind the stop reason, without `message_stop`",
});

/** What shows that the replies to agents are sent. */
export const anthropicSources: ReplySources = replySources(messagesName, {
  cut: messagesCut,
  errorInStream: documented(pageOf("errorInStream", messagesName)),
  usedUp: seen({
    "ai-dynamo/dynamo#13791":
      "a server reported a call that the cap had cut as finished, on its Messages API too",
  }),
  unknownStop: documented({
    "https://platform.claude.com/docs/en/api/versioning":
      "new values may be added to enum-like outputs",
  }),
  emptyStop: made(messagesStops),
  lengthStop: "max_tokens",
  length: documented(messagesStops, messagesInputs),
  nameOnly: seen({
    "ai-dynamo/dynamo#13792": "an input of which nothing had come became `{}` under `max_tokens`",
  }),
  secondReply: seen({
    "vercel/ai#18331":
      "an intermediary asked again, and wrote the second message behind the first, which was cut",
  }),
  cutInput: seen({ "anthropics/anthropic-sdk-python#1317": "half an input under a normal end" }),
  invalidInput: documented(messagesInputs),
  others: {
    "429-twice": documented(pageOf("errors", messagesName)),
    model_context_window_exceeded: documented(messagesStops),
    pause_turn: documented(messagesStops),
    refusal: documented(messagesStops, {
      "leookun/cursor-byok#423": "a refusal after a `tool_use` block, which was run",
    }),
    sensitive: made(messagesStops),
    terminated: seen({
      "anthropics/anthropic-sdk-python#1317": "the stop reason beside an input that was cut",
    }),
    "block-ends-twice": seen({
      "BerriAI/litellm#37273":
        "two `content_block_stop` for one `tool_use` block, and the tool ran twice",
    }),
    "message-ends-twice": seen({
      "katanemo/plano#898": "a gateway sent `message_stop` twice if its end came in two chunks",
    }),
    "cut-before-terminal": withoutTerminal,
    "reset-before-terminal": made(messagesStream),
  },
});

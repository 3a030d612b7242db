import { pageOf } from "../../pages.ts";
import { documented, made, type ReplySources, seen } from "../../sources.ts";
import { replySources } from "../sources.ts";

const messagesName = "anthropic-messages";
const messagesStops = pageOf("stops", messagesName);
const messagesInputs = pageOf("inputs", messagesName);
const messagesStream = pageOf("stream", messagesName);

const messagesCut = seen({
  issue: "anthropics/anthropic-sdk-typescript#842",
  note: "the messagesStream closed in the middle of a large input, without a stop reason and `message_stop`",
});
const withoutTerminal = seen({
  issue: "esengine/DeepSeek-Reasonix#8756",
  note: "gateways close the messagesStream behind the stop reason, without `message_stop`",
});

/** What shows that the replies to agents are sent. */
export const anthropicSources: ReplySources = replySources(messagesName, {
  cut: messagesCut,
  errorInStream: documented(pageOf("errorInStream", messagesName)),
  usedUp: seen({
    issue: "ai-dynamo/dynamo#13791",
    note: "a server reported a call that the cap had cut as finished, on its Messages API too",
  }),
  unknownStop: documented({
    url: "https://platform.claude.com/docs/en/api/versioning",
    note: "new values may be added to enum-like outputs",
  }),
  emptyStop: made(messagesStops),
  lengthStop: "max_tokens",
  length: documented(messagesStops, messagesInputs),
  nameOnly: seen({
    issue: "ai-dynamo/dynamo#13792",
    note: "an input of which nothing had come became `{}` under `max_tokens`",
  }),
  secondReply: seen({
    issue: "vercel/ai#18331",
    note: "an intermediary asked again, and wrote the second message behind the first, which was cut",
  }),
  cutInput: seen({
    issue: "anthropics/anthropic-sdk-python#1317",
    note: "half an input under a normal end",
  }),
  invalidInput: documented(messagesInputs),
  others: {
    "429-twice": documented(pageOf("errors", messagesName)),
    model_context_window_exceeded: documented(messagesStops),
    pause_turn: documented(messagesStops),
    refusal: {
      evidence: "documented",
      references: [
        messagesStops,
        {
          issue: "leookun/cursor-byok#423",
          note: "a refusal after a `tool_use` block, which was run",
        },
      ],
    },
    sensitive: made(messagesStops),
    terminated: seen({
      issue: "anthropics/anthropic-sdk-python#1317",
      note: "the stop reason beside an input that was cut",
    }),
    "block-ends-twice": seen({
      issue: "BerriAI/litellm#37273",
      note: "two `content_block_stop` for one `tool_use` block, and the tool ran twice",
    }),
    "message-ends-twice": seen({
      issue: "katanemo/plano#898",
      note: "a gateway sent `message_stop` twice if its end came in two chunks",
    }),
    "cut-before-terminal": withoutTerminal,
    "reset-before-terminal": made(messagesStream),
  },
});

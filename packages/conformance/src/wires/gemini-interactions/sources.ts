import { pageOf } from "../../pages.ts";
import { documented, made, type ReplySources, seen } from "../../sources.ts";
import { pageInside, replySources } from "../sources.ts";

const interactionsName = "gemini-interactions";
const interactionsStops = pageOf("stops", interactionsName);
const interactionsInputs = pageOf("inputs", interactionsName);
const byStop = made(interactionsStops);

/** What shows that the replies to agents are sent. No public recording has a call that was cut. */
export const interactionsSources: ReplySources = replySources(interactionsName, {
  cut: seen({ "LionSR/TeXRA#6550": "a stream ended without `interaction.completed`" }),
  errorInStream: made(pageOf("errorInStream", interactionsName)),
  usedUp: byStop,
  unknownStop: byStop,
  emptyStop: byStop,
  lengthStop: "incomplete",
  length: byStop,
  nameOnly: byStop,
  secondReply: made(pageOf("stream", interactionsName)),
  cutInput: made(interactionsInputs),
  invalidInput: made(interactionsInputs),
  others: {
    "429-twice": documented(pageOf("errors", interactionsName)),
    failed: byStop,
    requires_continuation: documented({
      "https://github.com/googleapis/js-genai":
        "version 3.0: the same request is sent again, with the token",
    }),
    "page-inside": pageInside(interactionsName),
  },
});

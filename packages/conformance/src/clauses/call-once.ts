import type { TurnEvent } from "@fullstop/core/adapter";
import type { ClauseTable } from "../clause.ts";
import { type Check, outline } from "../harness/check.ts";
import { checkReply, type Harness } from "../harness/harness.ts";
import { isObject, nestedValues, tryParseJson } from "../harness/json.ts";
import {
  describeExcess,
  noExcess,
  repeatedReplies,
  repliesBehindACall,
  whyNoRepetition,
  whyNoSecondReply,
} from "../harness/second-reply.ts";
import { repeatedCalls, secondReplies } from "../loop/call-scripts.ts";
import { expectNoMoreRuns } from "../loop/checks.ts";
import { referencesAbout } from "../reference.ts";
import type { AdapterSubject } from "../subject.ts";
import { changeAdapter, changeFrames, ignoreReasons } from "./mutants.ts";

/** Finds calls that a sound decoder does not find. Created for each reply. */
interface CallFinder {
  find(native: unknown): readonly TurnEvent[];
  /** Called behind each native event with what the decoder read. */
  note(native: unknown, read: readonly TurnEvent[]): void;
}

/** A decoder that also gives out the calls of a finder. */
const alsoFind = (create: () => CallFinder): ((sound: AdapterSubject) => AdapterSubject) =>
  changeAdapter((adapter) => ({
    decoder: (emit) => {
      const finder = create();
      let read: TurnEvent[] = [];
      const decode = adapter.decoder((event) => {
        read.push(event);
        emit(event);
      });
      const decodeMore = (native: unknown): void => {
        for (const event of finder.find(native)) emit(event);
        read = [];
        decode(native);
        finder.note(native, read);
      };
      return Object.assign(decodeMore, decode.settle && { settle: decode.settle });
    },
  }));

const again = (event: TurnEvent): TurnEvent => ({
  ...event,
  ...("key" in event && { key: `${event.key} again` }),
  ...(event.type === "tool-input-start" && { id: `${event.id}_again` }),
});

const runAtEachEnd = alsoFind(() => {
  const calls = new Map<unknown, TurnEvent[]>();
  const ended = new Map<string, readonly TurnEvent[]>();
  return {
    find: (native) => (ended.get(JSON.stringify(native)) ?? []).map(again),
    note(native, read) {
      for (const event of read) {
        if (!event.type.startsWith("tool-input") || !("key" in event)) continue;
        const events = calls.get(event.key) ?? [];
        calls.set(event.key, [...events, event]);
        if (event.type === "tool-input-end") ended.set(JSON.stringify(native), [...events, event]);
      }
    },
  };
});

/** A call in a native event, with the whole text of its input. */
interface ListedCall {
  readonly id: string;
  readonly name: string;
  readonly inputText: string;
}

const eventsOf = ({ id, name, inputText }: ListedCall): readonly TurnEvent[] => [
  { type: "tool-input-start", key: `listed ${id}`, id, name },
  { type: "tool-input-delta", key: `listed ${id}`, text: inputText },
  { type: "tool-input-end", key: `listed ${id}` },
];

function listedCall(value: unknown, id: unknown): readonly ListedCall[] {
  if (!isObject(value) || typeof id !== "string") return [];
  const { name, arguments: inputText } = value;
  return typeof name === "string" &&
    typeof inputText === "string" &&
    isObject(tryParseJson(inputText))
    ? [{ id, name, inputText }]
    : [];
}

/** Takes a call of the final response under an id that is new for another call. */
const runUnderEachId = alsoFind(() => {
  const ids = new Set<unknown>();
  return {
    find: (native) =>
      [...nestedValues(native)]
        .flatMap((value) => (isObject(value) ? listedCall(value, value["call_id"]) : []))
        .filter(({ id }) => ids.size > 0 && !ids.has(id))
        .flatMap(eventsOf),
    note(_, read) {
      for (const event of read) if (event.type === "tool-input-start") ids.add(event.id);
    },
  };
});

/** Takes the deprecated `function_call` for a call of its own. */
const runFunctionCalls = alsoFind(() => ({
  find: (native) =>
    [...nestedValues(native)]
      .flatMap((value) =>
        isObject(value) ? listedCall(value["function_call"], "function_call") : [],
      )
      .flatMap(eventsOf),
  note: () => undefined,
}));

async function* checkRepetitions(harness: Harness): AsyncGenerator<Check> {
  for (const { at, frames, calls } of repeatedReplies(harness.wire))
    yield checkReply(harness, at, frames, outline({ stopReason: "tool-use", calls }));
}

async function* checkRepliesBehindCalls(harness: Harness): AsyncGenerator<Check> {
  for (const { at, frames, calls } of repliesBehindACall(harness.wire))
    yield checkReply(harness, at, frames, {
      expected: noExcess,
      describe: (turn) => describeExcess(turn.calls, calls),
    });
}

/** Clauses about a call that is said twice, and a body with two replies: each call runs once. */
export const callOnceClauses: ClauseTable = {
  "call.once": {
    rule: "A call runs once, also if the host lists it a second time under another id or without one, or ends it twice.",
    references: [
      ...referencesAbout("openai-responses", {
        "vllm-project/vllm#47916":
          "the final response gives a call another `call_id` than the events before",
      }),
      ...referencesAbout("anthropic-messages", {
        "BerriAI/litellm#37273":
          "two `content_block_stop` for one `tool_use` block, and the tool ran twice",
        "katanemo/plano#898": "a gateway sent `message_stop` twice",
      }),
      ...referencesAbout("openai-chat", {
        "https://developers.openai.com/api/reference/resources/chat/subresources/completions/streaming-events":
          "`tool_calls` replaces `function_call`, which is deprecated",
      }),
    ],
    // The reply contradicts its protocol, so a program may also refuse it.
    forLoops: {
      rule: "A call does not run twice if the host lists it a second time under another id or without one, or ends it twice.",
      level: "should",
    },
    adapter: { whyNotAsked: whyNoRepetition, check: checkRepetitions },
    loop: expectNoMoreRuns(repeatedCalls),
    mutants: {
      "runs a call at each of its ends": runAtEachEnd,
      "runs a call under each of its ids": runUnderEachId,
      "runs `function_call` beside `tool_calls`": runFunctionCalls,
    },
  },
  "call.one-reply": {
    rule: "No call of a reply runs if it was cut and another reply follows in the same body.",
    references: [
      ...referencesAbout("anthropic-messages", {
        "vercel/ai#18331":
          "an intermediary asked again, and wrote the second message behind the first",
      }),
      ...referencesAbout("openai-chat", {
        "BerriAI/litellm#31067, BerriAI/litellm#36267, BerriAI/litellm#32835":
          "a router asks another model in the middle of a stream",
      }),
      ...referencesAbout("openai-responses", {
        "mnfst/llm-gateway#2072": "two whole responses in one stream",
      }),
      ...referencesAbout("gemini-generate-content", {
        "https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse":
          "`responseId` identifies each response",
      }),
    ],
    // No vendor tells a client to compare these ids.
    forLoops: { level: "should" },
    adapter: { whyNotAsked: whyNoSecondReply, check: checkRepliesBehindCalls },
    loop: expectNoMoreRuns(secondReplies),
    mutants: {
      "runs the calls of a reply that contradicts itself": ignoreReasons("malformed-frame"),
      "reads every event as a part of the first reply": (sound) =>
        changeFrames((payloads) =>
          payloads.map((payload) => payload.replaceAll(/_second(?=")/g, "")),
        )(sound),
    },
  },
};

import type { ClauseTable, Question } from "../clause.ts";
import { repliesToBoundaries } from "../harness/boundaries.ts";
import { evenlySpread, prefixLengths, render, smallSample, wholeAnswer } from "../harness/bytes.ts";
import { type Check, type Level, withBytes } from "../harness/check.ts";
import {
  answerWith,
  checkRequestByLevel,
  firstMessages,
  type Harness,
  nextMessages,
  sentBody,
} from "../harness/harness.ts";
import { nestedValues, sameJson, tryParseJson } from "../harness/json.ts";
import { finishedReply } from "../harness/mutate.ts";
import { readCall } from "../harness/scenarios.ts";
import { waysOf } from "../harness/ways.ts";
import { checkRuns } from "../loop/checks.ts";
import { checkRequests, findWithheldCall } from "../loop/request-checks.ts";
import { withoutRuns } from "../loop/scripts.ts";
import { loopAround } from "../loop/small-loop.ts";
import { onlyForCalls } from "../loop/text-inputs.ts";
import type { Wire } from "../wire.ts";
import {
  alterTurn,
  changeMessages,
  changeRequests,
  changeTurns,
  keepWithheldCalls,
} from "./mutants.ts";

async function* checkCapSent(harness: Harness): AsyncGenerator<Check> {
  for (const maxTokens of [7919, 104_729]) {
    const values = [...nestedValues(tryParseJson(await sentBody(harness, { maxTokens })))];
    const actual = values.includes(maxTokens) ? "sent" : "not sent";
    yield { at: `maxTokens ${maxTokens}`, expected: "sent", actual };
  }
}

/** The first request, and the one after each exchange, cut after each event. */
async function* checkByLevel(harness: Harness): AsyncGenerator<Readonly<Record<Level, Check>>> {
  yield checkRequestByLevel(harness, "the first request", firstMessages);
  for (const { at, bytes } of repliesToBoundaries(harness)) {
    const turn = await harness.read(bytes);
    yield checkRequestByLevel(harness, `after ${at}`, nextMessages(firstMessages, turn));
  }
}

/** The checks of a level that was not asked yet. */
const keptChecks: Readonly<Record<Level, WeakMap<Harness, readonly Check[]>>> = {
  must: new WeakMap(),
  should: new WeakMap(),
};

/** The clauses of both levels look at the same requests: the first that is asked sends them. */
const checkNextRequests = (level: Level): Question<Harness>["check"] =>
  async function* (harness) {
    const kept = keptChecks[level].get(harness);
    keptChecks[level].delete(harness);
    if (kept !== undefined) return yield* kept;
    const other = level === "must" ? "should" : "must";
    const others: Check[] = [];
    for await (const checks of checkByLevel(harness)) {
      others.push(checks[other]);
      yield checks[level];
    }
    keptChecks[other].set(harness, others);
  };

async function* checkReplayedBlocks(harness: Harness): AsyncGenerator<Check> {
  for (const { name, frames, body, replays = [], omits = [] } of harness.wire.fixtures ?? []) {
    for (const [suffix, sent] of waysOf(harness, { frames, body })) {
      const { answer, bytes } = answerWith(harness.wire, sent);
      const messages = nextMessages(firstMessages, await harness.ask(answer));
      const values = [...nestedValues(tryParseJson(await sentBody(harness, { messages })))];
      const check = (wanted: unknown, expected: "there" | "not there"): Check => {
        const actual = values.some((value) => sameJson(value, wanted)) ? "there" : "not there";
        const at = `${name}${suffix}: ${JSON.stringify(wanted)}`;
        return withBytes({ at, expected, actual }, bytes);
      };
      for (const wanted of replays) yield check(wanted, "there");
      for (const orphan of omits) yield check(orphan, "not there");
    }
  }
}

const streamsIn = ({ streams, agent }: Wire): Wire["streams"] => streams ?? agent?.streams;

const whyNoStreamAsked = ({ wire, wholeAdapter }: Harness): string | undefined => {
  if (wholeAdapter === undefined)
    return "the subject has no adapter that asks for replies in one piece: `wholeAdapter`";
  return streamsIn(wire) === undefined
    ? "the wire does not say which requests ask for a stream: it has no `streams`"
    : undefined;
};

async function* checkNoStream(harness: Harness): AsyncGenerator<Check> {
  await harness.read(wholeAnswer("{}"));
  const request = harness.host.received();
  const expected = "no stream asked for";
  const asks = request !== undefined && streamsIn(harness.wire)?.(request);
  const at = "a request for a reply in one piece";
  yield asks
    ? { at, expected, actual: "a stream asked for", bytes: request.body, bytesOf: "request" }
    : { at, expected, actual: expected };
}

/** An input that occurs nowhere else in the request. */
const marker = "/only/in/this/input";

async function* checkWithheldCalls(harness: Harness): AsyncGenerator<Check> {
  const rendered = render(
    harness.wire,
    finishedReply(harness, [{ ...readCall, input: { path: marker } }]),
  );
  const { bytes, completeLength } = rendered;
  const cuts = prefixLengths(rendered, { exhaustive: false }).filter(
    (length) => length < completeLength,
  );
  for (const length of [...evenlySpread(cuts, smallSample(harness)), bytes.length]) {
    const sent = bytes.subarray(0, length);
    const messages = nextMessages(firstMessages, await harness.read(sent));
    const body = await sentBody(harness, { messages });
    yield withBytes(
      {
        at: `a call, ${length} of ${completeLength} bytes`,
        expected: length < completeLength ? "not in the request" : "in the request",
        actual: body.includes(marker) ? "in the request" : "not in the request",
      },
      sent,
    );
  }
}

const sayWithheldCalls = changeTurns((turn) =>
  turn.withheld.length === 0
    ? turn
    : alterTurn(turn, {
        message: {
          role: "assistant",
          content: turn.withheld.map(({ inputText }) => ({ type: "text", text: inputText })),
        },
      }),
);

export const requestClauses: ClauseTable = {
  "request.cap": {
    rule: "The output cap that is sent is the one that the request names.",
    references: {
      "mattmezza/humux#77":
        "a cap that was not requested, and thirty loops; the gate compares with what was sent",
    },
    adapter: { check: checkCapSent },
    mutants: {
      "sends another cap than the request's": changeRequests((request) => ({
        ...request,
        maxTokens: 4096,
      })),
    },
  },
  "request.whole": {
    rule: "A request for a reply in one piece does not ask for a stream.",
    references: {
      "superagent-ai/superagent#978": "a stream was asked for although streaming was turned off",
    },
    adapter: { whyNotAsked: whyNoStreamAsked, check: checkNoStream },
    mutants: {
      "asks for a stream in place of a reply in one piece": (sound) => ({
        ...sound,
        wholeAdapter: sound.adapter,
      }),
    },
  },
  "request.valid": {
    rule: "The request after any reply, complete or cut, keeps the vendor's rules for histories.",
    references: {
      "anthropics/claude-code#8210, google-gemini/gemini-cli#16202, letta-ai/letta#3273":
        "after one invalid request every later one gets the same 400",
    },
    forLoops: { pages: "results" },
    adapter: { check: checkNextRequests("must") },
    loop: checkRequests("must"),
    mutants: {
      "sends calls without results": changeMessages((message) =>
        message.role === "tool" ? [] : [message],
      ),
    },
    loopMutants: { "answers calls that never ran with only a note": loopAround(keepWithheldCalls) },
  },
  "request.every-host": {
    rule: "The request after any reply also keeps rules that only some hosts of the protocol are known to enforce: for example, the arguments of its calls are JSON.",
    level: "should",
    references: {
      "vllm-project/vllm#43995, OpenHands/software-agent-sdk#2887":
        "vLLM and llama.cpp refused arguments that are not JSON, and every later request with them",
      "BerriAI/litellm#40369": "gateways refuse them too, and OpenAI does not",
      "router-for-me/CLIProxyAPI#3485": "an empty text beside a call",
    },
    adapter: { check: checkNextRequests("should") },
    loop: checkRequests("should"),
    mutants: {
      "sends calls with inputs that are not JSON": changeMessages((message) => [
        message.role === "assistant"
          ? {
              ...message,
              content: message.content.map((block) =>
                block.type === "tool-call" ? { ...block, inputText: `${block.inputText}}` } : block,
              ),
            }
          : message,
      ]),
    },
  },
  "request.replay": {
    rule: "What a provider wants back (signatures, server calls and their results, containers) is sent back unchanged, and without parts that belong to nothing.",
    references: {
      "anthropics/claude-code#63284, openai/openai-agents-js#1280, enricoros/big-AGI#1010":
        "changed or lost blocks are a 400, or lost work",
    },
    adapter: {
      whyNotAsked: ({ wire }) =>
        wire.fixtures?.some(({ replays, omits }) => replays ?? omits)
          ? undefined
          : "the wire has no fixture with `replays` or `omits`",
      check: checkReplayedBlocks,
    },
    mutants: {
      "drops blocks that it does not know": changeMessages((message) => [
        message.role === "assistant"
          ? { ...message, content: message.content.filter(({ type }) => type !== "native") }
          : message,
      ]),
    },
  },
  "request.withheld": {
    rule: "A withheld call is not in the next request, unless a result beside it says that it did not run. A call that ran is.",
    references: {
      "modelscope/ms-agent#909":
        "a cut turn was continued with its call in it, and every request after that was a 400",
    },
    // If the vendor refuses the request, `request.valid` shows that, and this is not judged.
    forLoops: { level: "should" },
    adapter: { check: checkWithheldCalls },
    loop: checkRuns(onlyForCalls(withoutRuns), findWithheldCall),
    mutants: { "keeps the inputs of withheld calls in the next request": keepWithheldCalls },
    loopMutants: { "sends the inputs of withheld calls as texts": loopAround(sayWithheldCalls) },
  },
};

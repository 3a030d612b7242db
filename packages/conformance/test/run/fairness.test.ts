import { expect, test } from "vitest";
import { clauses, judge, report, type Subject, type Verdict } from "../../src/index.ts";
import acme from "../acme.ts";
import {
  type Continue,
  chatLoop,
  contentOf,
  geminiLoop,
  messageOf,
  messagesLoop,
  partsOf,
  type Reply,
  streamingMessagesLoop,
} from "./small-loops.ts";

async function verdictOf(subject: Subject, only: string): Promise<Verdict> {
  for await (const verdict of judge(subject, { only })) return verdict;
  throw new Error(`no verdict on ${only}`);
}
async function expectKept(subject: Subject, ...clauses: readonly string[]): Promise<void> {
  for (const clause of clauses) {
    const verdict = await verdictOf(subject, clause);
    expect(verdict.status, report(verdict)).toBe("kept");
  }
}
/** The verdict on a clause that the subject only should keep. */
async function adviceOf(subject: Subject, clause: string): Promise<Verdict> {
  const verdict = await verdictOf(subject, clause);
  expect(verdict.clause.level).toBe("should");
  return verdict;
}
const brokenIds = ({ broken }: Verdict): readonly (string | undefined)[] =>
  broken.map(({ id }) => id);

/** Runs the calls of a message of Anthropic, as its page says: under `tool_use` only. */
const runUnderToolUse: Continue = (reply) => {
  const content = contentOf(reply);
  if (reply.stop === "pause_turn") return [{ role: "assistant", content }];
  if (reply.stop !== "tool_use") return undefined;
  const calls = content.filter(({ type }) => type === "tool_use");
  return [
    { role: "assistant", content },
    {
      role: "user",
      content: calls.map(({ id, input }) => ({
        type: "tool_result",
        tool_use_id: id,
        content: reply.run(input),
      })),
    },
  ];
};

const serverTool = { type: "code_execution_20250825", name: "code_execution" };

test("an agent that sends a paused turn back is not accused", async () => {
  const seen: string[] = [];
  const loop = messagesLoop(
    (reply) => {
      seen.push(reply.stop);
      return runUnderToolUse(reply);
    },
    [serverTool],
  );
  await expectKept(loop, "request.valid", "request.withheld", "stop.words");
  expect(seen).toContain("pause_turn");
});

test("a turn is paused only for agents that offer a tool of the provider", async () => {
  const seen: string[] = [];
  const loop = messagesLoop((reply) => {
    seen.push(reply.stop);
    return runUnderToolUse(reply);
  });
  await expectKept(loop, "request.valid");
  expect(seen).not.toContain("pause_turn");
});

test("an agent that drops the paused turn and goes on is accused", async () => {
  const loop = messagesLoop(
    (reply) =>
      reply.stop === "pause_turn"
        ? [{ role: "assistant", content: [{ type: "text", text: "Counting." }] }]
        : runUnderToolUse(reply),
    [serverTool],
  );
  const verdict = await verdictOf(loop, "request.valid");
  expect(brokenIds(verdict)).toEqual(["pause_turn"]);
  expect(verdict.broken[0]?.actual).toContain("must end with a user message");
});

test("Anthropic: a call under `end_turn` need not run", async () => {
  await expectKept(messagesLoop(runUnderToolUse), "stop.whole");
});

interface ChatCall {
  readonly id: string;
  readonly function: { readonly arguments: string };
}
const chatCalls = (message: Readonly<Record<string, unknown>>): readonly ChatCall[] =>
  (message["tool_calls"] ?? []) as readonly ChatCall[];
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Runs the calls of a message of Chat Completions if `mayRun` says so. */
const runCallsIf =
  (mayRun: (reply: Reply) => boolean): Continue =>
  (reply) => {
    const message = messageOf(reply);
    if (!mayRun(reply) || chatCalls(message).length === 0) return undefined;
    return [
      message,
      ...chatCalls(message).map((call) => ({
        role: "tool",
        tool_call_id: call.id,
        content: reply.run(JSON.parse(call.function.arguments)),
      })),
    ];
  };

test("Chat Completions: a call under `stop` must run only if the request forces a call", async () => {
  const runs = runCallsIf(({ stop }) => stop === "tool_calls");
  await expectKept(chatLoop(runs), "stop.whole");
  const unforced = await adviceOf(chatLoop(runs), "stop.text-word");
  expect(brokenIds(unforced)).toEqual(["text-stop"]);
  const forcing = chatLoop(runs, { tool_choice: "required" });
  expect(brokenIds(await verdictOf(forcing, "stop.whole"))).toEqual(["text-stop"]);
  expect(await verdictOf(forcing, "stop.text-word")).toMatchObject({ status: "not-asked" });
});

test("Chat Completions: a refusal beside calls is a should", async () => {
  const runs = runCallsIf(({ stop }) => stop === "tool_calls" || stop === "stop");
  await expectKept(chatLoop(runs), "stop.words");
  const verdict = await adviceOf(chatLoop(runs), "stop.without-calls");
  expect(brokenIds(verdict)).toEqual(["tool_calls:refusal"]);
  const careful = runCallsIf((reply) => messageOf(reply)["refusal"] === null);
  await expectKept(chatLoop(careful), "stop.without-calls");
});

test("the cap: a name without its input and a call without its sibling are not a finished plan", async () => {
  const parses = ({ body }: Reply): boolean =>
    chatCalls(messageOf({ stop: "", body, run: () => "" })).every(
      (call) => parse(call.function.arguments) !== undefined,
    );
  const runsWhatParses = runCallsIf((reply) => reply.stop !== "content_filter" && parses(reply));
  const verdict = await verdictOf(chatLoop(runsWhatParses), "stop.words");
  expect(verdict.clause.level).toBe("must");
  expect(brokenIds(verdict)).toEqual([
    "length-name-only",
    "length",
    "length-small-usage",
    "length-sibling-missing",
  ]);
  expect(verdict.broken[0]).toMatchObject({
    severity: "damaged",
    actual: expect.stringContaining("runs write {}"),
  });
});

/** Runs every call, whatever ended the reply. */
const geminiResults =
  (withIds: boolean): Continue =>
  (reply) => {
    const parts = partsOf(reply);
    const calls = parts.flatMap(({ functionCall }) =>
      functionCall === undefined ? [] : [functionCall as Readonly<Record<string, unknown>>],
    );
    if (reply.stop !== "STOP" || calls.length === 0) return undefined;
    const withoutSignatures = parts.map(({ thoughtSignature: _, ...part }) => part);
    return [
      { role: "model", parts: withIds ? parts : withoutSignatures },
      {
        role: "user",
        parts: calls.map(({ id, name, args }) => ({
          functionResponse: {
            ...(withIds && { id }),
            name,
            response: { output: reply.run(args) },
          },
        })),
      },
    ];
  };

test("Gemini 2.5: a result without an id and a call without a signature are valid", async () => {
  await expectKept(geminiLoop("gemini-2.5-flash", geminiResults(false)), "request.valid");
});

test("Gemini 3: a call without its signature is not", async () => {
  await expectKept(geminiLoop("gemini-3.1-pro", geminiResults(true)), "request.valid");
  const verdict = await verdictOf(
    geminiLoop("gemini-3.1-pro", geminiResults(false)),
    "request.valid",
  );
  expect(verdict.broken[0]?.actual).toContain("missing a thought_signature");
  expect(verdict.broken[0]?.bytes).toContain('"functionCall"');
});

test("Gemini: a whole call at the cap, again and again, is not a cut call", async () => {
  const verdict = await verdictOf(
    geminiLoop("gemini-2.5-flash", geminiResults(true)),
    "recovery.bounded",
  );
  expect(verdict).toMatchObject({ status: "not-asked" });
  expect(verdict.reason).toContain("recovery.circle asks that");
});

test("Gemini: stop reasons with which no recording has a call are a should", async () => {
  const runsAll: Continue = (reply) => geminiResults(true)({ ...reply, stop: "STOP" });
  const loop = geminiLoop("gemini-2.5-flash", runsAll);
  const words = await verdictOf(loop, "stop.words");
  expect(brokenIds(words)).toEqual(
    expect.arrayContaining(["MAX_TOKENS", "MAX_TOKENS-name-only", "CONTINUATION"]),
  );
  expect(brokenIds(words)).not.toContain("SAFETY");
  const others = await adviceOf(loop, "stop.without-calls");
  expect(brokenIds(others)).toEqual(["SAFETY", "OTHER", "MALFORMED_FUNCTION_CALL"]);
});

test.for([
  ["an error, and then the end of the reply,", "error.then-end", "error.in-band"],
  ["a page between the events", "wire.page-inside", "wire.malformed-frame"],
] as const)("%s is a should of its own", async ([, should, must]) => {
  const [mutant] = clauses.find(({ id }) => id === should)?.loopMutants ?? [];
  if (mutant === undefined) throw new Error(`${should} has no broken loop.`);
  const loop = mutant.subject(acme);
  await expectKept(loop, must);
  const verdict = await verdictOf(loop, should);
  expect(verdict).toMatchObject({ status: "broken", clause: { level: "should" } });
});

test("Anthropic: a history of calls without tools is a should, as only some hosts refuse it", async () => {
  const loop = messagesLoop(runUnderToolUse, [], { tools: [] });
  await expectKept(loop, "request.valid");
  const verdict = await adviceOf(loop, "request.every-host");
  expect(verdict.broken[0]?.actual).toContain("must define tools");
});

test("a run that is not given up is described by the requests that were counted", async () => {
  const loop = geminiLoop("gemini-2.5-flash", geminiResults(true));
  const verdict = await adviceOf(loop, "recovery.circle");
  expect(verdict.broken[0]).toMatchObject({
    at: "the same call, again and again",
    actual: "not within 40 requests",
  });
});

test("a stop reason that the vendor does not list is a should", async () => {
  const loop = messagesLoop((reply) =>
    ["tool_use", "end_turn", "sensitive", "terminated"].includes(reply.stop)
      ? runUnderToolUse({ ...reply, stop: "tool_use" })
      : runUnderToolUse(reply),
  );
  await expectKept(loop, "stop.words");
  const verdict = await adviceOf(loop, "stop.unknown-word");
  expect(brokenIds(verdict)).toEqual(["sensitive", "terminated"]);
});

test("some hosts refuse arguments that are not JSON, which is a should", async () => {
  const loop = chatLoop((reply) => {
    const message = messageOf(reply);
    const calls = chatCalls(message);
    if (calls.length === 0 || !["tool_calls", "stop"].includes(reply.stop)) return undefined;
    return [
      message,
      ...calls.map((call) => {
        const input = parse(call.function.arguments);
        const content = input === undefined ? "This is not JSON." : reply.run(input);
        return { role: "tool", tool_call_id: call.id, content };
      }),
    ];
  });
  await expectKept(loop, "request.valid");
  const verdict = await adviceOf(loop, "request.every-host");
  expect(verdict.broken[0]?.actual).toContain("the arguments must be JSON of an object");
  expect(verdict.broken[0]?.bytes).toContain('"arguments"');
});

test("siblings are asked in both orders: OpenAI's own loop stops at the first that is cut", async () => {
  const loop = chatLoop((reply) => {
    const message = messageOf(reply);
    const calls = chatCalls(message);
    if (calls.length === 0 || !["tool_calls", "stop"].includes(reply.stop)) return undefined;
    return [
      message,
      ...calls.map((call) => ({
        role: "tool",
        tool_call_id: call.id,
        content: reply.run(JSON.parse(call.function.arguments)),
      })),
    ];
  });
  const verdict = await adviceOf(loop, "call.siblings");
  expect(brokenIds(verdict)).toEqual(["cut-last"]);
});

test("a body of JSON that is cut proves nothing, so it is not asked", async () => {
  const verdict = await verdictOf(messagesLoop(runUnderToolUse), "stop.cut");
  expect(verdict).toMatchObject({ status: "not-asked" });
  expect(verdict.reason).toContain("cannot be parsed");
});

test("Anthropic: a stream that lacks only `message_stop` is a should of its own", async () => {
  const loop = streamingMessagesLoop(runUnderToolUse);
  await expectKept(loop, "stop.cut", "wire.reset");
  const verdict = await adviceOf(loop, "stop.no-terminal");
  expect(brokenIds(verdict)).toContain("cut-before-terminal");
});

test("Anthropic: an error behind the stop reason is a should, and one before it a must", async () => {
  const loop = streamingMessagesLoop(runUnderToolUse, false);
  await expectKept(loop, "error.in-band");
  const verdict = await adviceOf(loop, "error.then-end");
  expect(brokenIds(verdict)).toEqual(["error-before-end", "error-behind-stop"]);
});

test("where events have names, one without a name may be ignored", async () => {
  await expectKept(streamingMessagesLoop(runUnderToolUse), "stop.whole", "wire.malformed-frame");
});

test("what is asked of loops promises only what is looked at", async () => {
  const loop = messagesLoop(runUnderToolUse);
  expect((await verdictOf(loop, "stop.cut")).clause.rule).not.toContain("finished answer");
  expect((await verdictOf(loop, "stop.unknown-word")).clause.rule).not.toContain("turn");
});

test("an agent whose request is invalid only behind two replies in one body breaks no rule of the vendor", async () => {
  let behindTwo = 0;
  const loop = streamingMessagesLoop((reply) => {
    const types = contentOf(reply).map(({ type }) => type);
    if (types[0] !== "tool_use" || types.at(-1) !== "text") return runUnderToolUse(reply);
    behindTwo++;
    return [{ role: "assistant", content: contentOf(reply) }];
  });
  await expectKept(loop, "request.valid");
  const { status } = await verdictOf(loop, "request.every-host");
  expect([status, behindTwo > 0]).toEqual(["kept", true]);
});

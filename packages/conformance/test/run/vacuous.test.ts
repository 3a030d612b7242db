import { expect, test } from "vitest";
import { judge, type LoopSubject, report, type Verdict } from "../../src/index.ts";
import { type Continue, chatLoop, messageOf, type Reply } from "./small-loops.ts";

async function verdictOf(subject: LoopSubject, only: string): Promise<Verdict> {
  for await (const verdict of judge(subject, { only })) return verdict;
  throw new Error(`no verdict on ${only}`);
}
const brokenIds = ({ broken }: Verdict): readonly (string | undefined)[] =>
  broken.map(({ id }) => id);

interface ChatCall {
  readonly id: string;
  readonly function: { readonly arguments: string };
}
const callsOf = (reply: Reply): readonly ChatCall[] =>
  (messageOf(reply)["tool_calls"] ?? []) as readonly ChatCall[];

/** Runs a call, or says that it did not. */
function resultOf(reply: Reply, { function: { arguments: text } }: ChatCall): string {
  try {
    return reply.run(JSON.parse(text));
  } catch {
    return "The call could not be read. Nothing ran.";
  }
}

/** Runs the calls under the stop reasons of finished replies; `answer` writes the next messages. */
const runFinished =
  (answer: (reply: Reply) => ReturnType<Continue>): Continue =>
  (reply) =>
    ["tool_calls", "stop"].includes(reply.stop) && callsOf(reply).length > 0
      ? answer(reply)
      : undefined;

const answerAll = (reply: Reply): ReturnType<Continue> => [
  messageOf(reply),
  ...callsOf(reply).map((call) => ({
    role: "tool",
    tool_call_id: call.id,
    content: resultOf(reply, call),
  })),
];

test("a program that dies of any two calls does not keep a clause about two calls", async () => {
  const loop = chatLoop(
    runFinished((reply) => {
      if (callsOf(reply).length > 1) throw new Error("Only one call at a time.");
      return answerAll(reply);
    }),
  );
  expect(brokenIds(await verdictOf(loop, "stop.whole"))).toEqual(["two-calls", "three-calls"]);
  const siblings = await verdictOf(loop, "call.siblings");
  expect(siblings, report(siblings)).toMatchObject({ status: "not-asked", checks: 0 });
  expect(siblings.reason).toContain("does not do what it must after two parallel calls");
  const cut = await verdictOf(loop, "call.cut-input");
  expect(cut, report(cut)).toMatchObject({ status: "kept", checks: 3 });
});

test("a program that ended with an exception keeps a clause, and the report says so", async () => {
  const loop = chatLoop((reply) => {
    if (reply.stop === "content_filter") throw new TypeError("unknown reason");
    return runFinished(answerAll)(reply);
  });
  const verdict = await verdictOf(loop, "stop.words");
  expect(verdict.status, report(verdict)).toBe("kept");
  expect(verdict.reason).toBe(
    'Passed, but nothing ran, and the program ended with an exception: one call under "content_filter" (content-filter)',
  );
  expect(report(verdict)).toContain("ended with an exception");
});

/** Keeps the calls in the history and loses their results. */
const losesResults = runFinished((reply) => {
  for (const call of callsOf(reply)) resultOf(reply, call);
  return [messageOf(reply)];
});

test("a program that sends its calls back without results is judged", async () => {
  const loop = chatLoop(losesResults);
  const results = await verdictOf(loop, "history.result");
  expect(brokenIds(results)).toEqual(["one-call", "two-calls", "three-calls", "long-input"]);
  const valid = await verdictOf(loop, "request.valid");
  expect(brokenIds(valid)).toContain("one-call");
  expect(valid.broken[0]?.actual).toContain("must be followed by tool messages");
  const words = await verdictOf(loop, "stop.words");
  expect(words.status, report(words)).toBe("kept");
  for (const clause of ["recovery.failures", "recovery.once", "recovery.circle"]) {
    const verdict = await verdictOf(loop, clause);
    expect(verdict, report(verdict)).toMatchObject({ status: "not-asked" });
    expect(verdict.reason).toContain("this program sends none");
  }
});

test("a program that writes all results into a text loses none, but its results are not native", async () => {
  const loop = chatLoop(
    runFinished((reply) => {
      const results = callsOf(reply).map((call) => `I got: ${resultOf(reply, call)}`);
      return [{ role: "user", content: results.join("\n") }];
    }),
  );
  const result = await verdictOf(loop, "history.result");
  expect(result.status, report(result)).toBe("kept");
  const native = await verdictOf(loop, "history.native");
  expect(native.status, report(native)).toBe("broken");
});

test("a result without the id of its call is one defect, not two", async () => {
  const loop = chatLoop((reply) =>
    callsOf(reply).length === 0
      ? undefined
      : [
          messageOf(reply),
          ...callsOf(reply).map((call) => ({
            role: "tool",
            ...(reply.stop !== "length" && { tool_call_id: call.id }),
            content: reply.stop === "length" ? "You were cut." : resultOf(reply, call),
          })),
        ],
  );
  const valid = await verdictOf(loop, "request.valid");
  expect(brokenIds(valid)).toContain("length");
  expect(valid.broken[0]?.actual).toContain("tool_call_id undefined");
  const withheld = await verdictOf(loop, "request.withheld");
  expect(withheld.status, report(withheld)).toBe("kept");
  expect(withheld.reason).toContain("request.valid shows that");
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Host, judge, type LoopSubject, report, type Verdict } from "../../src/index.ts";
import { overSockets } from "../../src/server.ts";
import {
  type Chaining,
  chainedLoop,
  resumingLoop,
  type Threading,
  threadedLoop,
  toolRunner,
} from "./held.ts";

let host: Host;
beforeAll(async () => {
  host = await overSockets();
});
afterAll(() => host.close());

async function ask(subject: LoopSubject, only: string): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for await (const verdict of judge(subject, { only, host })) verdicts.push(verdict);
  return verdicts;
}

describe.for(["request", "history"])("%s is kept by", (family) => {
  test.for<[string, LoopSubject]>([
    ["a loop over OpenAI's SDK that sends new items only", chainedLoop()],
    [
      "a loop over OpenAI's SDK that refers to items",
      chainedLoop({
        refer: () => ({}),
        before: ({ output }) => [
          { role: "user", content: "Write the file." },
          ...output.map(({ id = "" }) => ({ type: "item_reference", id }) as const),
        ],
      }),
    ],
    ["a loop over Anthropic's SDK that sends new messages only", threadedLoop({})],
    ["Anthropic's tool runner, streamed", toolRunner({ streams: true })],
    ["Anthropic's tool runner, with whole replies", toolRunner({ streams: false })],
  ])("%s", async ([, subject]) => {
    const verdicts = await ask(subject, family);
    expect(verdicts.length).toBeGreaterThan(0);
    for (const verdict of verdicts) expect(verdict.status, report(verdict)).toBe("kept");
  });
});

/** The failed check of a clause about requests. */
async function findCheck(subject: LoopSubject, clause: string, id: string): Promise<string> {
  const [verdict] = await ask(subject, clause);
  return verdict?.broken.find((check) => check.id === id)?.actual ?? `${verdict?.status}`;
}

const goOn = [{ role: "user", content: "Go on." }] as const;

describe("request.valid refuses", () => {
  test.for<[string, Chaining, string, string]>([
    [
      "the result of a call that the model never made",
      {
        change: (request, index) => {
          const input = Array.isArray(request.input) ? request.input : [];
          const stray = {
            type: "function_call_output",
            call_id: "call_other",
            output: "",
          } as const;
          return index === 0 ? request : { ...request, input: [...input, stray] };
        },
      },
      "one-call",
      "request 2: No tool call found for function call output with call_id call_other.",
    ],
    [
      "a message after a reply at the cap whose call has no result",
      { afterOther: () => goOn },
      "incomplete:max_output_tokens",
      "request 2: No tool output found for function call call_canary_1.",
    ],
    [
      "the same in a conversation that the provider keeps",
      {
        refer: () => ({ conversation: { id: "conv_1" } }),
        afterOther: () => goOn,
        change: (request) => ({ ...request, conversation: "conv_1" }),
      },
      "completed:refusal",
      "request 2: No tool output found for function call call_canary_1.",
    ],
    [
      "the id of a reply that the suite never gave",
      { refer: () => ({ previous_response_id: "resp_other" }) },
      "one-call",
      "request 2: Previous response with id 'resp_other' not found. No reply of this run has this id.",
    ],
    [
      "the id of a reply that was not stored",
      { change: (request) => ({ ...request, store: false }) },
      "one-call",
      "request 2: Previous response with id 'resp_68a1b2' not found. Its request had `store: false`, so it was not stored.",
    ],
    [
      "a reference to an item that no reply had",
      { before: () => [{ type: "item_reference", id: "fc_other" }] },
      "one-call",
      "request 2: Item with id 'fc_other' not found.",
    ],
    [
      "a previous response beside a conversation",
      {
        change: (request, index) => ({ ...request, ...(index > 0 && { conversation: "conv_1" }) }),
      },
      "one-call",
      "request 2: 'previous_response_id' cannot be used in conjunction with 'conversation'.",
    ],
  ])("%s", async ([, chaining, id, sentence]) => {
    expect(await findCheck(chainedLoop(chaining), "request.valid", id)).toBe(sentence);
  });
});

const continueAs =
  (id: (index: number) => string) =>
  (request: Parameters<NonNullable<Threading["change"]>>[0], index: number) =>
    index === 0
      ? request
      : { ...request, thread: { type: "continue" as const, previous_message_id: id(index) } };

const first = "msg_01XFDUDYJgAACzvnptvVoYEL";

describe("request.valid refuses in a thread", () => {
  test.for<[string, Threading, string, string]>([
    [
      "a message after a reply at the cap whose call has no result",
      { afterOther: [{ type: "text", text: "Go on." }] },
      "max_tokens",
      "request 2: messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: call_canary_1",
    ],
    [
      "the id of a reply that the suite never gave",
      { change: continueAs(() => "msg_other") },
      "one-call",
      "request 2: thread_not_found: no reply of this run has the id 'msg_other'.",
    ],
    [
      "a reply to a request without a thread",
      { change: (request, index) => (index === 0 ? { ...request, thread: null } : request) },
      "one-call",
      `request 2: thread_not_found: the request that '${first}' answers had no 'thread'.`,
    ],
    [
      "a reply that was continued before",
      { change: continueAs(() => first) },
      "endless-calls",
      `request 3: thread_already_continued: the reply '${first}' was continued by an earlier request.`,
    ],
  ])("%s", async ([, threading, id, sentence]) => {
    expect(await findCheck(threadedLoop(threading), "request.valid", id)).toBe(sentence);
  });
});

test("a call that the provider holds without a result is one defect, of request.valid", async () => {
  const loop = chainedLoop({ afterOther: () => goOn });
  const [valid] = await ask(loop, "request.valid");
  const ids = valid?.broken.map(({ id }) => id);
  expect(ids).toContain("completed:refusal");
  expect(ids).toContain("incomplete:max_output_tokens");
  const [withheld] = await ask(loop, "request.withheld");
  expect(withheld?.broken).toEqual([]);
  expect(withheld?.reason).toContain("request.valid shows that");
});

test.for(["request.valid", "request.withheld"])(
  "%s does not judge a loop that goes on from a reply that broke off",
  async (clause) => {
    const [verdict] = await ask(resumingLoop, clause);
    expect(verdict?.broken).toEqual([]);
    expect(verdict?.reason).toContain(
      "one call, cut in the middle: OpenAI keeps the conversation, and its documents do not say what it keeps of a reply that broke off",
    );
    expect(verdict?.reason).not.toContain("one call under");
  },
);

import { column, type Diagram } from "./diagram.ts";

const path = column([
  { title: "Bytes of the provider", lines: ["in chunks of any size, possibly cut"] },
  {
    title: "Native events",
    lines: ["server-sent events, NDJSON or AWS event stream"],
  },
  {
    title: "Turn events",
    lines: [
      "the provider's decoder: text, tool inputs, usage,",
      "the native stop reason as it came",
    ],
  },
  {
    title: "The gate",
    tone: "gate",
    lines: ["asks its rules in order", "the first that fails decides for all calls"],
  },
]);
const verdictY = path.height + 26;
const verdicts = [
  {
    left: 1,
    top: verdictY,
    width: 200,
    title: "All calls",
    tone: "granted",
    lines: ["The tools run."],
  },
  {
    left: 219,
    top: verdictY,
    width: 200,
    title: "All withheld",
    tone: "withheld",
    lines: ["The turn has the reason."],
  },
] as const;
const historyY = verdictY + 57 + 26;

const replyPath: Diagram = {
  name: "reply-path",
  title:
    "The path of a reply: bytes, native events, turn events, the gate. The gate gives out all calls, or none. Both become valid history.",
  height: historyY + 59,
  boxes: [
    ...path.boxes,
    ...verdicts,
    {
      left: 1,
      top: historyY,
      width: 418,
      title: "History",
      lines: ["valid for the next request, without what was withheld"],
    },
  ],
  arrows: [
    ...path.arrows,
    { from: [100, path.height], to: [100, verdictY], label: "finished" },
    { from: [320, path.height], to: [320, verdictY], label: "not finished" },
    { from: [100, verdictY + 57], to: [100, historyY] },
    { from: [320, verdictY + 57], to: [320, historyY] },
  ],
};

const doors = [
  { title: "You write a new agent", way: "The loop: run()", note: "approvals, limits, journals" },
  { title: "You have an agent", way: "The guard: guard(fetch)", note: "one line, or a gateway" },
  {
    title: "You judge a framework",
    way: "The suite: conformance",
    note: "asks, and cites its sources",
  },
] as const;
const threeDoors: Diagram = {
  name: "three-doors",
  title:
    "Three ways to use Fullstop: the loop for a new agent and the guard for an agent that exists, both on the gate; the suite for frameworks, adapters and gateways.",
  height: 3 * 134 - 22,
  boxes: doors.flatMap(({ title, way, note }, index) => [
    { left: 1, top: 1 + index * 134, width: 418, title },
    {
      left: 1,
      top: 51 + index * 134,
      width: 418,
      title: way,
      tone: "gate" as const,
      lines: [note],
    },
  ]),
  arrows: doors.map((_, index) => ({ from: [24, 35 + index * 134], to: [24, 51 + index * 134] })),
};

const before = column([
  { title: "Process 1: the model's reply", lines: ["recorded in the journal"] },
  { title: "look_up runs", tone: "granted", lines: ["its result is recorded"] },
  { title: "refund begins", lines: ["its beginning is recorded, then the tool starts"] },
  { title: "The process is killed", tone: "withheld", lines: ["the result of refund is lost"] },
]);
const after = column(
  [
    { title: "Process 2: the same run", lines: ["takes over the lease, and reads the journal"] },
    {
      title: "The reply and look_up",
      tone: "granted",
      lines: ["have results: they are not repeated"],
    },
    {
      title: "refund is in doubt",
      tone: "doubt",
      lines: [
        "it began and has no result: it does not run by itself",
        "a person or a policy settles it",
      ],
    },
    { title: "The run goes on", lines: ["with the settled result"] },
  ],
  { top: before.height + 26 },
);
const crash: Diagram = {
  name: "crash",
  title:
    "A run with a crash: what was recorded is not repeated, and a call that began without a result is in doubt until it is settled.",
  height: after.height,
  boxes: [...before.boxes, ...after.boxes],
  arrows: [
    ...before.arrows,
    { from: [24, before.height], to: [24, before.height + 26] },
    ...after.arrows,
  ],
};

/** The drawings of the documents. */
export const diagrams: readonly Diagram[] = [replyPath, threeDoors, crash];

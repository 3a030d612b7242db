import type { Fixture, ReplyCall } from "@fullstop/conformance";
import {
  blockEvents,
  call,
  type Fields,
  framesOf,
  messageStart,
  messageStop,
  metadata,
  replyEvents,
  text,
  type WireBlock,
} from "./events.ts";

const read: ReplyCall = { id: "tooluse_h0J", name: "read", input: { path: "/srv/notes.txt" } };
const write: ReplyCall = {
  id: "tooluse_k2P",
  name: "write",
  input: { path: "/srv/out.txt", content: "one" },
};
const runs = (...list: readonly ReplyCall[]): Fixture["turn"] => ({
  stopReason: "tool-use",
  calls: list.map(({ id, name, input }) => ({ id, name, input })),
});
const reply = (stop: string, ...blocks: readonly WireBlock[]): Fixture["frames"] =>
  framesOf(replyEvents(blocks, { stop, output: 40 }));
const reasoning = (...parts: readonly Fields[]): WireBlock => ({
  deltas: parts.map((reasoningContent) => ({ reasoningContent })),
});
const thought = reasoning({ text: "I should " }, { text: "read." }, { signature: "EqoBCkgIARAB" });
const citation = {
  title: "Notes",
  source: "notes.pdf",
  sourceContent: [{ text: "It is blue." }],
  location: { documentPage: { documentIndex: 0, start: 1, end: 1 } },
};
const guardrail = {
  inputAssessment: {},
  outputAssessments: {
    gr1: [{ topicPolicy: { topics: [{ name: "x", type: "DENY", action: "BLOCKED" }] } }],
  },
};

const converse = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_";

/** Replies that only Bedrock sends. */
export const fixtures: readonly Fixture[] = [
  {
    name: "a complete call under end_turn",
    frames: reply("end_turn", call(read)),
    turn: runs(read),
    replays: [read.id],
    source: "strands-agents/harness-sdk#1827",
  },
  {
    name: "tool_use without a call",
    frames: reply("tool_use", text("All done.")),
    turn: { stopReason: "malformed-tool-call", calls: [] },
    source: "strands-rl/strands-env#252",
  },
  {
    name: "tool_use with an input that was cut in the middle of a value",
    frames: reply(
      "tool_use",
      call({ ...write, inputText: '{"path":"/srv/out.txt","content":"on' }),
    ),
    turn: { stopReason: "malformed-tool-call", calls: [] },
    source: "experientiallabs/experiential#963",
  },
  {
    name: "a complete call before one that was cut",
    frames: reply("tool_use", call(read), call({ ...write, inputText: '{"path":"/srv/out' })),
    turn: { stopReason: "malformed-tool-call", calls: [] },
    source: "experientiallabs/experiential#963",
  },
  {
    name: "a complete call with a stop sequence",
    frames: framesOf([
      messageStart,
      ...blockEvents(call(read), 0),
      messageStop("stop_sequence", { additionalModelResponseFields: { stop_sequence: "END" } }),
      metadata(12),
    ]),
    turn: {
      stopReason: "stop",
      calls: [],
      native: { stop: "stop_sequence", detail: { stop_sequence: "END" } },
    },
    source: `${converse}MessageStopEvent.html`,
  },
  {
    name: "reasoning with a signature, then a call",
    frames: reply("tool_use", thought, text("Reading."), call(read)),
    turn: { ...runs(read), thinking: "I should read.", text: "Reading." },
    replays: [
      {
        reasoningContent: { reasoningText: { text: "I should read.", signature: "EqoBCkgIARAB" } },
      },
    ],
    source: `${converse}ReasoningContentBlockDelta.html`,
  },
  {
    name: "a signature without text",
    frames: reply("end_turn", reasoning({ signature: "EqoBCkgIARAB" }), text("Yes.")),
    turn: { stopReason: "stop", calls: [], text: "Yes." },
    replays: [{ reasoningContent: { reasoningText: { text: "", signature: "EqoBCkgIARAB" } } }],
    source: "https://platform.claude.com/docs/en/build-with-claude/extended-thinking",
  },
  {
    name: "hidden reasoning",
    frames: reply("end_turn", reasoning({ redactedContent: "c2VjcmV0" }), text("Yes.")),
    turn: { stopReason: "stop", calls: [], text: "Yes." },
    replays: [{ reasoningContent: { redactedContent: "c2VjcmV0" } }],
    source: `${converse}ReasoningContentBlock.html`,
  },
  {
    name: "reasoning without a signature, and no end between it and the text",
    frames: framesOf([
      messageStart,
      { contentBlockDelta: { delta: { reasoningContent: { text: "Hm." } }, contentBlockIndex: 0 } },
      { contentBlockDelta: { delta: { text: "Yes." }, contentBlockIndex: 0 } },
      { contentBlockStop: { contentBlockIndex: 0 } },
      messageStop("end_turn"),
      metadata(9),
    ]),
    turn: { stopReason: "stop", calls: [], text: "Yes.", thinking: "Hm." },
    omits: ["Hm."],
  },
  {
    name: "text with citations",
    frames: reply("end_turn", { deltas: [{ text: "It is blue." }, { citation }] }),
    turn: { stopReason: "stop", calls: [], text: "It is blue." },
    replays: [{ citationsContent: { content: [{ text: "It is blue." }], citations: [citation] } }],
    source: `${converse}CitationsDelta.html`,
  },
  {
    name: "a tool of the service with its result",
    frames: reply(
      "end_turn",
      {
        start: { toolUse: { toolUseId: "srv_1", name: "nova_grounding", type: "server_tool_use" } },
        deltas: [{ toolUse: { input: '{"query":' } }, { toolUse: { input: '"sky"}' } }],
      },
      {
        start: {
          toolResult: { toolUseId: "srv_1", type: "nova_grounding_result", status: "success" },
        },
        deltas: [{ toolResult: [{ text: "Bl" }] }, { toolResult: [{ text: "ue." }] }],
      },
      text("It is blue."),
    ),
    turn: { stopReason: "stop", calls: [], text: "It is blue.", usage: { towardCap: null } },
    replays: [
      {
        toolUse: {
          toolUseId: "srv_1",
          name: "nova_grounding",
          type: "server_tool_use",
          input: { query: "sky" },
        },
      },
      {
        toolResult: {
          toolUseId: "srv_1",
          type: "nova_grounding_result",
          status: "success",
          content: [{ text: "Blue." }],
        },
      },
    ],
    source: `${converse}ToolResultBlockStart.html`,
  },
  {
    name: "calls side by side, their pieces mixed",
    frames: framesOf(mixed([call(read), call(write)], [messageStop("tool_use"), metadata(40)])),
    turn: runs(read, write),
    source: `${converse}ContentBlockDeltaEvent.html`,
  },
  {
    name: "metadata before messageStop",
    frames: framesOf([
      messageStart,
      ...blockEvents(call(read), 0),
      metadata(40),
      messageStop("tool_use"),
    ]),
    turn: runs(read),
    source: "anomalyco/opencode#46065",
  },
  {
    name: "metadata without messageStop",
    frames: framesOf([messageStart, ...blockEvents(call(read), 0), metadata(40)]),
    turn: { stopReason: "interrupted", calls: [] },
    source: "anomalyco/opencode#46065",
  },
  {
    name: "a guardrail that blocked the reply, with its trace",
    frames: framesOf([
      messageStart,
      ...blockEvents(text("I cannot answer that."), 0),
      messageStop("guardrail_intervened"),
      metadata(8, { trace: { guardrail } }),
    ]),
    turn: {
      stopReason: "content-filter",
      calls: [],
      native: { stop: "guardrail_intervened", detail: guardrail },
    },
    source: `${converse}GuardrailTraceAssessment.html`,
  },
  {
    name: "content that a filter of the model removed",
    frames: reply("content_filtered", text("I ")),
    turn: { stopReason: "content-filter", calls: [], native: { stop: "content_filtered" } },
    source: `${converse}MessageStopEvent.html`,
  },
  {
    name: "tokens of the cache",
    frames: framesOf([
      messageStart,
      ...blockEvents(text("Yes."), 0),
      messageStop("end_turn"),
      metadata(4, {
        usage: {
          inputTokens: 10,
          outputTokens: 4,
          totalTokens: 1044,
          cacheReadInputTokens: 1000,
          cacheWriteInputTokens: 30,
        },
      }),
    ]),
    turn: {
      stopReason: "stop",
      calls: [],
      usage: { input: 1040, output: 4, cacheRead: 1000, cacheWrite: 30 },
    },
    source: "https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html",
  },
  {
    name: "an image that the model made",
    frames: reply("end_turn", text("Here."), {
      start: { image: { format: "png" } },
      deltas: [{ image: { source: { bytes: "iVBORw0K" } } }],
    }),
    turn: { stopReason: "stop", calls: [], text: "Here." },
    omits: ["iVBORw0K"],
    source: `${converse}Message.html: images only in messages of the user`,
  },
];

/** The events of the blocks in turns, as far as each goes. */
function mixed(blocks: readonly WireBlock[], ending: readonly Fields[]): readonly Fields[] {
  const lists = blocks.map(blockEvents);
  const longest = Math.max(...lists.map(({ length }) => length));
  const events = Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();
  return [messageStart, ...events, ...ending];
}

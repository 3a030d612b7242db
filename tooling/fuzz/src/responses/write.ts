import fc from "fast-check";
import type { Frame } from "../bytes.ts";
import { wordMember } from "../chances.ts";
import { chooseStop, type Intent, intents, intentText, type Part, tokenCounts } from "../intent.ts";
import type { Fields } from "../json.ts";
import type { GeneratedReply } from "../protocol.ts";
import type { WireCall } from "../reading.ts";
import { decideReading } from "../settle.ts";
import {
  isProgramCall,
  itemFrames,
  type OutputItem,
  type ResponsesStyle,
  responsesStyles,
} from "./items.ts";
import { responsesMeaning, responsesStops } from "./stops.ts";

export const responsesReplies: fc.Arbitrary<GeneratedReply> = fc
  .tuple(intents, responsesStyles.map(consistentResponsesStyle))
  .map(([intent, style]) => generateResponses(intent, style));

/** Removes combinations that no host uses, because nothing would close a call. */
function consistentResponsesStyle(style: ResponsesStyle): ResponsesStyle {
  const itemDone = style.itemDone || !style.places || !style.inputDone;
  return {
    ...style,
    itemDone,
    deltas: style.deltas || !itemDone,
    rotating: style.rotating && style.places,
    status: style.status === "late" && style.output !== "full" ? "completed" : style.status,
    short: style.short && itemDone,
    otherType: style.otherType && style.output === "full" && itemDone && !style.whole,
  };
}

function generateResponses(intent: Intent, style: ResponsesStyle): GeneratedReply {
  const items = intent.parts.map((part, position) => outputItem(part, position, style));
  const stop = chooseStop(intent, "completed", responsesStops);
  const output = tokenCounts[intent.tokens];
  return {
    frames: style.whole
      ? [
          {
            data: JSON.stringify(
              responseBody(items, { stop, output }, { ...style, output: "full" }),
            ),
          },
        ]
      : responsesStream(items, { stop, output }, style),
    whole: style.whole,
    host: "openai",
    truth: responsesTruth(intent, style, { stop, output }),
    source: { intent, style },
  };
}

interface ResponsesEnding {
  readonly stop: string;
  readonly output: number | undefined;
}

function responsesTruth(
  intent: Intent,
  style: ResponsesStyle,
  { stop, output }: ResponsesEnding,
): GeneratedReply["truth"] {
  const [status = "", detail] = stop.split(":");
  const refuses = style.refuses && intent.parts.some(({ kind }) => kind === "text");
  return decideReading({
    calls: intent.parts.flatMap((part, position): WireCall[] => {
      if (part.kind !== "call" && part.kind !== "free") return [];
      const name = part.kind === "free" ? "patch" : part.tool;
      return [
        {
          name,
          id: `call_${position}`,
          text: part.input,
          free: part.kind === "free",
          restated: statedTimes(style) > 1,
        },
      ];
    }),
    text: intentText(intent),
    end: "came",
    stops: [
      refuses && status === "completed" ? "refusal" : responsesMeaning(status, detail),
      ...(style.word === "length" ? ["length" as const] : []),
    ],
    output,
    closesInputs: true,
  });
}

const statedTimes = ({ whole, deltas, inputDone, itemDone, output }: ResponsesStyle): number =>
  whole ? 1 : [deltas, inputDone, itemDone, output === "full"].filter(Boolean).length;

function outputItem(
  part: Part,
  position: number,
  { refuses, byProgram }: ResponsesStyle,
): OutputItem {
  switch (part.kind) {
    case "text": {
      const type = refuses ? "refusal" : "output_text";
      const member = refuses ? "refusal" : "text";
      const content = [{ type, [member]: part.text, ...(!refuses && { annotations: [] }) }];
      return {
        item: { id: `msg_${position}`, type: "message", role: "assistant", content },
        pieces: { event: `response.${type}`, member, text: part.text },
      };
    }
    case "thinking": {
      const summary = [{ type: "summary_text", text: part.text }];
      return {
        item: { id: `rs_${position}`, type: "reasoning", summary, encrypted_content: "gAAA" },
        pieces: { event: "response.reasoning_summary_text", member: "text", text: part.text },
      };
    }
    case "call":
      return {
        item: {
          id: `fc_${position}`,
          type: "function_call",
          call_id: `call_${position}`,
          name: part.tool,
          arguments: part.input,
          ...(byProgram && { caller: { type: "program", caller_id: "prog_1" } }),
        },
        pieces: {
          event: "response.function_call_arguments",
          member: "arguments",
          text: part.input,
        },
      };
    case "free":
      return {
        item: {
          id: `ctc_${position}`,
          type: "custom_tool_call",
          call_id: `call_${position}`,
          name: "patch",
          input: part.input,
        },
        pieces: { event: "response.custom_tool_call_input", member: "input", text: part.input },
      };
    case "step":
      return {
        item: {
          id: `ws_${position}`,
          type: "web_search_call",
          action: { type: "search", query: "x" },
        },
      };
  }
}

function responseBody(
  items: readonly OutputItem[],
  { stop, output }: ResponsesEnding,
  { output: list, word, otherType }: Pick<ResponsesStyle, "output" | "word" | "otherType">,
): Fields {
  const [status, reason] = stop.split(":");
  const whole = items.map((one) => ({
    ...(otherType ? underOtherType(one.item) : one.item),
    status: isProgramCall(one.item) ? "in_progress" : "completed",
  }));
  const outputs: Readonly<Record<ResponsesStyle["output"], Fields>> = {
    full: { output: whole },
    empty: { output: [] },
    absent: {},
  };
  return {
    id: "resp_1",
    object: "response",
    model: "gpt",
    status,
    ...(reason !== undefined && { incomplete_details: { reason } }),
    ...(status === "failed" && { error: { code: "server_error", message: "The server failed." } }),
    ...outputs[list],
    ...wordMember(word),
    ...(output !== undefined && {
      usage: { input_tokens: 9, output_tokens: output, total_tokens: 9 + output },
    }),
  };
}

/** https://github.com/duolahypercho/codex-router/issues/554 */
function underOtherType({ input, ...item }: OutputItem["item"]): Fields {
  return item.type === "custom_tool_call"
    ? { ...item, type: "function_call", arguments: JSON.stringify({ input }) }
    : item;
}

function responsesStream(
  items: readonly OutputItem[],
  ending: ResponsesEnding,
  style: ResponsesStyle,
): readonly Frame[] {
  const [status = ""] = ending.stop.split(":");
  const last = ["completed", "incomplete", "failed"].includes(status) ? status : "completed";
  const started = {
    id: "resp_1",
    object: "response",
    model: "gpt",
    status: "in_progress",
    output: [],
  };
  const events: readonly Fields[] = [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    ...items.flatMap((item, at) => [
      ...(style.unknownEvents ? [{ type: "response.surprise", output_index: at, text: "x" }] : []),
      ...itemFrames(item, at, style),
    ]),
    { type: `response.${last}`, response: responseBody(items, ending, style) },
  ];
  const frames = events.map((event, position): Frame => {
    const numbered = style.numbers ? { ...event, sequence_number: position } : event;
    return { name: String(event["type"]), data: JSON.stringify(numbered) };
  });
  return style.doneAfterEnd ? [...frames, { data: "[DONE]" }] : frames;
}

import fc from "fast-check";
import type { Frame } from "../bytes.ts";
import { mostly, rarely } from "../chances.ts";
import { type Intent, intents, type Part, pieceSizes, textOf, tokenCounts } from "../intent.ts";
import type { Fields } from "../json.ts";
import type { Written } from "../protocol.ts";
import type { Said } from "../reading.ts";
import { settle } from "../settle.ts";
import { type Item, itemFrames, type Manner } from "./items.ts";
import { meaningOf, words } from "./words.ts";

const manners: fc.Arbitrary<Manner> = fc
  .record({
    whole: rarely,
    sizes: pieceSizes,
    places: mostly,
    rotating: rarely,
    deltas: mostly,
    inputDone: mostly,
    itemDone: mostly,
    output: fc.constantFrom("full", "full", "empty", "absent"),
    status: fc.constantFrom("completed", "completed", "absent", "late"),
    byProgram: rarely,
    numbers: fc.boolean(),
    strangers: rarely,
    doneBehind: rarely,
    refuses: rarely,
  })
  .map(consistent);

export const replies: fc.Arbitrary<Written> = fc
  .tuple(intents, manners)
  .map(([intent, manner]) => write(intent, manner));

/** What no host leaves out at once: without any of these nothing would say that a call is whole. */
function consistent(manner: Manner): Manner {
  const itemDone = manner.itemDone || !manner.places || !manner.inputDone;
  return {
    ...manner,
    itemDone,
    deltas: manner.deltas || !itemDone,
    rotating: manner.rotating && manner.places,
    status: manner.status === "late" && manner.output !== "full" ? "completed" : manner.status,
  };
}

function write(intent: Intent, manner: Manner): Written {
  const items = intent.parts.map((part, n) => itemOf(part, n, manner));
  const word = intent.honest ? "completed" : (words[intent.word % words.length] ?? "completed");
  const output = tokenCounts[intent.tokens];
  return {
    frames: manner.whole
      ? [{ data: JSON.stringify(bodyOf(items, { word, output }, "full")) }]
      : streamOf(items, { word, output }, manner),
    whole: manner.whole,
    host: "openai",
    truth: truthOf(intent, manner, { word, output }),
    from: { intent, manner },
  };
}

interface Ending {
  readonly word: string;
  readonly output: number | undefined;
}

function truthOf(intent: Intent, manner: Manner, { word, output }: Ending): Written["truth"] {
  const [status = "", detail] = word.split(":");
  const refuses = manner.refuses && intent.parts.some(({ kind }) => kind === "text");
  return settle({
    calls: intent.parts.flatMap((part, n): Said[] => {
      if (part.kind !== "call" && part.kind !== "free") return [];
      const name = part.kind === "free" ? "patch" : part.tool;
      return [
        {
          name,
          id: `call_${n}`,
          text: part.input,
          free: part.kind === "free",
          restated: timesSaid(manner) > 1,
        },
      ];
    }),
    text: textOf(intent),
    end: "came",
    words: refuses && status === "completed" ? ["refusal"] : [meaningOf(status, detail)],
    output,
    closes: true,
  });
}

const timesSaid = ({ whole, deltas, inputDone, itemDone, output }: Manner): number =>
  whole ? 1 : [deltas, inputDone, itemDone, output === "full"].filter(Boolean).length;

function itemOf(part: Part, n: number, { refuses, byProgram }: Manner): Item {
  switch (part.kind) {
    case "text": {
      const type = refuses ? "refusal" : "output_text";
      const member = refuses ? "refusal" : "text";
      const content = [{ type, [member]: part.text, ...(!refuses && { annotations: [] }) }];
      return {
        item: { id: `msg_${n}`, type: "message", role: "assistant", content },
        pieces: { event: `response.${type}`, member, text: part.text },
      };
    }
    case "thinking": {
      const summary = [{ type: "summary_text", text: part.text }];
      return {
        item: { id: `rs_${n}`, type: "reasoning", summary, encrypted_content: "gAAA" },
        pieces: { event: "response.reasoning_summary_text", member: "text", text: part.text },
      };
    }
    case "call":
      return {
        item: {
          id: `fc_${n}`,
          type: "function_call",
          call_id: `call_${n}`,
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
          id: `ctc_${n}`,
          type: "custom_tool_call",
          call_id: `call_${n}`,
          name: "patch",
          input: part.input,
        },
        pieces: { event: "response.custom_tool_call_input", member: "input", text: part.input },
      };
    case "step":
      return {
        item: { id: `ws_${n}`, type: "web_search_call", action: { type: "search", query: "x" } },
      };
  }
}

/** Calls that a program makes are still under way when they are whole. */
const isProgram = ({ item }: Item): boolean => item["caller"] !== undefined;

function bodyOf(items: readonly Item[], { word, output }: Ending, list: Manner["output"]): Fields {
  const [status, reason] = word.split(":");
  const whole = items.map((one) => ({
    ...one.item,
    status: isProgram(one) ? "in_progress" : "completed",
  }));
  const outputs: Readonly<Record<Manner["output"], Fields>> = {
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
    ...(output !== undefined && {
      usage: { input_tokens: 9, output_tokens: output, total_tokens: 9 + output },
    }),
  };
}

function streamOf(items: readonly Item[], ending: Ending, manner: Manner): readonly Frame[] {
  const [status = ""] = ending.word.split(":");
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
      ...(manner.strangers ? [{ type: "response.surprise", output_index: at, text: "x" }] : []),
      ...itemFrames(item, at, { ...manner, ...(isProgram(item) && { status: "program" }) }),
    ]),
    { type: `response.${last}`, response: bodyOf(items, ending, manner.output) },
  ];
  const frames = events.map((event, n): Frame => {
    const numbered = manner.numbers ? { ...event, sequence_number: n } : event;
    return { name: String(event["type"]), data: JSON.stringify(numbered) };
  });
  return manner.doneBehind ? [...frames, { data: "[DONE]" }] : frames;
}

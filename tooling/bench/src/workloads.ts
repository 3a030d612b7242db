/** A reply of the Anthropic Messages stream, as bytes, and what a reader must find in it. */
export interface Workload {
  readonly name: string;
  readonly body: Buffer;
  /** Characters of text or tool input. */
  readonly characters: number;
  /** Replies read in one sample, so that a sample is long enough to measure. */
  readonly repeat: number;
}

const bytesPerSample = 2 ** 23;

function workload(name: string, block: object, deltas: readonly Delta[]): Workload {
  const stop = block === text ? "end_turn" : "tool_use";
  const events = [
    { type: "message_start", message: { ...message, usage: { input_tokens: 10, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 1000 } },
    { type: "message_stop" },
  ];
  const body = Buffer.from(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
  const characters = deltas.reduce((sum, delta) => sum + ("text" in delta ? delta.text : delta.partial_json).length, 0);
  return { name, body, characters, repeat: Math.max(1, Math.ceil(bytesPerSample / body.length)) };
}

type Delta = { readonly type: "text_delta"; readonly text: string } | { readonly type: "input_json_delta"; readonly partial_json: string };
const message = { id: "msg_1", type: "message", role: "assistant", model: "bench", content: [], stop_reason: null, stop_sequence: null };
const text = { type: "text", text: "" };
const toolUse = { type: "tool_use", id: "toolu_1", name: "write", input: {} };

/** A tool input of so many bytes in pieces of 16: source text with the escapes that source text has. */
function toolInput(name: string, bytes: number): Workload {
  const line = 'const answer = "forty-two";\n';
  const frame = JSON.stringify({ path: "a.ts", content: "" }).length;
  const room = bytes - frame;
  const perLine = JSON.stringify(line).length - 2;
  const whole = Math.floor(room / perLine);
  const input = JSON.stringify({ path: "a.ts", content: line.repeat(whole) + ".".repeat(room - whole * perLine) });
  return workload(
    name,
    toolUse,
    (input.match(/[\s\S]{1,16}/g) ?? []).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
  );
}

/** The one that has a limit. */
export const limited = "256 KiB of tool input";

export const workloads: readonly Workload[] = [
  toolInput("64 KiB of tool input", 2 ** 16),
  toolInput(limited, 2 ** 18),
  toolInput("1 MiB of tool input", 2 ** 20),
  workload(
    "2,000 pieces of text",
    text,
    Array.from({ length: 2000 }, (_, at) => ({ type: "text_delta", text: `word ${at} ` })),
  ),
];

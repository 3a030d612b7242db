import { type RequestHandler, type Serving, serve } from "@fullstop/conformance/server";

/** What a host of Chat Completions does differently from a sound one. */
export interface Faults {
  /** What it calls a cut reply instead of `length`. */
  readonly cutWord?: string;
  /** What it calls every reply; `null` is no word. */
  readonly word?: null;
  readonly usage?: "none" | "always 1";
  readonly done?: false;
  readonly leaks?: true;
  readonly ids?: "same";
  readonly placeholder?: true;
  readonly whole?: true;
  readonly calls?: "one";
  readonly ignoresRequired?: true;
  /** A call that a stop sequence cut is dropped, and the rest is called finished. */
  readonly dropsStopped?: true;
  /** The largest input, in tokens. */
  readonly longest?: number;
  /** Members of a request that it refuses. */
  readonly refuses?: readonly string[];
  /** It refuses a message with this role. */
  readonly refusesRole?: string;
  /** It answers this many requests, and then is silent. */
  readonly silentAfter?: number;
}

interface Call {
  readonly name: string;
  readonly pieces: readonly string[];
}
interface Content {
  readonly text: readonly string[];
  readonly calls: readonly Call[];
}
interface Body {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly stream?: boolean;
  readonly stop?: readonly string[];
  readonly tool_choice?: string;
}

const tokensOf = (text: string): readonly string[] => text.match(/[\s\S]{1,4}/g) ?? [];
const callOf = (path: string, text: string): Call => ({
  name: "write",
  pieces: tokensOf(JSON.stringify({ path, text })),
});
const sea = callOf("a.md", "The sea is calm.");
const ships = callOf("b.md", "Three ships wait near the old harbour.");

/** What the model writes for a prompt, without a cap. */
function contentFor({ messages, tool_choice: choice }: Body, faults: Faults): Content {
  const prompt = JSON.stringify(messages[0]?.content);
  const isText =
    prompt.includes("Do not call") && (choice !== "required" || faults.ignoresRequired);
  if (isText || messages.length > 1)
    return { text: tokensOf("The harbour is old, and it is full of ships."), calls: [] };
  if (prompt.includes("three hundred"))
    return { text: [], calls: [callOf("story.txt", "A long day at sea. ".repeat(60))] };
  return { text: [], calls: prompt.includes("twice") && !faults.calls ? [sea, ships] : [ships] };
}

/** The first tokens of a content; the name of a call is one of them. */
function firstTokens({ text, calls }: Content, cap: number): Content {
  let left = cap - text.length;
  const kept: Call[] = [];
  for (const { name, pieces } of calls) {
    if (left > 0) kept.push({ name, pieces: pieces.slice(0, left - 1) });
    left -= pieces.length + 1;
  }
  return { text: text.slice(0, cap), calls: kept };
}
const countTokens = ({ text, calls }: Content): number =>
  text.length + calls.reduce((sum, { pieces }) => sum + pieces.length + 1, 0);

interface Written {
  readonly content: Content;
  readonly word: string | null;
  readonly tokens: number;
}

/** What the host makes of it: cut by the cap or a stop sequence, and named. */
function writeReply(body: Body, faults: Faults): Written {
  const cap = body.max_tokens ?? body.max_completion_tokens ?? 512;
  const full = contentFor(body, faults);
  const allowed = Math.min(cap, faults.longest ?? cap);
  const tokens = Math.min(countTokens(full), allowed);
  const cut = countTokens(full) > allowed;
  const content = firstTokens(full, allowed);
  const isStopped = (call: Call): boolean =>
    body.stop?.some((one) => call.pieces.join("").includes(one)) ?? false;
  const calls = faults.dropsStopped
    ? content.calls.filter((call) => !isStopped(call))
    : content.calls;
  const finished = calls.length > 0 && !faults.leaks ? "tool_calls" : "stop";
  const word = cut ? (faults.cutWord ?? "length") : finished;
  return { content: { ...content, calls }, word: faults.word === null ? null : word, tokens };
}

const markup = ({ name, pieces }: Call): string =>
  `<tool_call>{"name": "${name}", "arguments": ${pieces.join("")}}</tool_call>`;

/** The deltas of a reply; one delta is a whole message. */
function deltasOf({ content }: Written, stream: boolean, faults: Faults): readonly object[] {
  const text = content.text.map((piece) => ({ content: piece }));
  if (faults.leaks) return [...text, { content: content.calls.map(markup).join("\n") }];
  const calls = content.calls.map(({ name, pieces }, index) => {
    const first = { index, id: `call_${faults.ids ? 0 : index}`, type: "function" };
    const all = faults.placeholder && stream ? ["{}", ...pieces] : pieces;
    const inputs = stream && !faults.whole ? all : [all.join("")];
    return [
      { ...first, function: { name, arguments: inputs[0] ?? "" } },
      ...inputs.slice(1).map((piece) => ({ index, function: { arguments: piece } })),
    ];
  });
  if (stream) return [...text, ...calls.flat().map((call) => ({ tool_calls: [call] }))];
  return [{ role: "assistant", content: content.text.join(""), tool_calls: calls.flat() }];
}

const json = { "content-type": "application/json" };
const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const refuse = (message: string, status = 400) => ({
  status,
  headers: json,
  chunks: [encode(JSON.stringify({ error: { message, type: "invalid_request_error" } }))],
});

function answer(written: Written, stream: boolean, faults: Faults): readonly string[] {
  const { word, tokens } = written;
  const id = "chatcmpl-1";
  const completion = faults.usage === "always 1" ? 1 : tokens;
  const usage = { prompt_tokens: 9, completion_tokens: completion, total_tokens: 9 + completion };
  const counted = faults.usage === "none" ? {} : { usage };
  const deltas = deltasOf(written, stream, faults);
  if (!stream) {
    const choices = [{ index: 0, message: deltas[0], finish_reason: word }];
    return [JSON.stringify({ id, object: "chat.completion", choices, ...counted })];
  }
  const chunk = (members: object): string =>
    `data: ${JSON.stringify({ id, object: "chat.completion.chunk", ...members })}\n\n`;
  return [
    ...deltas.map((delta) => chunk({ choices: [{ index: 0, delta, finish_reason: null }] })),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: word }] }),
    ...(faults.usage === "none" ? [] : [chunk({ choices: [], usage })]),
    ...(faults.done === false ? [] : ["data: [DONE]\n\n"]),
  ];
}

/** A host of Chat Completions on the loopback, with a model that writes the same each time. */
export function fakeHost(faults: Faults = {}): Promise<Serving> {
  const respond: RequestHandler = ({ path, body: text, headers }, index) => {
    if (path !== "/v1/chat/completions") return refuse("No such address.", 404);
    if (index >= (faults.silentAfter ?? Number.POSITIVE_INFINITY))
      return new Promise(() => undefined);
    const body = JSON.parse(text) as Body;
    const refused = faults.refuses?.find((member) => member in body);
    if (refused !== undefined)
      return refuse(`${refused} is refused (${headers["authorization"]}).`);
    if (body.messages.some(({ role }) => role === faults.refusesRole)) return refuse("No results.");
    const stream = body.stream === true;
    return {
      ...(!stream && { headers: json }),
      chunks: answer(writeReply(body, faults), stream, faults).map(encode),
    };
  };
  return serve(respond);
}

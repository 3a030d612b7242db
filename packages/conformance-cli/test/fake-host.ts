import type { Reply, Wire } from "@fullstop/conformance";
import { answerEvents, type Received, type Serving, serve } from "@fullstop/conformance/server";
import { wires } from "@fullstop/conformance/wires";

/** What a host does differently from a sound one. */
export interface Faults {
  /** Its protocol. The others know only the faults `cutWord` and `done`. */
  readonly api?: keyof typeof otherApis;
  /** What it calls a cut reply instead of `length`. */
  readonly cutWord?: string;
  /** What it calls every reply; with `null` it sends none. */
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
  readonly messages: readonly { readonly role?: string; readonly content: unknown }[];
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

/** A protocol whose wire the suite has. */
interface OtherApi {
  readonly path: RegExp;
  readonly wire: Wire;
  /** A request in the members of Chat Completions. */
  read(text: string, path: string): Body;
}
const otherApis: Readonly<Record<"messages" | "responses" | "gemini" | "interactions", OtherApi>> =
  {
    messages: {
      path: /^\/v1\/messages$/,
      wire: wires.anthropic,
      read: (text) => {
        const { tool_choice: choice, ...body } = JSON.parse(text);
        return { ...body, tool_choice: choice?.type === "any" ? "required" : "auto" };
      },
    },
    responses: {
      path: /^\/v1\/responses$/,
      wire: wires["openai-responses"],
      read: (text) => {
        const { input, max_output_tokens: cap, ...body } = JSON.parse(text);
        return { ...body, messages: input, max_tokens: cap };
      },
    },
    gemini: {
      path: /^\/v1beta\/models\/m:/,
      wire: wires.gemini,
      read: (text, path) => {
        const { contents, generationConfig: config } = JSON.parse(text);
        return {
          messages: contents.map(({ parts }: { readonly parts: unknown }) => ({ content: parts })),
          max_tokens: config.maxOutputTokens,
          stream: path.includes("stream"),
          tool_choice: text.includes('"ANY"') ? "required" : "auto",
        };
      },
    },
    interactions: {
      path: /^\/v1beta\/interactions$/,
      wire: wires["gemini-interactions"],
      read: (text) => {
        const { input, generation_config: config, stream } = JSON.parse(text);
        const choice = config.tool_choice === "any" ? "required" : "auto";
        return {
          messages: input,
          max_tokens: config.max_output_tokens,
          stream,
          tool_choice: choice,
        };
      },
    },
  };

const isJson = (text: string): boolean => {
  try {
    return Boolean(JSON.parse(text));
  } catch {
    return false;
  }
};

/** Gemini sends inputs as JSON, so a cut one does not come. */
function answerOther({ wire, read }: OtherApi, { path, body: text }: Received, faults: Faults) {
  const body = read(text, path);
  const { content, word, tokens } = writeReply(body, faults);
  const { length = "", stop = "", "tool-use": finished = stop } = wire.nativeStops;
  const words = { length, stop, tool_calls: finished };
  const calls = content.calls.flatMap(({ name, pieces }, index) => {
    const inputText = pieces.join("");
    const input = isJson(inputText) ? JSON.parse(inputText) : {};
    return wire.name !== "gemini-generate-content" || isJson(inputText)
      ? [{ name, id: `call_${index}`, input, inputText }]
      : [];
  });
  const reply: Reply = {
    blocks: content.text.length > 0 ? [{ text: content.text.join("") }] : calls,
    stop: words[word as keyof typeof words],
    output: tokens,
  };
  if (!body.stream) return { headers: json, chunks: [encode(wire.whole?.(reply) ?? "")] };
  const { upToTerminal, after = [] } = wire.frames(reply);
  const events = faults.done === false ? upToTerminal.slice(0, -1) : [...upToTerminal, ...after];
  return answerEvents(wire, events);
}

function answerChat({ body: text, headers }: Received, faults: Faults) {
  const body = JSON.parse(text) as Body;
  const refused = faults.refuses?.find((member) => member in body);
  if (refused !== undefined) return refuse(`${refused} is refused (${headers["authorization"]}).`);
  if (body.messages.some(({ role = "" }) => role === faults.refusesRole))
    return refuse("No results.");
  const stream = body.stream === true;
  return {
    ...(!stream && { headers: json }),
    chunks: answer(writeReply(body, faults), stream, faults).map(encode),
  };
}

/** A host on the loopback, with a model that writes the same each time. */
export function fakeHost(faults: Faults = {}): Promise<Serving> {
  const { api, silentAfter = Number.POSITIVE_INFINITY } = faults;
  const other = api && otherApis[api];
  const path = other?.path ?? /^\/v1\/chat\/completions$/;
  return serve((request, index) => {
    if (!path.test(request.path)) return refuse("No such address.", 404);
    if (index >= silentAfter) return new Promise(() => undefined);
    return other === undefined ? answerChat(request, faults) : answerOther(other, request, faults);
  });
}

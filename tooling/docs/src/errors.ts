import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ErrorKind, errorRules } from "@fullstop/core";
import { type Outcome, type RunOptions, run } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { mock } from "@fullstop/provider-mock";
import { openai } from "@fullstop/provider-openai";
import { root } from "./blocks.ts";
import { mistakes, runEndings } from "./error-examples.ts";
import { textTable } from "./markdown.ts";

/** A response of the provider, or what `fetch` does instead. */
type Failing = () => Response | Promise<Response>;

const json = (status: number, body: object, headers: Record<string, string> = {}): Failing => {
  const sent = { "content-type": "application/json", "request-id": "req_011", ...headers };
  return () => new Response(JSON.stringify(body), { status, headers: sent });
};
const refusal = (status: number, type: string, message: string): Failing =>
  json(status, { type: "error", error: { type, message } });
const stream = (...events: readonly { readonly type: string }[]): Failing => {
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return () => new Response(text.join(""), { headers: { "content-type": "text/event-stream" } });
};
const start = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5-5",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 9, output_tokens: 1 },
  },
};
const end = (reason: string): readonly { readonly type: string }[] => [
  { type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 9 } } as never,
  { type: "message_stop" },
];
const unreachable: Failing = () => {
  throw new TypeError("fetch failed", {
    cause: Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" }),
  });
};
const silent: Failing = () =>
  new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } });

/** A real failure of each kind. None: a reply of that size is too large for this page. */
const failures: Readonly<Record<ErrorKind, Failing | undefined>> = {
  auth: refusal(401, "authentication_error", "invalid x-api-key"),
  billing: refusal(402, "billing_error", "Your credit balance is too low."),
  "invalid-request": refusal(404, "not_found_error", "model: claude-sonnet-5-5"),
  "context-window": refusal(
    400,
    "invalid_request_error",
    "prompt is too long: 208310 tokens > 200000 maximum",
  ),
  filtered: refusal(400, "content_policy_violation", "Output blocked by content filtering policy"),
  "malformed-tool-call": stream(start, ...end("tool_use")),
  "rate-limit": json(
    429,
    { type: "error", error: { type: "rate_limit_error", message: "Too many requests." } },
    { "retry-after": "20" },
  ),
  overloaded: refusal(529, "overloaded_error", "Overloaded"),
  server: refusal(500, "api_error", "Internal server error"),
  cancelled: json(200, { id: "resp_1", object: "response", status: "cancelled", output: [] }),
  network: unreachable,
  timeout: silent,
  cut: stream(start),
  "malformed-reply": () =>
    new Response('event: message_start\ndata: {"type":\n\n', {
      headers: { "content-type": "text/event-stream" },
    }),
  "too-large": undefined,
  "unknown-stop": stream(start, ...end("x_new_reason")),
};

/** A run that asks once, and says what a person reads. */
function runWith(kind: ErrorKind, failing: Failing): Promise<Outcome> {
  const endpoint = { apiKey: "key", fetch: async () => failing() };
  const adapter =
    kind === "cancelled"
      ? openai("gpt-5.5", { ...endpoint, stream: false })
      : anthropic("claude-sonnet-5-5", endpoint);
  return run({
    adapter,
    prompt: "Go.",
    recovery: { requests: 1, notes: 0 },
    limits: { idleMs: 50, firstEventMs: 50 },
  }).outcome();
}

/** The docstrings of the kinds. */
function kindMeanings(): ReadonlyMap<string, string> {
  const source = readFileSync(join(root, "packages/core/src/contract/error.ts"), "utf8");
  const found = source.matchAll(/\/\*\* ([^*]+) \*\/\n {2}\| "([\w-]+)"/g);
  return new Map([...found].map(([, text = "", kind = ""]) => [kind, text]));
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** A filtered request ends as a refusal, which has no error. */
const kindOf = (outcome: Outcome): string | undefined => {
  if (outcome.status === "refused") return outcome.by === "filter" ? "filtered" : undefined;
  return outcome.status === "failed" ? outcome.error.kind : undefined;
};

type Rows = readonly (readonly string[])[];

async function kindRows(): Promise<Rows> {
  const texts = kindMeanings();
  const rows: string[][] = [];
  for (const [kind, failing] of Object.entries(failures) as [ErrorKind, Failing | undefined][]) {
    const { stop, retry } = errorRules[kind];
    const outcome = failing && (await runWith(kind, failing));
    if (outcome !== undefined && kindOf(outcome) !== kind)
      throw new Error(`The failure for ${kind} ends ${JSON.stringify(outcome)}.`);
    const said = outcome?.summary ?? "";
    const again = retry ? "yes" : "no";
    rows.push([`\`${kind}\``, texts.get(kind) ?? "", `\`${stop}\``, again, cell(said)]);
  }
  return rows;
}

async function endingRows(): Promise<Rows> {
  const rows: string[][] = [];
  for (const [name, { replies, ...options }] of Object.entries(runEndings)) {
    const { status, summary } = await run({
      prompt: "Go.",
      ...options,
      adapter: mock(replies),
    } as RunOptions).outcome();
    rows.push([`\`${status}\``, name, cell(summary)]);
  }
  return rows;
}

const mistakeRows = (): Rows =>
  Object.entries(mistakes).map(([what, make]) => {
    try {
      make();
    } catch (thrown) {
      if (thrown instanceof Error) return [what, `\`${thrown.name}\``, cell(thrown.message)];
    }
    throw new Error(`${what} does not fail any more.`);
  });

/** The tables of docs/errors.md, each made of failures that happen while it is made. */
export const errorTables = async (): Promise<Readonly<Record<string, string>>> => ({
  kinds: textTable(
    ["kind", "what happened", "stop reason", "requested again", "example of `outcome.summary`"],
    await kindRows(),
  ),
  "ends of runs": textTable(["status", "when", "`outcome.summary`"], await endingRows()),
  mistakes: textTable(["mistake", "error", "message"], mistakeRows()),
});

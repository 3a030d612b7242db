import type { Recovery } from "@fullstop/loop";
import { showBriefly } from "./brief.ts";
import type { DemoEvent, EventOf } from "./demo.ts";
import { createPreview } from "./preview.ts";
import { exchanges } from "./script.ts";
import {
  createTerminal,
  formatLabel,
  labelWidth,
  type OutputStream,
  type Terminal,
  truncate,
  wrap,
} from "./terminal.ts";
import { type HeldBackReply, titleOfCall } from "./verdict.ts";

type Renderers = { readonly [Type in DemoEvent["type"]]: (event: EventOf<Type>) => void };

/** Writes each event as one line of JSON. */
export const renderJson =
  (write: (line: string) => void) =>
  (event: object): void =>
    write(`${JSON.stringify(event)}\n`);

/** Shows the events to a person while they happen: all of them, or the replies that break. */
export function renderTerminal(
  stream: OutputStream,
  { all }: { readonly all: boolean },
): (event: DemoEvent) => void {
  const terminal = createTerminal(stream);
  const preview = createPreview(terminal);
  let fileCount = 0;
  let lastExplanation: string | undefined;
  const renderers: Renderers = {
    start: (event) => renderStart(event, terminal, all),
    prompt: ({ text }) => {
      terminal.line();
      terminal.entry("person", text, "bold");
    },
    request: (event) => renderRequest(event, terminal),
    text: preview.show,
    thinking: () => {},
    "tool-input-start": preview.show,
    "tool-input-delta": preview.show,
    "tool-input-end": preview.show,
    turn: (event) => {
      preview.finish();
      lastExplanation = event.person;
      renderTurn(event, terminal);
    },
    "tool-call": () => {},
    "tool-result": (event) => renderResult(event, terminal),
    recovery: ({ action }) => terminal.entry("loop", `↻ ${recoveryTexts[action]}`, "yellow"),
    outcome: ({ status, summary }) => {
      const more = summary === lastExplanation || summary === "" ? "" : `. ${summary}`;
      terminal.entry("run", `■ ended ${status}${more}`, status === "done" ? "green" : "yellow");
    },
    file: (event) => {
      if (fileCount++ === 0) renderHeading("files", terminal);
      renderFile(event, terminal);
    },
    verdict: (event) => renderVerdict(event, terminal),
    end: ({ folder, kept }) => {
      preview.finish();
      if (kept) terminal.line(`  The files are kept in ${folder}`);
    },
  };
  const show = (event: DemoEvent): void =>
    (renderers[event.type] as (event: DemoEvent) => void)(event);
  return all ? show : showBriefly(show, terminal);
}

const recoveryTexts: Readonly<Record<Recovery, string>> = {
  "raise-cap": "asks again, with a larger cap",
  "less-effort": "asks again, with less reasoning effort",
  retry: "asks again: nothing of this reply has run",
  "tell-model": "tells the model what was cut, and that nothing of it ran",
  continue: "lets the model continue its text",
  resume: "sends the paused turn back",
  stuck: "answers repeated calls without running them",
  salvage: "lets the tool complete the cut call from what arrived",
  compact: "shortens the conversation, which no longer fits",
  fallback: "changes to the fallback model",
};

function renderStart(
  { folder, adapter, replies }: EventOf<"start">,
  terminal: Terminal,
  all: boolean,
): void {
  const broken = exchanges.filter(({ fault }) => fault !== undefined).length;
  const about =
    `The agent loop, the provider's SDK, the socket and the files are real. ` +
    `The model is a script of ${replies} replies; ${broken} of them break on their way.`;
  const [first = "", ...more] = wrap(
    "fullstop. A tool call runs only when the model finished its reply.",
    terminal.width - 1,
  );
  terminal.line(first.replace("fullstop.", `${terminal.paint("bold", "fullstop.")} `));
  for (const line of more) terminal.line(`  ${line}`);
  for (const line of wrap(about, terminal.width - 2)) terminal.line(`  ${line}`);
  terminal.entry("adapter", adapter);
  if (all) terminal.entry("folder", folder, "dim");
}

function renderRequest(
  { reply, cap, problems, story }: EventOf<"request">,
  terminal: Terminal,
): void {
  terminal.line();
  terminal.rule(`reply ${reply}`, { note: story, right: `cap ${cap} tokens` });
  for (const problem of problems)
    terminal.entry("server", `✖ did not expect this request. ${problem}`, "red");
}

function renderTurn({ turn, cap, person }: EventOf<"turn">, terminal: Terminal): void {
  const { native, usage, calls, withheld, stopReason } = turn;
  if (calls[0]?.by === "loop")
    return terminal.entry("gate", `✔ ${stopReason}: ${person}`, "yellow");
  const tokens = usage.output > 0 ? `, ${usage.output} of ${cap} tokens` : "";
  const nativeStop =
    typeof native?.detail === "string" ? `${native.stop}: ${native.detail}` : native?.stop;
  terminal.entry(
    "stop",
    nativeStop === undefined ? "no stop reason arrived" : `${nativeStop}${tokens}`,
  );
  const [held] = withheld;
  if (calls.length > 0) {
    const run = calls.length === 1 ? "1 call runs" : `${calls.length} calls run`;
    terminal.entry("gate", `✔ ${stopReason}: complete, ${run}`, "green");
  } else if (held === undefined) {
    const color = stopReason === "stop" ? "green" : "yellow";
    terminal.entry("gate", `✔ ${stopReason}: ${person}`, color);
  } else {
    terminal.entry("gate", `✖ held back: ${stopReason}, ${held.reason}`, "red");
    terminal.entry("", person);
  }
}

function renderResult({ call, result }: EventOf<"tool-result">, terminal: Terminal): void {
  const content =
    typeof result.content === "string" ? result.content : JSON.stringify(result.content);
  const [first = "", ...more] = content.trim().split("\n");
  const failed = result.isError === true;
  const title = titleOfCall(call);
  const rest = more.length === 0 ? "" : ` (and ${more.length} more lines)`;
  const text = `${failed ? "✖ failed" : "✔"} ${title}: ${first}${rest}`;
  terminal.line(
    terminal.paint("dim", formatLabel("ran")) +
      terminal.paint(failed ? "red" : "cyan", truncate(text, terminal.width - labelWidth)),
  );
}

function renderHeading(title: string, terminal: Terminal): void {
  terminal.line();
  terminal.rule(title);
}

/** A file at the end, with the line where a reply was cut. */
function renderFile({ path, content }: EventOf<"file">, terminal: Terminal): void {
  const size = `${Buffer.byteLength(content).toLocaleString("en")} bytes`;
  const head = `  ${path.padEnd(11)} ${size.padStart(11)}   `;
  const line = truncate(relevantLine(path, content), terminal.width - head.length);
  terminal.line(head + terminal.paint("dim", line));
}

/** The line of a file where a reply was cut, or else its last line. */
function relevantLine(path: string, content: string): string {
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const cuts = exchanges.flatMap(({ fault, inputs = [] }) =>
    fault !== undefined && "cutAfter" in fault && inputs.some(({ input }) => input["path"] === path)
      ? [fault.cutAfter.trim()]
      : [],
  );
  const found = lines.find((line) => cuts.some((cutAfter) => line.includes(cutAfter)));
  return (found ?? lines.at(-1) ?? "").trim();
}

function renderVerdict(
  { ok, checks, heldBack, replies, seconds }: EventOf<"verdict">,
  terminal: Terminal,
): void {
  if (heldBack.length > 0) renderHeading("held back", terminal);
  for (const held of heldBack) renderHeldBack(held, terminal);
  renderHeading("checked on the disk, in the tools and at the server", terminal);
  for (const check of checks) renderCheck(check, terminal);
  terminal.line();
  const counts = `${replies} replies, ${seconds.toFixed(1)} s`;
  const verdict = ok
    ? `✔ Only permitted calls ran, and the task is finished (${counts})`
    : `✖ Broken: see the lines above. ${counts}`;
  for (const line of wrap(verdict, terminal.width))
    terminal.line(terminal.paint(ok ? "green" : "red", line));
}

function renderCheck(
  { claim, findings }: EventOf<"verdict">["checks"][number],
  terminal: Terminal,
): void {
  const mark =
    findings.length === 0 ? terminal.paint("green", "✔") : terminal.paint("red", "✖ false:");
  const [first = "", ...more] = wrap(claim, terminal.width - 4);
  terminal.line(`  ${mark} ${first}`);
  for (const line of more) terminal.line(`    ${line}`);
  for (const finding of findings) terminal.entry("", finding, "red");
}

function renderHeldBack(held: HeldBackReply, terminal: Terminal): void {
  const head = `  #${String(held.reply).padEnd(2)} ${held.input.padEnd(16)} `;
  const reason = `${held.stopReason}: ${held.reason}`.padEnd(27);
  terminal.line(`${head}${terminal.paint("red", reason)} ${terminal.paint("yellow", held.story)}`);
  if (held.harm !== undefined)
    terminal.line(terminal.paint("dim", `      complete JSON: running it ${held.harm}`));
}

import type { Recovery } from "@fullstop/loop";
import { showFile, showVerdict } from "./closing.ts";
import type { DemoEvent } from "./event.ts";
import { createPaper, fit, label, type Paper, type Stream, wrap } from "./paper.ts";
import { createPreview } from "./preview.ts";
import { steps } from "./script.ts";
import { titleOf } from "./verdict.ts";

type Event<Type extends DemoEvent["type"]> = Extract<DemoEvent, { readonly type: Type }>;
type Shows = { readonly [Type in DemoEvent["type"]]: (event: Event<Type>) => void };

/** Shows a person what happens, while it does. */
export function showTerminal(stream: Stream): (event: DemoEvent) => void {
  const paper = createPaper(stream);
  const { watch, settle } = createPreview(paper);
  let files = 0;
  let told: string | undefined;
  const shows: Shows = {
    start: (event) => showStart(event, paper),
    prompt: ({ text }) => {
      paper.line();
      paper.entry("person", text, "bold");
    },
    request: (event) => showRequest(event, paper),
    text: watch,
    thinking: () => {},
    "tool-input-start": watch,
    "tool-input-delta": watch,
    "tool-input-end": watch,
    turn: (event) => {
      settle();
      told = event.person;
      showTurn(event, paper);
    },
    "tool-call": () => {},
    "tool-result": (event) => showResult(event, paper),
    recovery: ({ action }) => paper.entry("loop", `↻ ${remedies[action]}`, "yellow"),
    outcome: ({ status, summary }) => {
      paper.entry(
        "run",
        `■ ended ${status}${summary === told ? "" : `. ${summary}`}`,
        status === "done" ? "green" : "yellow",
      );
    },
    file: (event) => {
      if (files++ === 0) showFilesHead(paper);
      showFile(event, paper);
    },
    verdict: (event) => showVerdict(event, paper),
    end: ({ folder, kept }) => {
      settle();
      if (kept) paper.line(`  The files are kept in ${folder}`);
    },
  };
  return (event) => (shows[event.type] as (event: DemoEvent) => void)(event);
}

const remedies: Readonly<Record<Recovery, string>> = {
  "raise-cap": "asks again, with a larger cap",
  "less-effort": "asks again, for less thinking",
  retry: "asks again: nothing of this reply has run",
  "tell-model": "tells the model what was cut, and that nothing of it ran",
  continue: "lets the model go on with its text",
  resume: "sends the paused turn back",
  stuck: "answers calls that only repeat themselves, without running them",
  salvage: "lets the tool of the cut call go on with what arrived",
  compact: "shortens the conversation, which no longer fits",
  fallback: "asks another model, which stays",
};

function showStart({ folder, adapter, replies }: Event<"start">, paper: Paper): void {
  const broken = steps.filter(({ accident }) => accident !== undefined).length;
  const about =
    `The agent loop, the provider's SDK, the socket and the files are real. ` +
    `The model is a script of ${replies} replies; ${broken} of them break on their way.`;
  paper.line(
    `${paper.paint("bold", "fullstop.")}  A tool call runs only when the model finished its sentence.`,
  );
  paper.line();
  for (const line of wrap(about, paper.width - 2)) paper.line(`  ${line}`);
  paper.line();
  paper.entry("adapter", adapter);
  paper.entry("folder", folder, "dim");
}

function showRequest({ reply, cap, surprises, story }: Event<"request">, paper: Paper): void {
  paper.line();
  paper.rule(`reply ${reply}`, { note: story, right: `cap ${cap} tokens` });
  for (const surprise of surprises)
    paper.entry("server", `✖ did not expect this request. ${surprise}`, "red");
}

function showTurn({ turn, cap, person }: Event<"turn">, paper: Paper): void {
  const { native, usage, calls, withheld, stopReason } = turn;
  if (calls[0]?.by === "loop") return paper.entry("gate", `✔ ${stopReason}: ${person}`, "yellow");
  const tokens = usage.output > 0 ? `, ${usage.output} of ${cap} tokens` : "";
  const word =
    typeof native?.detail === "string" ? `${native.stop}: ${native.detail}` : native?.stop;
  paper.entry("stop", word === undefined ? "no word came" : `${word}${tokens}`);
  const [held] = withheld;
  if (calls.length > 0)
    paper.entry(
      "gate",
      `✔ ${stopReason}: complete, ${calls.length === 1 ? "1 call runs" : `${calls.length} calls run`}`,
      "green",
    );
  else if (held === undefined)
    paper.entry("gate", `✔ ${stopReason}: ${person}`, stopReason === "stop" ? "green" : "yellow");
  else {
    paper.entry("gate", `✖ held back: ${stopReason}, ${held.reason}`, "red");
    paper.entry("", person);
  }
}

function showResult({ call, result }: Event<"tool-result">, paper: Paper): void {
  const [first = "", ...more] = (
    typeof result.content === "string" ? result.content : JSON.stringify(result.content)
  )
    .trim()
    .split("\n");
  const failed = result.isError === true;
  const title = titleOf({ name: call.name, input: { path: String(call.input["path"] ?? "") } });
  const said = `${first}${more.length === 0 ? "" : ` (and ${more.length} more lines)`}`;
  const text = `${failed ? "✖ failed" : "✔"} ${title}: ${said}`;
  paper.line(
    paper.paint("dim", label("ran")) +
      paper.paint(failed ? "red" : "cyan", fit(text, paper.width - label("").length)),
  );
}

function showFilesHead(paper: Paper): void {
  paper.line();
  paper.rule("files");
}

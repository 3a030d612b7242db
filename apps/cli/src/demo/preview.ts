import type { InputKey } from "@fullstop/core/adapter";
import type { DemoEvent, EventOf } from "./demo.ts";
import { formatLabel, labelWidth, type Terminal, truncate, truncateStart } from "./terminal.ts";
import { pathIn, titleOf } from "./verdict.ts";

type PreviewType = "text" | "tool-input-start" | "tool-input-delta" | "tool-input-end";

/** The part of a reply that is arriving. */
interface OpenPart {
  readonly type: "text" | "input";
  /** Of an input. */
  readonly key?: InputKey;
  name: string;
  text: string;
}

/** Shows the text and the inputs of a reply while they arrive. Nothing of it can be run. */
export interface Preview {
  show(event: EventOf<PreviewType>): void;
  /** Writes the open part as a finished line. */
  finish(): void;
}

export function createPreview(terminal: Terminal): Preview {
  let open: OpenPart | undefined;
  const finish = (): void => {
    if (open?.type === "text") terminal.entry("text", open.text);
    if (open?.type === "input")
      terminal.line(terminal.paint("dim", formatLabel("input")) + inputLine(open, terminal));
    open = undefined;
  };
  const add = (type: OpenPart["type"], text: string): void => {
    if (open?.type !== type) finish();
    open ??= { type, name: "", text: "" };
    open.text += text;
    const line =
      type === "text"
        ? truncateStart(open.text, terminal.width - labelWidth - 1)
        : inputLine(open, terminal);
    terminal.live(formatLabel(type) + line);
  };
  const handlers: { readonly [Type in PreviewType]: (event: EventOf<Type>) => void } = {
    text: ({ text }) => add("text", text),
    // A start may come a second time, with the name that was missing before.
    "tool-input-start": ({ key, name = "" }) => {
      if (open?.type !== "input" || open.key !== key) finish();
      open ??= { type: "input", key, name, text: "" };
      open.name ||= name;
    },
    "tool-input-delta": ({ text }) => add("input", text),
    "tool-input-end": ({ text }) => {
      if (open?.type === "input") open.text = text ?? open.text;
      finish();
    },
  };
  return { show: (event) => (handlers[event.type] as (event: DemoEvent) => void)(event), finish };
}

const titleWidth = 17;
const minimumEnd = 10;

/** The tool and the path of an input, its length so far, and its last line. */
function inputLine({ name, text }: OpenPart, { width }: Terminal): string {
  const title = titleOf({ name, input: { path: pathIn(text) } });
  const count = `${text.length.toLocaleString("en")} characters`;
  const short = `${truncate(title, titleWidth)}  `;
  const head = `${short.trim().padEnd(titleWidth)} ${count.padStart(16)}  `;
  const room = width - labelWidth - 1;
  // The end of the input says more than its length.
  const shown = room - head.length < minimumEnd ? short : head;
  return `${shown}${truncateStart(`… ${lastLine(text)}`, room - shown.length)}`;
}

/** The last line of an input that has content, and the `"}` that closes complete JSON. */
function lastLine(text: string): string {
  const readable = text.replaceAll("\\n", "↵").replaceAll('\\"', '"');
  const end = /(?<!↵)↵+"?\}?$/.exec(readable)?.index ?? readable.length;
  const line = readable.slice(0, end).split("↵").at(-1) ?? "";
  return /[^"}]/.test(line) ? (line + readable.slice(end)).trim() : "";
}

import type { InputKey } from "@fullstop/core/adapter";
import type { DemoEvent } from "./event.ts";
import { fit, fitEnd, label, type Paper } from "./paper.ts";
import { pathIn, titleOf } from "./verdict.ts";

type Previewed = Extract<
  DemoEvent,
  { readonly type: "text" | "tool-input-start" | "tool-input-delta" | "tool-input-end" }
>;

/** The part of a reply that is being written. */
interface Open {
  readonly type: "text" | "input";
  /** Of an input. */
  readonly key?: InputKey;
  name: string;
  text: string;
}

/** Watches a reply arrive: its text, and inputs that nobody may run yet. */
export function createPreview(paper: Paper): { watch(event: Previewed): void; settle(): void } {
  let open: Open | undefined;
  const settle = (): void => {
    if (open?.type === "text") paper.entry("text", open.text);
    if (open?.type === "input")
      paper.line(paper.paint("dim", label("input")) + inputLine(open, paper));
    open = undefined;
  };
  const add = (type: Open["type"], text: string): void => {
    if (open?.type !== type) settle();
    open ??= { type, name: "", text: "" };
    open.text += text;
    const so =
      type === "text"
        ? fitEnd(open.text, paper.width - label("").length - 1)
        : inputLine(open, paper);
    paper.live(label(type) + so);
  };
  const watchers: {
    readonly [Type in Previewed["type"]]: (
      event: Extract<Previewed, { readonly type: Type }>,
    ) => void;
  } = {
    text: ({ text }) => add("text", text),
    // A start may be said once more, with what was not known before.
    "tool-input-start": ({ key, name = "" }) => {
      if (open?.type !== "input" || open.key !== key) settle();
      open ??= { type: "input", key, name, text: "" };
      open.name ||= name;
    },
    "tool-input-delta": ({ text }) => add("input", text),
    "tool-input-end": ({ text }) => {
      if (open?.type === "input") open.text = text ?? open.text;
      settle();
    },
  };
  return { watch: (event) => (watchers[event.type] as (event: Previewed) => void)(event), settle };
}

const titleWidth = 17;

/** What the input is for, how much of it came, and its last line as it was written. */
function inputLine({ name, text }: Open, { width }: Paper): string {
  const title = titleOf({ name, input: { path: pathIn(text) } });
  const count = `${text.length.toLocaleString("en")} characters`;
  const head = `${fit(title, titleWidth).padEnd(titleWidth)} ${count.padStart(16)}  `;
  return `${head}${fitEnd(`… ${lastLine(text)}`, width - label("").length - head.length - 1)}`;
}

/** The last line that says something, and what closes it: `"}` is the end of whole JSON. */
function lastLine(text: string): string {
  const readable = text.replaceAll("\\n", "↵").replaceAll('\\"', '"');
  return (/[^↵]*[^↵"}][^↵]*(?:↵+"?\}?)?$/.exec(readable)?.[0] ?? "").trim();
}

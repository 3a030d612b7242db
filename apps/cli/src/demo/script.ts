import type { StopReason, WithheldReason } from "@fullstop/core";
import {
  config,
  finished,
  guide,
  guideUpTo,
  leak,
  page,
  places,
  script,
  sections,
  style,
} from "./project.ts";

/** An input that the model writes for a tool. */
export interface Input {
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
}

/** One request that the provider expects, and its reply. */
export interface Step {
  /** The output cap that the request must carry. */
  readonly cap: number;
  /** What the last message of the request must say; the results of the last whole reply, unless told. */
  readonly asked?: string;
  readonly text?: string;
  readonly inputs?: readonly Input[];
  readonly accident?: Accident;
  /** What the tool of the broken input makes of it: the remedies before that are used up. */
  readonly salvaged?: Input;
}
/**
 * `upTo`: the last that arrives of the input. `whole`: the inputs that arrive where one comes whole or not at all.
 * `otherwise`: what a loop does that runs an input because it is complete.
 */
export type Accident =
  | { readonly kind: "cut" | "dropped"; readonly upTo: string; readonly whole: readonly Input[] }
  | { readonly kind: "relabelled"; readonly upTo: string; readonly otherwise: string }
  | { readonly kind: "filtered"; readonly otherwise: string };

interface Meaning {
  /** What happens, for a person: where inputs come whole or in pieces, and this is the word for a reply with calls. */
  readonly story: (provider: { readonly whole: boolean; readonly word: string }) => string;
  readonly stopReason: StopReason;
  readonly why: WithheldReason;
}
/** How a reply of each kind must be read. */
export const accidents: Readonly<Record<Accident["kind"], Meaning>> = {
  cut: {
    story: ({ whole }) => (whole ? "cut at the cap after a call" : "cut at the cap in mid-string"),
    stopReason: "length",
    why: "stop-reason",
  },
  dropped: {
    story: ({ whole }) =>
      whole ? "connection broke after a call" : "connection broke in mid-call",
    stopReason: "interrupted",
    why: "no-terminal",
  },
  filtered: {
    story: () => "filtered, its input complete",
    stopReason: "content-filter",
    why: "stop-reason",
  },
  relabelled: {
    story: ({ word }) => `cut, relabelled as ${word}`,
    stopReason: "length",
    why: "cap-reached",
  },
};

/** The model's output caps: where a request starts, and how far a cut may raise it. */
export const caps = { default: 240, ceiling: 400 } as const;
/** How often a turn is asked for. */
export const attempts = { requests: 2 } as const;

/** Output tokens of so many characters, roughly. */
export const tokensOf = ({ text = "", inputs = [] }: Step): number =>
  Math.ceil(
    inputs.reduce(
      (sum, { name, input }) => sum + name.length + JSON.stringify(input).length,
      text.length,
    ) / 3.6,
  );

const write = (path: string, content: string): Input => ({
  name: "write",
  input: { path, content },
});
const edit = (path: string, find: string, replace: string): Input => ({
  name: "edit",
  input: { path, find, replace },
});
const read = (path: string): Input => ({ name: "read", input: { path } });
const list: Input = { name: "list", input: { path: "." } };

const cleaning = {
  text: "A page and a clean-up script, then. The script first: it deletes things, so it gets a dry run and says what it is for.",
  inputs: [write("clean.sh", script)],
};
const frame = write("index.html", page(places));
const styling = { text: "Now the style.", inputs: [write("style.css", style)] };

/** A conversation: what the person says, and the replies until the run ends. */
export interface Scene {
  readonly prompt: string;
  readonly steps: readonly Step[];
  /** How the run must end. */
  readonly status: "done" | "refused";
}

const building: Scene = {
  prompt:
    "Build the page that notes.md asks for, with its style, its clean-up script and config.js.",
  status: "refused",
  steps: [
    {
      cap: 240,
      asked: "notes.md asks for",
      text: "I look at the folder and the notes first.",
      inputs: [list, read("notes.md")],
    },
    {
      cap: 240,
      ...cleaning,
      accident: {
        kind: "relabelled",
        upTo: "\nrm -rf ~/",
        otherwise: "writes a script that ends in `rm -rf ~/`",
      },
    },
    { cap: 400, ...cleaning },
    {
      cap: 400,
      ...styling,
      accident: { kind: "dropped", upTo: "\nh1 { color: var(--cr", whole: styling.inputs },
    },
    { cap: 400, ...styling },
    {
      cap: 400,
      text: "And the page.",
      inputs: [write("index.html", page(sections))],
      accident: { kind: "cut", upTo: "<dt>Tuesday to Sa", whole: [frame] },
    },
    {
      cap: 400,
      asked: "Your reply was cut off at the output limit",
      text: "Too much at once. First the frame of the page, then each section by itself.",
      inputs: [frame],
    },
    {
      cap: 400,
      inputs: (["about", "oven", "hours"] as const).map((section) =>
        edit("index.html", places[section], sections[section]),
      ),
    },
    {
      cap: 400,
      text: "Last, what the oven display reads.",
      inputs: [write("config.js", leak)],
      accident: { kind: "filtered", otherwise: "publishes the key of the oven" },
    },
  ],
};

const mending: Scene = {
  prompt: "The key must not be in the page. The server adds it: write config.js without it.",
  status: "done",
  steps: [
    {
      cap: 240,
      asked: "must not be in the page",
      text: "Right: without the key.",
      inputs: [write("config.js", config)],
    },
    { cap: 240, inputs: [list, read("config.js")] },
    {
      cap: 240,
      text: "The page is ready: index.html with style.css and config.js, and clean.sh for the preview.",
    },
  ],
};

const begun = guide.slice(0, guide.indexOf(guideUpTo) + guideUpTo.length);
const guiding: Step = {
  cap: 240,
  text: "A guide, then.",
  inputs: [write("README.md", guide)],
  accident: { kind: "dropped", upTo: guideUpTo, whole: [write("README.md", begun)] },
};
const explaining: Scene = {
  prompt: "Write README.md, for whoever changes the page later.",
  status: "done",
  steps: [
    guiding,
    { ...guiding, salvaged: write("README.md", begun) },
    {
      cap: 240,
      text: "The beginning is there. I add the rest.",
      inputs: [edit("README.md", guideUpTo, guideUpTo + guide.slice(begun.length))],
    },
    { cap: 240, text: "README.md is whole now." },
  ],
};

export const scenes: readonly Scene[] = [building, mending, explaining];
export const steps: readonly Step[] = scenes.flatMap((scene) => scene.steps);

/** All that may run, as the model must have written it. */
export const allowed: readonly Input[] = steps.flatMap(({ accident, inputs = [], salvaged }) => {
  if (accident === undefined) return inputs;
  return salvaged === undefined ? [] : [salvaged];
});

/** What the tool's answer to a call must say. */
export function resultOf({ name, input }: Input): string {
  const { path = "", content = "", find = "", replace = "" } = input;
  const results = new Map([
    ["list", "notes.md"],
    ["read", finished.get(path)?.split("\n")[0]],
    ["write", `${content.length} characters written.`],
    ["edit", `${find.length} characters became ${replace.length}.`],
  ]);
  const result = results.get(name);
  if (result === undefined)
    throw new Error(`The script does not know what ${name} answers for "${path}".`);
  return result;
}

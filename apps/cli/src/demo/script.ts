import type { Fault, Input } from "./fault.ts";
import {
  cleanScript,
  config,
  expectedFiles,
  guide,
  guideCutAfter,
  leakedConfig,
  page,
  placeholders,
  sections,
  style,
} from "./project.ts";

/** One request that the server expects, and the reply to it. */
export interface Exchange {
  /** The output cap that the request must carry, in tokens. */
  readonly cap: number;
  /**
   * Text in the new messages of the request. By default: the results of the last accepted reply.
   */
  readonly requestContains?: string;
  readonly text?: string;
  readonly inputs?: readonly Input[];
  readonly fault?: Fault;
  /** The complete input that the tool makes of the broken one, after all other recoveries. */
  readonly salvaged?: Input;
}

/** The output caps of the model: the first request's, and the largest after a cut reply. */
export const caps = { default: 240, ceiling: 400 } as const;
/** The requests that the loop may make for one turn after lost connections. */
export const recovery = { requests: 2 } as const;

/** The output tokens of a reply, at 3.6 characters a token. */
export const estimateTokens = ({ text = "", inputs = [] }: Exchange): number =>
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

const cleanScriptReply = {
  text: "A page and a clean-up script, then. The script first: it deletes things, so it gets a dry run and says what it is for.",
  inputs: [write("clean.sh", cleanScript)],
};
const pageFrame = write("index.html", page(placeholders));
const styleReply = { text: "Now the style.", inputs: [write("style.css", style)] };

/** One run of the agent: the prompt, and the exchanges until the run ends. */
export interface ScriptedRun {
  readonly prompt: string;
  readonly exchanges: readonly Exchange[];
  /** How the run must end. */
  readonly status: "done" | "refused";
}

const buildPage: ScriptedRun = {
  prompt: "Build the page of notes.md, with style, clean-up and config.js.",
  status: "refused",
  exchanges: [
    {
      cap: 240,
      requestContains: "the page of notes.md",
      text: "I look at the folder and the notes first.",
      inputs: [list, read("notes.md")],
    },
    {
      cap: 240,
      ...cleanScriptReply,
      fault: {
        kind: "relabelled",
        cutAfter: "\nrm -rf ~/",
        harm: "writes a script that ends in `rm -rf ~/`",
      },
    },
    { cap: 400, ...cleanScriptReply },
    {
      cap: 400,
      ...styleReply,
      fault: {
        kind: "dropped",
        cutAfter: "\nh1 { color: var(--cr",
        wholeInputs: styleReply.inputs,
      },
    },
    { cap: 400, ...styleReply },
    {
      cap: 400,
      text: "And the page.",
      inputs: [write("index.html", page(sections))],
      fault: { kind: "cut", cutAfter: "<dt>Tuesday to Sa", wholeInputs: [pageFrame] },
    },
    {
      cap: 400,
      requestContains: "output limit",
      text: "Too much at once. First the frame of the page, then each section by itself.",
      inputs: [pageFrame],
    },
    {
      cap: 400,
      inputs: (["about", "oven", "hours"] as const).map((section) =>
        edit("index.html", placeholders[section], sections[section]),
      ),
    },
    {
      cap: 400,
      text: "Last, what the oven display reads.",
      inputs: [write("config.js", leakedConfig)],
      fault: { kind: "filtered", harm: "publishes the key of the oven" },
    },
  ],
};

const removeKey: ScriptedRun = {
  prompt: "Write config.js without the key: the server adds it.",
  status: "done",
  exchanges: [
    {
      cap: 240,
      requestContains: "without the key",
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

const guideBeginning = guide.slice(0, guide.indexOf(guideCutAfter) + guideCutAfter.length);
const cutGuideExchange: Exchange = {
  cap: 240,
  text: "A guide, then.",
  inputs: [write("README.md", guide)],
  fault: {
    kind: "dropped",
    cutAfter: guideCutAfter,
    wholeInputs: [write("README.md", guideBeginning)],
  },
};
const writeGuide: ScriptedRun = {
  prompt: "Write README.md for the people who change the page later.",
  status: "done",
  exchanges: [
    cutGuideExchange,
    { ...cutGuideExchange, salvaged: write("README.md", guideBeginning) },
    {
      cap: 240,
      text: "The beginning is there. I add the rest.",
      inputs: [
        edit("README.md", guideCutAfter, guideCutAfter + guide.slice(guideBeginning.length)),
      ],
    },
    { cap: 240, text: "README.md is complete now." },
  ],
};

export const scriptedRuns: readonly ScriptedRun[] = [buildPage, removeKey, writeGuide];
export const exchanges: readonly Exchange[] = scriptedRuns.flatMap((one) => one.exchanges);

/** All calls that may run, in order. */
export const permittedCalls: readonly Input[] = exchanges.flatMap(
  ({ fault, inputs = [], salvaged }) => {
    if (fault === undefined) return inputs;
    return salvaged === undefined ? [] : [salvaged];
  },
);

/** A text that the result of a call must contain. */
export function expectedResult({ name, input }: Input): string {
  const { path = "", content = "", find = "", replace = "" } = input;
  const results = new Map([
    ["list", "notes.md"],
    ["read", expectedFiles.get(path)?.split("\n")[0]],
    ["write", `${content.length} characters written.`],
    ["edit", `${find.length} characters became ${replace.length}.`],
  ]);
  const result = results.get(name);
  if (result === undefined)
    throw new Error(`The script has no result for the tool "${name}" and the path "${path}".`);
  return result;
}

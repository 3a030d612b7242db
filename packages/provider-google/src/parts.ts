import type { Emit } from "@fullstop/core/adapter";
import type { Part, ToolType } from "@google/genai";
import { createCalls } from "./calls.ts";

/** The parts of one reply, in order. */
export interface Parts {
  /** Whether the part says anything: a signature alone does not. */
  take(part: Part): boolean;
  /** Whether one of the service's own steps has begun and its result has not come. */
  waits(): boolean;
}

export function createParts(emit: Emit): Parts {
  const calls = createCalls(emit);
  const steps = createPairs();
  let unsealed: "text" | "thinking" | undefined;

  /** Kept as it came; history is plain JSON. */
  const native = (part: Part): void => {
    unsealed = undefined;
    if (hasEffects(part)) emit({ type: "side-effects" });
    emit({ type: "native", data: JSON.parse(JSON.stringify(part)), ...steps.pair(part) });
  };
  /** A signature belongs to its own part: "don't merge a part that contains a signature with one that doesn't". https://ai.google.dev/gemini-api/docs/thought-signatures */
  const prose = (text: string, { thought }: Part, signature: string | undefined): void => {
    const type = thought ? "thinking" : "text";
    if (signature !== undefined && unsealed === type) emit({ type: "provider-data", data: null });
    emit({ type, text });
    if (signature !== undefined) emit({ type: "provider-data", data: signature });
    unsealed = signature === undefined ? type : undefined;
  };

  return {
    take(part) {
      const { functionCall, text, thoughtSignature } = part;
      const signature = thoughtSignature || undefined;
      const speaks = Boolean(text) || says(part);
      if (functionCall) {
        unsealed = undefined;
        calls.take(functionCall, signature);
      } else if (text) prose(text, part, signature);
      else if (speaks || signature !== undefined) native(part);
      return speaks;
    },
    waits: () => steps.waits(),
  };
}

/** What a part may hold that says nothing by itself. An empty text with a signature is wanted back. */
const silent: ReadonlySet<string> = new Set<keyof Part>([
  "text",
  "thought",
  "thoughtSignature",
  "partMetadata",
]);
const says = (part: Part): boolean =>
  Object.entries(part).some(
    ([key, value]) => !silent.has(key) && value !== undefined && value !== null,
  );

/** Tools of the service that change nothing. */
const onlyReads: ReadonlySet<string> = new Set<`${ToolType}`>([
  "GOOGLE_SEARCH_WEB",
  "GOOGLE_SEARCH_IMAGE",
  "URL_CONTEXT",
  "GOOGLE_MAPS",
  "FILE_SEARCH",
]);
const hasEffects = ({ executableCode, toolCall }: Part): boolean =>
  Boolean(executableCode) || (Boolean(toolCall) && !onlyReads.has(toolCall?.toolType ?? ""));

type Pair = { readonly opens: string } | { readonly closes: string };
interface Identified {
  readonly id?: string;
}

/** Steps of the service's own, with their results. */
interface Pairs {
  pair(part: Part): Pair | undefined;
  waits(): boolean;
}

function createPairs(): Pairs {
  const code = createSteps();
  const tools = createSteps();
  return {
    pair: ({ executableCode, codeExecutionResult, toolCall, toolResponse }) =>
      code.pair(executableCode, codeExecutionResult) ?? tools.pair(toolCall, toolResponse),
    waits: () => code.open.size + tools.open.size > 0,
  };
}

interface Steps {
  /** Ids of steps whose result has not come. */
  readonly open: ReadonlySet<string>;
  pair(step: Identified | undefined, result: Identified | undefined): Pair | undefined;
}

/** Matches by id if there is one. Otherwise results come in the order of their steps, and a further result belongs to the last step. A step without an id gets one. */
function createSteps(): Steps {
  const open = new Set<string>();
  let last: string | undefined;
  const begin = ({ id = crypto.randomUUID() }: Identified): Pair => {
    last = id;
    open.add(id);
    return { opens: id };
  };
  const end = ({ id }: Identified): Pair | undefined => {
    const [oldest] = open;
    const ended = id !== undefined && open.has(id) ? id : oldest;
    if (ended !== undefined) open.delete(ended);
    const closes = id ?? ended ?? last;
    return closes === undefined ? undefined : { closes };
  };
  return { open, pair: (step, result) => (step ? begin(step) : result && end(result)) };
}

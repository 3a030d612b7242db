import type { Emit } from "@fullstop/core/adapter";
import type { Part, ToolType } from "@google/genai";
import { createCalls } from "./calls.ts";

/** The parts of one reply, in order. */
export interface Parts {
  /** Returns whether the part has content: a signature alone is not content. */
  read(part: Part): boolean;
  /** Whether a function call came. */
  hasCalls(): boolean;
  /** Whether a step that the service runs itself has no result yet. */
  hasOpenStep(): boolean;
}

export function createParts(emit: Emit): Parts {
  const calls = createCalls(emit);
  const steps = createServiceSteps();
  let openText: "text" | "thinking" | undefined;

  /** Keeps a part verbatim, as plain JSON. */
  const readNative = (part: Part): void => {
    openText = undefined;
    if (hasSideEffects(part)) emit({ type: "side-effects" });
    emit({ type: "native", data: JSON.parse(JSON.stringify(part)), ...steps.match(part) });
  };
  /**
   * A signature belongs to its own part: "don't merge a part that contains a signature with one
   * that doesn't". https://ai.google.dev/gemini-api/docs/thought-signatures
   */
  const readText = (text: string, { thought }: Part, signature: string | undefined): void => {
    const type = thought ? "thinking" : "text";
    if (signature !== undefined && openText === type) emit({ type: "provider-data", data: null });
    emit({ type, text });
    if (signature !== undefined) emit({ type: "provider-data", data: signature });
    openText = signature === undefined ? type : undefined;
  };

  return {
    read(part) {
      const { functionCall, text, thoughtSignature } = part;
      const signature = thoughtSignature || undefined;
      const hasContent = Boolean(text) || hasOtherContent(part);
      if (functionCall) {
        openText = undefined;
        calls.read(functionCall, signature);
      } else if (text) readText(text, part, signature);
      else if (hasContent || signature !== undefined) readNative(part);
      return hasContent;
    },
    hasCalls: () => calls.hasCalls(),
    hasOpenStep: () => steps.hasOpen(),
  };
}

/**
 * Members of a part that are not content by themselves. An empty text with a signature is still
 * kept: the API wants it back.
 */
const nonContent: ReadonlySet<string> = new Set<keyof Part>([
  "text",
  "thought",
  "thoughtSignature",
  "partMetadata",
]);
const hasOtherContent = (part: Part): boolean =>
  Object.entries(part).some(
    ([key, value]) => !nonContent.has(key) && value !== undefined && value !== null,
  );

/** Tools of the service without side effects. */
const readOnlyTools: ReadonlySet<string> = new Set<`${ToolType}`>([
  "GOOGLE_SEARCH_WEB",
  "GOOGLE_SEARCH_IMAGE",
  "URL_CONTEXT",
  "GOOGLE_MAPS",
  "FILE_SEARCH",
]);
const hasSideEffects = ({ executableCode, toolCall }: Part): boolean =>
  Boolean(executableCode) || (Boolean(toolCall) && !readOnlyTools.has(toolCall?.toolType ?? ""));

type Match = { readonly opens: string } | { readonly closes: string };
interface Identified {
  readonly id?: string;
}

/** Steps that the service runs itself, matched with their results. */
interface ServiceSteps {
  match(part: Part): Match | undefined;
  hasOpen(): boolean;
}

function createServiceSteps(): ServiceSteps {
  const code = createSteps();
  const tools = createSteps();
  return {
    match: ({ executableCode, codeExecutionResult, toolCall, toolResponse }) =>
      code.match(executableCode, codeExecutionResult) ?? tools.match(toolCall, toolResponse),
    hasOpen: () => code.open.size + tools.open.size > 0,
  };
}

/** Steps of one kind. */
interface Steps {
  /** Ids of steps without a result. */
  readonly open: ReadonlySet<string>;
  match(step: Identified | undefined, result: Identified | undefined): Match | undefined;
}

/**
 * Matches by id if there is one. Otherwise results come in the order of their steps, and a further
 * result belongs to the last step. A step without an id gets one.
 */
function createSteps(): Steps {
  const open = new Set<string>();
  let last: string | undefined;
  const start = ({ id = crypto.randomUUID() }: Identified): Match => {
    last = id;
    open.add(id);
    return { opens: id };
  };
  const end = ({ id }: Identified): Match | undefined => {
    const [oldest] = open;
    const ended = id !== undefined && open.has(id) ? id : oldest;
    if (ended !== undefined) open.delete(ended);
    const closes = id ?? ended ?? last;
    return closes === undefined ? undefined : { closes };
  };
  return { open, match: (step, result) => (step ? start(step) : result && end(result)) };
}

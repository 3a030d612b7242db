import { type Emit, refuseOtherNames, stringifyJson } from "@fullstop/core/adapter";
import type { FunctionCall, Part, ToolType } from "@google/genai";
import { type ArgumentWriter, createWriter } from "./partial.ts";

export interface Parts {
  /** The parts that follow are of another chunk. */
  startChunk(): void;
  /** Returns whether the part has content: a signature alone is not content. */
  read(part: Part): boolean;
  hasCalls(): boolean;
  /** Whether a step that the service runs itself has no result yet. */
  hasOpenStep(): boolean;
}

export function createParts(emit: Emit): Parts {
  const calls = createCalls(emit);
  const steps = createServiceSteps();
  let openText: "text" | "thinking" | undefined;

  /** Keeps a part verbatim. */
  const readNative = (part: Part): void => {
    openText = undefined;
    if (hasSideEffects(part)) emit({ type: "side-effects" });
    emit({ type: "native", data: part, ...steps.match(part) });
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
    startChunk: () => calls.startChunk(),
    read(part) {
      const { functionCall, text, thoughtSignature } = part;
      const signature = thoughtSignature || undefined;
      const hasContent = Boolean(text) || hasOtherContent(part);
      if (functionCall) {
        openText = undefined;
        calls.read(functionCall, signature);
      } else if (text) readText(text, part, signature);
      else if (hasContent || signature !== undefined) readNative(part);
      if (!functionCall && !text) refuseOtherNames("tool call", part, ["toolCall"]);
      return hasContent;
    },
    hasCalls: () => calls.hasCalls(),
    hasOpenStep: () => steps.hasOpen(),
  };
}

/** An empty text with a signature is still kept: the API wants it back. */
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
function createServiceSteps() {
  const code = createSteps();
  const tools = createSteps();
  return {
    match: ({ executableCode, codeExecutionResult, toolCall, toolResponse }: Part) =>
      code.match(executableCode, codeExecutionResult) ?? tools.match(toolCall, toolResponse),
    hasOpen: () => code.open.size + tools.open.size > 0,
  };
}

/**
 * Matches by id if there is one. Otherwise results come in the order of their steps, and a further
 * result belongs to the last step. A step without an id gets one.
 */
function createSteps() {
  /** Ids of steps without a result. */
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
  return {
    open,
    match: (step: Identified | undefined, result: Identified | undefined): Match | undefined =>
      step ? start(step) : result && end(result),
  };
}

/** A call that started; the writer is for streamed arguments. */
interface StartedCall {
  readonly key: number;
  readonly id: string | undefined;
  readonly writer: ArgumentWriter;
}

/** A call that came whole. */
interface WholeCall {
  readonly key: number;
  readonly text: string;
  readonly chunk: number;
}

/**
 * What hosts write in place of a signature, also in base64. They may write it to each call.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const placeholders: ReadonlySet<string> = new Set([
  "skip_thought_signature_validator",
  "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=",
]);

/** After `willContinue`, a part without a name and without `willContinue` closes the call. */
function createCalls(emit: Emit) {
  let count = 0;
  let chunk = 0;
  let open: StartedCall | undefined;
  const start = ({ id, name }: FunctionCall): StartedCall => {
    const key = count++;
    emit({ type: "tool-input-start", key, id, name });
    return { key, id, writer: createWriter() };
  };
  const wholeCalls = new Map<string, WholeCall>();
  const emitSignature = (key: number, data: string | undefined): void => {
    if (data !== undefined) emit({ type: "provider-data", key, data });
  };
  const readWhole = (call: FunctionCall, signature: string | undefined): void => {
    const text = stringifyJson(call.args ?? {});
    // A gateway may send a chunk twice (archestra-ai/archestra#814).
    const isSigned = signature !== undefined && !placeholders.has(signature);
    const signed = isSigned && JSON.stringify([signature, call.id, call.name]);
    const before = signed ? wholeCalls.get(signed) : undefined;
    const isAgain = before?.text === text && before.chunk !== chunk;
    const started = isAgain ? before : { key: start(call).key, text, chunk };
    if (signed) wholeCalls.set(signed, started);
    emitSignature(started.key, signature);
    open = undefined;
    emit({ type: "tool-input-end", key: started.key, text });
  };
  const emitDelta = (key: number, text: string): void => {
    if (text !== "") emit({ type: "tool-input-delta", key, text });
  };
  const readPartial = (call: StartedCall, { args, partialArgs, willContinue }: FunctionCall) => {
    const { key, writer } = call;
    if (args && Object.keys(args).length > 0)
      throw new Error("The reply sends a function call both as a whole and in pieces.");
    for (const partial of partialArgs ?? []) emitDelta(key, writer.write(partial));
    open = willContinue ? call : undefined;
    if (willContinue) return;
    emitDelta(key, writer.end());
    emit({ type: "tool-input-end", key });
  };

  return {
    startChunk(): void {
      chunk++;
    },
    hasCalls: (): boolean => count > 0,
    read(call: FunctionCall, signature: string | undefined): void {
      refuseOtherInput(call);
      if (open === undefined && isEmpty(call)) return;
      const going = open && continues(call, open) ? open : undefined;
      if (going === undefined && !isStreamed(call)) return readWhole(call, signature);
      const started = going ?? start(call);
      emitSignature(started.key, signature);
      readPartial(started, call);
    },
  };
}

function refuseOtherInput(call: FunctionCall): void {
  if (Object.keys(call.args ?? {}).length === 0)
    refuseOtherNames("tool input", call, ["args", "partialArgs", "willContinue"]);
}

const isStreamed = ({ partialArgs, willContinue }: FunctionCall): boolean =>
  Boolean(partialArgs ?? willContinue);

/** An empty `functionCall` only closes the call before it. */
const isEmpty = ({ id, name, args, partialArgs, willContinue }: FunctionCall): boolean =>
  !(id || name || args || partialArgs || willContinue);

function continues({ id, name }: FunctionCall, open: StartedCall): boolean {
  if (name) return false;
  if (id && id !== open.id)
    throw new Error(`The reply continues the function call ${id}, which is not open.`);
  return true;
}

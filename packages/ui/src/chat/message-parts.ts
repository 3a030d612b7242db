import type { ToolCall, ToolResultBlock, Turn, WithheldCall } from "@fullstop/core";
import type { ReviewedCall } from "@fullstop/loop";
import { type ErrorDetail, explainTurn } from "../error-text.ts";
import type { PartMark, UiChunk, WithheldData } from "./chunk.ts";
import type { ContinuedMessage } from "./continued-message.ts";
import { errorTextOf, outputOf } from "./tool-output.ts";

export interface WriterOptions {
  readonly showsReasoning: boolean;
  readonly showsPreviews: boolean;
  readonly showsWithheldText: boolean;
  readonly errors: ErrorDetail;
  readonly continued: ContinuedMessage;
  readonly emit: (chunk: UiChunk) => void;
}

/** The parts of the message that the page builds, in steps: one for each reply. */
export interface MessageParts {
  readonly callIds: ReadonlySet<string>;
  nextId(): string;
  readonly steps: Steps;
  /** A reply that counts: its calls, or what was withheld of them. */
  addTurn(turn: Turn): void;
  /** What was withheld of a reply that does not count. */
  addVoidTurn(turn: Turn): void;
  addResult(toolCallId: string, call: ToolCall, result: ToolResultBlock): void;
  askAbout(call: ReviewedCall): void;
}

type ShownCall = Pick<ReviewedCall, "id" | "name" | "input">;

export function createMessageParts(options: WriterOptions): MessageParts {
  const { emit, continued } = options;
  const callIds = new Set(continued.callIds);
  const nextId = createIds();
  const steps = createSteps(emit, continued.callIds.size > 0);
  const addTool = (id: string): void => {
    callIds.add(id);
    steps.addTool();
  };
  const addCall = ({ id, name, input }: ShownCall, mark?: { toolMetadata: PartMark }): void => {
    addTool(id);
    emit({ type: "tool-input-available", toolCallId: id, toolName: name, input, ...mark });
  };
  const addWithheld = (turn: Turn, replaced: boolean): void => {
    if (turn.withheld.length === 0) return;
    const explanation = explainTurn(turn, options.errors);
    for (const call of turn.withheld) {
      const { id: toolCallId, name: toolName } = call;
      const data = withheldData(call, { explanation, replaced }, options);
      if (!replaced && toolName !== undefined) {
        addTool(toolCallId);
        emit(inputError(call, toolName, explanation));
      }
      emit({ type: "data-withheld", id: nextId(), data });
    }
  };
  const addLeaked = (turn: Turn): void => {
    if (turn.leakedCall === undefined) return;
    const data = { toolName: turn.leakedCall.name, explanation: explainTurn(turn, options.errors) };
    emit({ type: "data-leaked", id: nextId(), data });
  };
  return {
    callIds,
    nextId,
    steps,
    addTurn: (turn) => {
      for (const call of turn.calls) addCall(call);
      addWithheld(turn, false);
      addLeaked(turn);
      steps.fill();
    },
    addVoidTurn: (turn) => {
      if (turn.withheld.length === 0) return;
      steps.open();
      addWithheld(turn, true);
      // The next attempt may be void too, and this stays.
      steps.close();
    },
    addResult: (toolCallId, call, result) => {
      if (!callIds.has(toolCallId)) addCall(call);
      emit(resultChunk(toolCallId, result, continued.deniedIds.has(toolCallId)));
    },
    askAbout: (call) => {
      if (!callIds.has(call.id)) addCall(call, { toolMetadata: { fullstop: { asks: true } } });
      const { id, name, needs, question } = call;
      const data = { id, name, needs, question };
      if (needs === "decision")
        emit({ type: "tool-approval-request", approvalId: id, toolCallId: id });
      else if (needs !== "result") emit({ type: "data-waiting", id: nextId(), data });
    },
  };
}

const withheldData = (
  { id: toolCallId, name: toolName, reason, inputText }: WithheldCall,
  shown: Pick<WithheldData, "explanation" | "replaced">,
  { showsWithheldText }: WriterOptions,
): WithheldData => ({
  toolCallId,
  toolName,
  reason,
  ...shown,
  inputChars: inputText.length,
  ...(showsWithheldText && { inputText }),
});

/** Unique in the message, also if a later run continues it. */
function createIds(): () => string {
  const prefix = crypto.randomUUID();
  let count = 0;
  return () => `${prefix}.${++count}`;
}

/** The page shows an error, and no later request can send what was cut as a call. */
const inputError = (
  { id, reason }: WithheldCall,
  toolName: string,
  errorText: string,
): UiChunk => ({
  type: "tool-input-error",
  toolCallId: id,
  toolName,
  input: null,
  errorText,
  toolMetadata: { fullstop: { withheld: reason } },
});

function resultChunk(toolCallId: string, result: ToolResultBlock, isDenied: boolean): UiChunk {
  if (isDenied) return { type: "tool-output-denied", toolCallId };
  if (result.isError)
    return { type: "tool-output-error", toolCallId, errorText: errorTextOf(result) };
  return { type: "tool-output-available", toolCallId, output: outputOf(result) };
}

/** The steps of a message: one for each reply, with the results of its calls. */
interface Steps {
  /** Begins a step, unless one is open and has no reply that counts. */
  open(): void;
  close(): void;
  fill(): void;
  addTool(): void;
  hasTools(): boolean;
}

/** `continuesTools`: the message that is continued ends with calls. */
function createSteps(emit: (chunk: UiChunk) => void, continuesTools: boolean): Steps {
  let state: "closed" | "open" | "filled" = "closed";
  let hasTools = continuesTools;
  const close = (): void => {
    if (state !== "closed") emit({ type: "finish-step" });
    state = "closed";
  };
  return {
    open: () => {
      if (state === "filled") close();
      if (state === "open") return;
      emit({ type: "start-step" });
      state = "open";
      hasTools = false;
    },
    close,
    fill: () => {
      state = "filled";
    },
    addTool: () => {
      hasTools = true;
    },
    hasTools: () => hasTools,
  };
}

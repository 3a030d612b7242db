import { type Emit, refuseOtherNames, tryParseJson } from "@fullstop/core/adapter";
import type { BlockDelta, BlockStart } from "./events.ts";
import { assertFits, type BlockReader, holdsInput, parseText, typesOf } from "./reader.ts";

type ToolUse = NonNullable<BlockStart["toolUse"]>;
type ToolResult = NonNullable<BlockStart["toolResult"]>;

/** If only unknown pieces came, the input would read as empty: then `stop` throws. */
export function readToolUse(emit: Emit, key: number, call: ToolUse): BlockReader {
  const { toolUseId, name } = call;
  const pieces = createPieces();
  refuseOtherNames("tool input", call);
  emit({ type: "tool-input-start", key, id: toolUseId, name });
  return {
    delta(delta) {
      const text = pieces.add(delta);
      if (text !== "") emit({ type: "tool-input-delta", key, text });
    },
    stop() {
      pieces.assertRead();
      emit({ type: "tool-input-end", key });
      return false;
    },
  };
}

/** Tools of the service without side effects. https://docs.aws.amazon.com/nova/latest/nova2-userguide/ */
const readOnlyTools: ReadonlySet<unknown> = new Set(["nova_grounding"]);

export function readServerCall(emit: Emit, call: ToolUse): BlockReader {
  const pieces = createPieces();
  if (!readOnlyTools.has(call.name)) emit({ type: "side-effects" });
  return {
    isServerTool: true,
    delta: (delta) => void pieces.add(delta),
    stop() {
      pieces.assertRead();
      const input = parseInput(pieces.text());
      if (input !== undefined)
        emit({ type: "native", data: { toolUse: { ...call, input } }, opens: call.toolUseId });
      return false;
    },
  };
}

export function readServerResult(emit: Emit, result: ToolResult): BlockReader {
  const content: object[] = [];
  return {
    isServerTool: true,
    delta(delta) {
      assertFits(delta, ["toolResult"], "a tool result");
      content.push(...(delta.toolResult ?? []));
    },
    stop() {
      emit({
        type: "native",
        data: { toolResult: { ...result, content: joinTexts(content) } },
        closes: result.toolUseId,
      });
      return false;
    },
  };
}

function createPieces() {
  const texts: string[] = [];
  let hasUnknown = false;
  let lacksPiece = false;
  return {
    add(delta: BlockDelta): string {
      assertFits(delta, ["toolUse"], "a tool call");
      if (typesOf(delta).length === 0) {
        hasUnknown = true;
        lacksPiece ||= holdsInput(delta);
        return "";
      }
      const text = parseText(delta.toolUse?.input, "a piece of an input");
      texts.push(text);
      return text;
    },
    text: (): string => texts.join(""),
    /** @throws Error if a piece in an unknown form has an input, or if none is of a known kind. */
    assertRead(): void {
      if (lacksPiece || (hasUnknown && texts.length === 0))
        throw new Error("The reply sends the input of a tool in a form that cannot be read.");
    },
  };
}

/** `undefined` for an input that was cut: the API would refuse the block. */
const parseInput = (text: string): unknown => tryParseJson(text.trim() === "" ? "{}" : text);

const isText = (part: object | undefined): part is { readonly text: string } =>
  part !== undefined && "text" in part && typeof part.text === "string";

/** The pieces of a streamed result, with consecutive pieces of text as one. */
function joinTexts(content: readonly object[]): readonly object[] {
  const joined: object[] = [];
  for (const part of content) {
    const last = joined.at(-1);
    if (isText(part) && isText(last)) joined[joined.length - 1] = { text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

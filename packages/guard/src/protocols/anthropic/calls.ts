import { fieldsOf, type ReplyFrame } from "../protocol.ts";
import { isEmptyObject, type ReadCall } from "../same-calls.ts";

export const isToolUse = (block: unknown): boolean => fieldsOf(block)["type"] === "tool_use";

/** The input that a client assembles, as JSON text. */
export const inputTextOf = (input: unknown): string =>
  input === undefined || input === null ? "" : JSON.stringify(input);
/** The calls in events, as a client assembles them. */
export function readCalls(held: readonly ReplyFrame[]): readonly ReadCall[] {
  const calls: (ReadCall & { readonly pieces: string[] })[] = [];
  const open = new Map<unknown, string[]>();
  for (const { native } of held) {
    const { type, index, content_block: block, delta } = fieldsOf(native);
    if (type === "content_block_start" && isToolUse(block)) {
      const { id, name, input } = fieldsOf(block);
      const start = inputTextOf(input);
      const pieces = isEmptyObject(start) ? [] : [start];
      open.set(index, pieces);
      calls.push({ id, name, inputText: "", pieces });
    } else if (type === "content_block_delta") {
      const { partial_json: piece } = fieldsOf(delta);
      if (typeof piece === "string") open.get(index)?.push(piece);
    }
  }
  return calls.map(({ pieces, ...call }) => ({ ...call, inputText: pieces.join("") }));
}

import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { AssistantBlock, Preview, Turn } from "@fullstop/core";
import { createCarry } from "./carried.ts";

/** A part that a stream shows, and the blocks that it turns out to be. */
interface Shown {
  readonly type: "text" | "reasoning";
  readonly id: string;
  text: string;
  readonly blocks: AssistantBlock[];
}

/**
 * Shows text and reasoning while they arrive, and no inputs of tools. The parts end with the reply:
 * only then their signatures are known, which the end of a part carries.
 */
export function createPreviews(emit: (part: LanguageModelV4StreamPart) => void) {
  const shown: Shown[] = [];
  return {
    isBegun: (): boolean => shown.length > 0,
    show(preview: Preview): void {
      if (preview.type !== "text" && preview.type !== "thinking") return;
      const type = preview.type === "text" ? "text" : "reasoning";
      let open = shown.at(-1);
      if (open?.type !== type) {
        open = { type, id: String(shown.length), text: "", blocks: [] };
        shown.push(open);
        emit({ type: `${type}-start`, id: open.id });
      }
      open.text += preview.text;
      emit({ type: `${type}-delta`, id: open.id, delta: preview.text });
    },
    end(turn: Turn): readonly LanguageModelV4StreamPart[] {
      const { message } = turn;
      if (message !== undefined) findBlocks(message.content, shown);
      const carry = message && createCarry(message);
      return shown.map(({ type, id, text, blocks }): LanguageModelV4StreamPart => {
        const isWhole = text === blocks.map((block) => "text" in block && block.text).join("");
        return { type: `${type}-end`, id, ...(isWhole && carry?.(...blocks)) };
      });
    },
  };
}

/** Blocks of one type in a row are shown as one part. */
function findBlocks(content: readonly AssistantBlock[], shown: readonly Shown[]): void {
  let next = 0;
  const left = shown.map(({ text }) => text);
  for (const block of content) {
    if ((block.type !== "text" && block.type !== "thinking") || block.text === "") continue;
    const type = block.type === "text" ? "text" : "reasoning";
    const at = left.findIndex(
      (text, index) => index >= next && shown[index]?.type === type && text.startsWith(block.text),
    );
    if (at < 0) continue;
    next = at;
    left[at] = left[at]?.slice(block.text.length) ?? "";
    shown[at]?.blocks.push(block);
  }
}

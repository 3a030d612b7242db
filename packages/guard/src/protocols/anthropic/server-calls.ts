import { fieldsOf } from "@fullstop/core/adapter";
import type { Edit } from "../protocol.ts";

export interface ServerCalls {
  add(block: unknown): void;
  /**
   * The ending of a reply. `pause_turn` says that a tool of the provider goes on: a client sends
   * the reply back as it is. If no such tool is open, that request would end with a message of the
   * assistant, and be refused.
   */
  endingOf(ending: Edit["ending"], stopReason: unknown): Edit["ending"];
}

/** https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons#pause_turn */
export function createServerCalls(): ServerCalls {
  const open = new Set<unknown>();
  return {
    add(block) {
      const { type, id, tool_use_id: answered } = fieldsOf(block);
      if (/_tool_use$/.test(String(type))) open.add(id);
      open.delete(answered);
    },
    endingOf: (ending, stopReason) =>
      ending === "keep" && stopReason === "pause_turn" && open.size === 0 ? "length" : ending,
  };
}

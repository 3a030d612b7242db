import type { AssistantMessage, ToolResultBlock } from "@fullstop/core";
import type { NativeBlock } from "@fullstop/core/adapter";
import type { ToolUseData } from "./tool-use.ts";

export interface OpenCalls {
  update(message: AssistantMessage): void;
  /** What the call of this result wants back with it. */
  dataFor(result: ToolResultBlock): ToolUseData;
  /** Whether a call of the client and an earlier server call both wait for their results. */
  allowOnlyResults(): boolean;
}

export function createOpenCalls(): OpenCalls {
  const serverCalls = new Set<string>();
  let calls = new Map<string, unknown>();
  const track = ({ opens, closes }: NativeBlock): void => {
    if (opens !== undefined) serverCalls.add(opens);
    if (closes !== undefined) serverCalls.delete(closes);
  };
  return {
    update({ content, stopReason }) {
      for (const block of content) if (block.type === "native") track(block);
      calls = new Map(
        content.flatMap((block) =>
          block.type === "tool-call" ? [[block.id, block.providerData] as const] : [],
        ),
      );
      if (calls.size === 0 && stopReason !== "pause") serverCalls.clear();
    },
    dataFor: ({ id }) => readToolUseData(calls.get(id)),
    allowOnlyResults: () => calls.size > 0 && serverCalls.size > 0,
  };
}

export const readToolUseData = (providerData: unknown): ToolUseData =>
  typeof providerData === "object" && providerData !== null ? providerData : {};

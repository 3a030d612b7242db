import { jsonSchema, type Tool, tool } from "@fullstop/loop";

/** For `expect.poll`: a machine may be slow. */
export const patience: { readonly timeout: number } = { timeout: 20_000 };

/** Something that happens when a test says so. */
export interface Gate {
  readonly passed: Promise<void>;
  open(): void;
}
export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}

const anyInput = jsonSchema({ type: "object" });

/** A tool without a gate. */
export const look: Tool = tool({
  name: "look",
  description: "Look.",
  inputSchema: anyInput,
  execute: () => ({ seen: ["a", "b"] }),
});

export interface GatedTool {
  readonly tool: Tool;
  /** The tool has started. */
  readonly started: Promise<void>;
  /** The run aborted it. */
  readonly aborted: Promise<void>;
  /** Lets the tool end. */
  open(): void;
}

/** A tool that runs until a test says so. */
export function gatedTool(name = "wait"): GatedTool {
  const [start, abort, end] = [gate(), gate(), gate()];
  const gated = tool({
    name,
    description: "Wait.",
    inputSchema: anyInput,
    execute: async (_input, { signal }) => {
      signal.addEventListener("abort", abort.open);
      start.open();
      await Promise.race([end.passed, abort.passed]);
      return "waited";
    },
  });
  return { tool: gated, started: start.passed, aborted: abort.passed, open: end.open };
}

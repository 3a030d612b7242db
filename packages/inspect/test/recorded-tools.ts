import { jsonSchema, type Tool, tool } from "@fullstop/loop";

/** A tool that takes any object. */
export const toolNamed = (
  name: string,
  execute: NonNullable<Tool["execute"]> = () => "ok",
  more: Partial<Tool> = {},
): Tool => ({
  ...tool({ name, description: name, inputSchema: jsonSchema({ type: "object" }), execute }),
  ...more,
});

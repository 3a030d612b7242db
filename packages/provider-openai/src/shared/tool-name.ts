import { safeToolName, type ToolNameRule } from "@fullstop/core/adapter";

const toolNameRule: ToolNameRule = { refused: /[^a-zA-Z0-9_-]/g, maxLength: 64 };

/** The name of a tool in the history, in the form that both APIs accept. */
export const encodeToolName = (name: string): string => safeToolName(name, toolNameRule);

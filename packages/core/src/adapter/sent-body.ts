import type { TurnRequest } from "../contract/adapter.ts";
import { type Fields, fieldsOf, isFields, isRecord } from "../json/fields.ts";
import type { OfferedTool } from "./offered-tool.ts";

/** What a gate compares with a reply. */
export type SentParts = Pick<TurnRequest, "maxTokens" | "tools" | "output">;

/** The members of a request body that say it, under the names of any protocol. */
interface SentBody {
  /** Any value but a number sets no cap. */
  readonly cap: unknown;
  readonly tools: unknown;
  /** The schema of the reply. One of another type than an object asks for no object. */
  readonly schema?: unknown;
  readonly name?: unknown;
}

/** What a gate compares with a reply, of a request body. An entry of its list may be several tools. */
export const sentParts = (
  { cap, tools, schema, name }: SentBody,
  readTools: (entry: Fields) => readonly OfferedTool[],
): SentParts => ({
  ...(typeof cap === "number" && { maxTokens: cap }),
  ...(isRecord(tools) && {
    // Gemini's API takes one object for a list.
    tools: [tools].flat().flatMap((entry) => readTools(fieldsOf(entry))),
  }),
  ...(isFields(schema) &&
    /^object$/i.test(String(schema["type"])) && {
      output: { ...(typeof name === "string" && { name }), schema },
    }),
});

/** A tool of a request body. A text that is missing is empty. */
export const sentTool = ({
  name,
  description,
  inputSchema,
}: {
  readonly name: unknown;
  readonly description: unknown;
  readonly inputSchema: Fields | "text";
}): OfferedTool => ({
  name: typeof name === "string" ? name : "",
  description: typeof description === "string" ? description : "",
  inputSchema,
});

import type { TurnRequest } from "@fullstop/core";
import { type Fields, isFields } from "./fields.ts";

/**
 * Reads a format of either API. `json_object` asks for an object without a schema; a schema of
 * another type does not ask for an object.
 */
export function readOutput(type: unknown, format: Fields): TurnRequest["output"] {
  if (type === "json_object") return { schema: { type: "object" } };
  const { name, schema } = format;
  if (type !== "json_schema" || !isFields(schema) || schema["type"] !== "object") return undefined;
  return { ...(typeof name === "string" && { name }), schema };
}

import type { Violation } from "../wire.ts";
import {
  type Fields,
  fieldsOf,
  listViolations,
  matches,
  openObjects,
  schemaNodes,
} from "./shared.ts";

const formatNamePattern = /^[a-zA-Z0-9_-]{1,64}$/;
const formatTypes: readonly unknown[] = ["text", "json_object", "json_schema", "grammar"];

/**
 * The rules for the format of a reply, which Chat Completions and Responses share. The sentences
 * are those of the errors. https://developers.openai.com/api/docs/guides/structured-outputs
 * @param at the parameter that holds the format.
 */
export function formatViolations(type: unknown, format: Fields, at: string): readonly Violation[] {
  if (type !== "json_schema")
    return listViolations(undefined, {
      [`Invalid value: '${String(type)}' for '${at}.type'.`]:
        type !== undefined && !formatTypes.includes(type),
    });
  const { name, strict } = format;
  const schema = fieldsOf(format["schema"]);
  return [
    ...listViolations(format, {
      [`Invalid '${at}.name': must match ${formatNamePattern}.`]: !matches(name, formatNamePattern),
      [`Invalid schema for ${at} '${String(name)}': schema must be a JSON Schema of 'type: "object"'.`]:
        schema["type"] !== "object",
    }),
    ...(strict === true ? strictViolations(schema, `${at} '${String(name)}'`) : []),
  ];
}

function strictViolations(schema: Fields, format: string): readonly Violation[] {
  const optional = schemaNodes(schema).flatMap(([path, { properties, required }]) =>
    Object.keys(fieldsOf(properties))
      .filter((name) => !(Array.isArray(required) && required.includes(name)))
      .map((name) => `${path}.${name}`),
  );
  return listViolations(schema, {
    [`Invalid schema for ${format}: 'additionalProperties' is required to be supplied and to be false: ${openObjects(schema).join(", ")}.`]:
      openObjects(schema).length > 0,
    [`Invalid schema for ${format}: 'required' is required to be supplied and to be an array including every key in properties. Missing ${optional.join(", ")}.`]:
      optional.length > 0,
  });
}

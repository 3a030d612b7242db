import { type Fields, fieldsOf, objectsIn } from "./shared.ts";

type Node = readonly [path: string, schema: Fields];

/** A JSON Schema and the schemas in it, each with its path. */
export function schemaNodes(schema: Fields, at = "$"): readonly Node[] {
  const named = ["properties", "$defs", "definitions"].flatMap((keyword) =>
    Object.entries(fieldsOf(schema[keyword])).map(
      ([name, inner]): Node => [`${at}.${keyword}.${name}`, fieldsOf(inner)],
    ),
  );
  const listed = ["anyOf", "oneOf", "allOf", "prefixItems"].flatMap((keyword) =>
    objectsIn(schema[keyword]).map((inner, index): Node => [`${at}.${keyword}.${index}`, inner]),
  );
  const items: readonly Node[] =
    schema["items"] === undefined ? [] : [[`${at}.items`, fieldsOf(schema["items"])]];
  const inner = [...named, ...listed, ...items];
  return [[at, schema], ...inner.flatMap(([path, node]) => schemaNodes(node, path))];
}

/** The paths of objects that do not refuse properties which they do not name. */
export const openObjects = (schema: Fields): readonly string[] =>
  schemaNodes(schema)
    .filter(([, { type }]) => type === "object" || (Array.isArray(type) && type.includes("object")))
    .filter(([, node]) => node["additionalProperties"] !== false)
    .map(([path]) => path);

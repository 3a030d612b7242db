import { isObject } from "../../harness/json.ts";
import { wordsIn } from "../shared.ts";

/** Members whose values are data or a JSON Schema, not messages of the API. Their keys stay. */
const opaque: ReadonlySet<string> = new Set(
  wordsIn("args response parametersJsonSchema responseJsonSchema default example labels"),
);
/** A member that maps names of the user's own to messages. */
const namedMessages = "properties";

const camelKey = (key: string): string =>
  key.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const mapValues = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toCamelKeys(inner)]))
    : value;

function readMember(key: string, value: unknown): unknown {
  if (opaque.has(key)) return value;
  return key === namedMessages ? mapValues(value) : toCamelKeys(value);
}

/**
 * The same body, with every field of the API in lowerCamelCase. Google's JSON takes this spelling
 * and that of the proto files (snake_case). https://protobuf.dev/programming-guides/json
 */
export function toCamelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = camelKey(key);
      return [name, readMember(name, inner)];
    }),
  );
}

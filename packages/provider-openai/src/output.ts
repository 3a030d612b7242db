import type { Adapter } from "@fullstop/core";
import {
  closeObjects,
  type Fields,
  isFields,
  mapSubschemas,
  type OutputSpec,
} from "@fullstop/core/adapter";
import { encodeToolName } from "./values.ts";

/** Models before `gpt-4o-2024-08-06`, and models that do not write text alone. */
const without =
  /gpt-3|gpt-4(?![.o])|gpt-4o-2024-05-13|chatgpt|o1-(mini|preview)|audio|realtime|deep-research|computer-use/;

/**
 * Both APIs take a schema for the text of a reply, also in a request that offers tools.
 * https://developers.openai.com/api/docs/guides/structured-outputs
 */
export const openaiOutputFormat = (model: string): Adapter["outputFormat"] =>
  without.test(model) ? undefined : "always";

interface JsonSchemaFormat {
  name: string;
  schema: Record<string, unknown>;
  strict: boolean;
}

/**
 * The format for an object. It is strict if that does not change what the schema means; otherwise
 * the model follows the schema without a guarantee, and the caller's schema judges the object.
 * https://developers.openai.com/api/docs/guides/structured-outputs
 */
export function encodeOutputFormat({ name = "output", schema }: OutputSpec): JsonSchemaFormat {
  const object = { type: "object", ...schema };
  const closed = closeObjects(object);
  const isStrict = closed !== undefined && isStrictSchema(closed);
  return {
    name: encodeToolName(name),
    schema: isStrict ? { ...closed } : object,
    strict: isStrict,
  };
}

/** What the strict mode accepts besides subschemas. Another keyword is refused, or not known. */
const strictKeywords: ReadonlySet<string> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ [
    "type properties required additionalProperties items anyOf enum const $ref $defs definitions",
    "title description default $schema pattern format minLength maxLength minItems maxItems",
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
  ].flatMap((line) => line.split(" ")),
);
const strictFormats: ReadonlySet<unknown> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ "date-time time date duration email hostname ipv4 ipv6 uuid".split(" "),
);
const maxProperties = 5000;
const maxDepth = 10;

function isStrictSchema(root: Fields): boolean {
  let properties = 0;
  let isStrict = root["anyOf"] === undefined && root["$ref"] === undefined;
  const check = (node: unknown, depth: number): void => {
    if (!isFields(node)) {
      isStrict = false;
      return;
    }
    const names = Object.keys(isFields(node["properties"]) ? node["properties"] : {});
    properties += names.length;
    isStrict &&=
      depth <= maxDepth &&
      properties <= maxProperties &&
      requiresAll(node, names) &&
      isTyped(node) &&
      Object.keys(node).every((keyword) => strictKeywords.has(keyword)) &&
      (node["format"] === undefined || strictFormats.has(node["format"]));
    mapSubschemas(node, (inner) => check(inner, depth + 1));
  };
  check(root, 1);
  return isStrict;
}

const requiresAll = ({ required }: Fields, names: readonly string[]): boolean =>
  names.every((name) => Array.isArray(required) && required.includes(name));

/** A schema without a type takes any value, which the strict mode cannot express. */
const isTyped = (node: Fields): boolean =>
  ["type", "anyOf", "enum", "const", "$ref"].some((keyword) => node[keyword] !== undefined);

/** `json_object` has no schema. */
export function readOutput(type: unknown, { name, schema }: Fields): Partial<OutputSpec> {
  if (type === "json_object") return { schema: { type: "object" } };
  return type === "json_schema" ? ({ name, schema } as Partial<OutputSpec>) : {};
}

import type { Adapter, TurnRequest } from "@fullstop/core";
import {
  closeObjects,
  everySchema,
  type Fields,
  isFields,
  mapSubschemas,
  outputToolName,
} from "@fullstop/core/adapter";

/**
 * Claude 4.5 and later take a schema for the text of a reply, also in a request that offers tools.
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 */
export const outputFormatOf = (model: string): Adapter["outputFormat"] =>
  /claude/.test(model) && !/claude-[1-3]|claude-instant|-4[-.][01](?!\d)|-4[-@]20|-4$/.test(model)
    ? "always"
    : undefined;

/**
 * Whether the format can express a schema. It cannot express an object with properties that the
 * schema does not name, recursion, or a schema without a type. The object is then requested as the
 * input of a tool.
 */
export const formatTakes = (schema: Fields): boolean => restrict(schema) !== undefined;

/**
 * Some models refuse every forced tool (oh-my-pi#12939). The tool for an object is then only
 * offered: its description says what it is for, and an answer in prose is not an object.
 */
export function unforceOutputTool(request: TurnRequest, model: string): TurnRequest {
  const { toolChoice } = request;
  const isForced = typeof toolChoice === "object" && toolChoice.name === outputToolName;
  return isForced && /fable|mythos|(opus|sonnet)-5[-.]5/.test(model)
    ? { ...request, toolChoice: "auto" }
    : request;
}

/**
 * The schema as the API accepts it: closed, and with the constraints that it refuses as text. What
 * the text says is not guaranteed, so the caller's schema must judge the object.
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
 */
export const encodeOutputSchema = (schema: Fields): Record<string, unknown> => ({
  ...(restrict(schema) ?? schema),
});

/** The keywords that the API accepts as they are. */
const accepted: ReadonlySet<string> = new Set(
  [
    "type properties required additionalProperties items anyOf enum const",
    "$ref $defs definitions title description default",
  ].flatMap((line) => line.split(" ")),
);
/** The keywords that would say less as text: the object is then requested with a tool. */
const structural: ReadonlySet<string> = new Set(
  "allOf prefixItems contains unevaluatedItems dependentRequired then else $dynamicRef".split(" "),
);
const acceptedFormats: ReadonlySet<unknown> = new Set(
  "date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" "),
);
/** In one request: properties that are not required, and schemas with several types. */
const maxOptional = 24;
const maxUnions = 16;

function restrict(schema: Fields): Fields | undefined {
  const closed = closeObjects({ type: "object", ...schema });
  const isExpressible =
    closed !== undefined && !isRecursive(closed) && isSmall(closed) && everySchema(closed, canSay);
  return isExpressible ? (toAccepted(closed) as Fields) : undefined;
}

/** Whether the API can say what a node of a closed schema says, if need be in other words. */
function canSay(node: Fields): boolean {
  const { $ref: ref, enum: values, const: value, anyOf, oneOf } = node;
  if (ref !== undefined) return typeof ref === "string";
  if (anyOf !== undefined && oneOf !== undefined) return false;
  return (
    ["type", "anyOf", "oneOf", "enum", "const"].some((keyword) => node[keyword] !== undefined) &&
    [value, ...(Array.isArray(values) ? values : [])].every(isPrimitive) &&
    !Object.keys(node).some((keyword) => structural.has(keyword))
  );
}
const isPrimitive = (value: unknown): boolean => value === null || typeof value !== "object";

function toAccepted(node: unknown): unknown {
  if (!isFields(node)) return node;
  const { $ref, $schema: _, oneOf, ...rest } = mapSubschemas(node, toAccepted);
  if ($ref !== undefined) return { $ref };
  const kept: Record<string, unknown> = { ...(oneOf !== undefined && { anyOf: oneOf }) };
  const said: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(rest))
    (isAccepted(keyword, value) ? kept : said)[keyword] = value;
  if (Object.keys(said).length === 0) return kept;
  const rules = `Constraints: ${JSON.stringify(said)}`;
  const { description } = kept;
  return { ...kept, description: description === undefined ? rules : `${description}\n${rules}` };
}

const isAccepted = (keyword: string, value: unknown): boolean =>
  accepted.has(keyword) ||
  (keyword === "format" && acceptedFormats.has(value)) ||
  (keyword === "minItems" && (value === 0 || value === 1));

/** Whether a definition refers to itself, directly or through others, or is not in the schema. */
function isRecursive(root: Fields): boolean {
  const definitions = new Map<string, ReadonlySet<string>>(
    ["$defs", "definitions"].flatMap((place) =>
      Object.entries(isFields(root[place]) ? root[place] : {}).map(
        ([name, node]) => [`#/${place}/${name}`, refsIn(node)] as const,
      ),
    ),
  );
  const reachable = (from: string, found = new Set<string>()): ReadonlySet<string> => {
    for (const ref of definitions.get(from) ?? []) {
      if (found.has(ref)) continue;
      found.add(ref);
      reachable(ref, found);
    }
    return found;
  };
  return (
    [...refsIn(root)].some((ref) => !definitions.has(ref)) ||
    [...definitions.keys()].some((name) => reachable(name).has(name))
  );
}

function refsIn(root: unknown): ReadonlySet<string> {
  const refs = new Set<string>();
  if (isFields(root))
    everySchema(root, ({ $ref }) => {
      if (typeof $ref === "string") refs.add($ref);
      return true;
    });
  return refs;
}

function isSmall(root: Fields): boolean {
  let optional = 0;
  let unions = 0;
  everySchema(root, ({ properties, required, type, anyOf, oneOf }) => {
    const names = Object.keys(isFields(properties) ? properties : {});
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    optional += names.filter((name) => !needed.includes(name)).length;
    if (Array.isArray(type) || anyOf !== undefined || oneOf !== undefined) unions++;
    return true;
  });
  return optional <= maxOptional && unions <= maxUnions;
}

import { decodeUrlPart, type Fields, isFields } from "@fullstop/core/adapter";

/** What is wrong with a value, and where: a JSON pointer. */
export interface Issue {
  readonly message: string;
  readonly at: string;
}

/** A step is a schema that meets a value, or a name, an item or 64 letters that are compared. */
const maxSteps = 200_000;
/** Schemas around a schema; each `$ref` counts as one. More of them would end the stack. */
const maxDepth = 200;
const maxIssues = 20;

interface Work {
  readonly root: unknown;
  left: number;
}
interface Met {
  readonly value: unknown;
  readonly at: string;
  readonly depth: number;
}
type Check = (schema: Fields, met: Met, work: Work) => readonly Issue[];

/**
 * Checks a value against a JSON Schema that a stranger wrote. Such a schema is a program: a pattern
 * may take exponential time, and so may two `$ref` in a row. So no pattern is run, and the work has
 * an end. A keyword that is not read here, and all that is left at that end, accepts every value: a
 * valid value is never refused, and the author of the schema has to check what he gets.
 */
export function checkValue(root: unknown, value: unknown): readonly Issue[] {
  return meet(root, { value, at: "", depth: 0 }, { root, left: maxSteps });
}

function meet(schema: unknown, met: Met, work: Work): readonly Issue[] {
  if (met.depth > maxDepth || !spend(work, 1)) return [];
  if (schema === false) return [issue(met, "is not allowed")];
  // References in a schema with an id of its own do not begin at the root.
  if (!isFields(schema) || (schema !== work.root && schema["$id"] !== undefined)) return [];
  return checks.flatMap((check) => check(schema, met, work)).slice(0, maxIssues);
}

/** Takes the steps before they are made. Whether they may be made. */
function spend(work: Work, steps: number): boolean {
  work.left -= steps;
  return work.left >= 0;
}

const issue = ({ at }: Met, message: string): Issue => ({ message, at });
const same = (met: Met): Met => ({ ...met, depth: met.depth + 1 });
const inner = ({ at, depth }: Met, value: unknown, key: string | number): Met => ({
  value,
  at: `${at}/${shorten(key)}`,
  depth: depth + 1,
});
const shorten = (value: unknown): string => String(value).slice(0, 100);

const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const costOf = (value: unknown): number => (typeof value === "string" ? 1 + value.length / 64 : 1);

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  array: Array.isArray,
  object: isFields,
};

const checkType: Check = ({ type = [] }, met, work) => {
  const allowed = [type].flat();
  if (allowed.length === 0 || !spend(work, allowed.length)) return [];
  const fits = allowed.some(
    (name) =>
      typeof name !== "string" || !Object.hasOwn(types, name) || types[name]?.(met.value) === true,
  );
  return fits ? [] : [issue(met, `must be of the type ${shorten(allowed.join(" or "))}`)];
};

/** `enum` and `const`. Objects are not compared, because both may be large. */
const checkEnum: Check = (schema, met, work) => {
  const allowed = Object.hasOwn(schema, "const") ? [schema["const"]] : listOf(schema["enum"]);
  if (allowed.length === 0 || !spend(work, allowed.length * costOf(met.value))) return [];
  if (allowed.includes(met.value) || (!isScalar(met.value) && !allowed.every(isScalar))) return [];
  const shown = allowed.slice(0, 10).filter(isScalar).map(shorten).join(", ");
  return [issue(met, `must be one of ${shown}${allowed.length > 10 ? ", …" : ""}`)];
};

const checkAll: Check = ({ allOf }, met, work) => {
  const schemas = listOf(allOf);
  return spend(work, schemas.length)
    ? schemas.flatMap((schema) => meet(schema, same(met), work))
    : [];
};

/** For `oneOf` too: whether a second schema fits is not certain, because parts are not read. */
const checkAny: Check = ({ anyOf, oneOf }, met, work) =>
  [listOf(anyOf), listOf(oneOf)].flatMap((schemas) => {
    if (schemas.length === 0 || !spend(work, schemas.length)) return [];
    const fits = schemas.some((schema) => meet(schema, same(met), work).length === 0);
    return fits ? [] : [issue(met, "has none of the shapes that are allowed here")];
  });

const checkReference: Check = ({ $ref }, met, work) => {
  if (typeof $ref !== "string" || !/^#(\/|$)/.test($ref) || !spend(work, $ref.length)) return [];
  return meet(resolve(work.root, $ref), same(met), work);
};

/** The schema at a JSON pointer (RFC 6901) in a fragment; undefined if there is none. */
function resolve(root: unknown, reference: string): unknown {
  return reference
    .split("/")
    .slice(1)
    .map((part) => decodeUrlPart(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((found, name) => {
      const isThere = typeof found === "object" && found !== null && Object.hasOwn(found, name);
      return isThere ? (found as Fields)[name] : undefined;
    }, root);
}

const checkObject: Check = (schema, met, work) => {
  const { value } = met;
  if (!isFields(value)) return [];
  const { properties, additionalProperties, patternProperties } = schema;
  const required = listOf(schema["required"]).filter((name) => typeof name === "string");
  const names = Object.keys(value);
  if (!spend(work, required.length + names.length)) return [];
  const named = isFields(properties) ? properties : {};
  // A name that is not listed may match a pattern.
  const other = patternProperties === undefined ? additionalProperties : undefined;
  return [
    ...required
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => issue(met, `must have the property "${shorten(name)}"`)),
    ...names.flatMap((name) =>
      meet(Object.hasOwn(named, name) ? named[name] : other, inner(met, value[name], name), work),
    ),
  ];
};

const checkList: Check = ({ prefixItems, items }, met, work) => {
  const first = listOf(prefixItems);
  const values = listOf(met.value);
  if (!spend(work, values.length)) return [];
  return values.flatMap((value, index) =>
    meet(index < first.length ? first[index] : items, inner(met, value, index), work),
  );
};

const numberIn = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;
const countIn = (value: unknown): number | undefined =>
  Array.isArray(value) ? value.length : undefined;
/** JSON Schema counts characters of Unicode. */
const lengthOf = (value: unknown): number | undefined =>
  typeof value === "string" && !/[\ud800-\udfff]/.test(value) ? value.length : undefined;

interface Bound {
  readonly measure: (value: unknown) => number | undefined;
  readonly holds: (measured: number, bound: number) => boolean;
  readonly rule: string;
}
const atLeast = (measured: number, bound: number): boolean => measured >= bound;
const atMost = (measured: number, bound: number): boolean => measured <= bound;
const bounds: Readonly<Record<string, Bound>> = {
  minimum: { measure: numberIn, holds: atLeast, rule: "must be at least" },
  maximum: { measure: numberIn, holds: atMost, rule: "must be at most" },
  exclusiveMinimum: {
    measure: numberIn,
    holds: (one, bound) => one > bound,
    rule: "must be above",
  },
  exclusiveMaximum: {
    measure: numberIn,
    holds: (one, bound) => one < bound,
    rule: "must be below",
  },
  minLength: { measure: lengthOf, holds: atLeast, rule: "must have a length of at least" },
  maxLength: { measure: lengthOf, holds: atMost, rule: "must have a length of at most" },
  minItems: { measure: countIn, holds: atLeast, rule: "must have a length of at least" },
  maxItems: { measure: countIn, holds: atMost, rule: "must have a length of at most" },
};

const checkBounds: Check = (schema, met, work) =>
  Object.entries(bounds).flatMap(([keyword, { measure, holds, rule }]) => {
    const bound = schema[keyword];
    if (typeof bound !== "number" || !spend(work, costOf(met.value))) return [];
    const measured = measure(met.value);
    return measured === undefined || holds(measured, bound) ? [] : [issue(met, `${rule} ${bound}`)];
  });

const checks: readonly Check[] = [
  checkReference,
  checkType,
  checkEnum,
  checkAll,
  checkAny,
  checkObject,
  checkList,
  checkBounds,
];

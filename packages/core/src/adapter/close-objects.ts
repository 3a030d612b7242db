import { type Fields, isFields } from "../json/fields.ts";

/** Keywords whose value maps names to schemas. */
const maps: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"]);
/** Keywords whose value is a list of schemas. */
const lists: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);

/** Keywords that may allow or demand properties which `properties` does not name. */
const otherProperties: readonly string[] = [
  "patternProperties",
  "propertyNames",
  "unevaluatedProperties",
  "dependentSchemas",
  "dependencies",
  "minProperties",
  "not",
  "if",
];
/** Keywords that add to what an object beside them allows. */
const siblings: readonly string[] = ["anyOf", "oneOf", "allOf", "$ref"];

/**
 * A copy of a JSON Schema in which each object refuses properties that it does not name
 * (`additionalProperties: false`), as the strict formats of several providers demand. What fits the
 * copy fits the schema. `undefined` if an object takes properties that it does not name: the copy
 * would have another meaning.
 */
export function closeObjects(schema: Fields): Fields | undefined {
  let isClosable = true;
  const close = (node: unknown): unknown => {
    if (!isFields(node)) {
      isClosable = false;
      return node;
    }
    isClosable &&= canClose(node);
    const copy = mapSubschemas(node, close);
    return isObjectType(node) ? { ...copy, additionalProperties: false } : copy;
  };
  const closed = close(schema) as Fields;
  return isClosable ? closed : undefined;
}

function canClose(node: Fields): boolean {
  const { allOf, additionalProperties, properties } = node;
  if (Array.isArray(allOf) && allOf.length > 1) return false;
  if (!isObjectType(node) || additionalProperties === false) return true;
  return (
    additionalProperties === undefined &&
    isFields(properties) &&
    ![...otherProperties, ...siblings].some((keyword) => node[keyword] !== undefined)
  );
}

const isObjectType = ({ type, properties }: Fields): boolean =>
  Array.isArray(type)
    ? type.includes("object")
    : type === "object" || (type === undefined && properties !== undefined);

/** A copy of a schema with each of its direct subschemas changed. */
export function mapSubschemas(node: Fields, change: (subschema: unknown) => unknown): Fields {
  const changeMember = (keyword: string, value: unknown): unknown => {
    if (maps.has(keyword) && isFields(value))
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one)]));
    if (lists.has(keyword) && Array.isArray(value)) return value.map(change);
    return keyword === "items" ? change(value) : value;
  };
  return Object.fromEntries(
    Object.entries(node).map(([keyword, value]) => [keyword, changeMember(keyword, value)]),
  );
}

/** Whether a check holds for a schema and each schema in it. */
export function everySchema(root: Fields, check: (node: Fields) => boolean): boolean {
  let holds = check(root);
  mapSubschemas(root, (inner) => {
    holds = isFields(inner) && everySchema(inner, check) && holds;
    return inner;
  });
  return holds;
}

type PropertyType = "string" | "integer" | "boolean" | "object";

const strings = (...names: readonly string[]): Readonly<Record<string, PropertyType>> =>
  Object.fromEntries(names.map((name) => [name, "string"]));

/** The tools of every request: those that the replies of the suite call. */
export const toolProperties: Readonly<Record<string, Readonly<Record<string, PropertyType>>>> = {
  read: { path: "string", lines: "integer" },
  write: { ...strings("path", "content", "mode"), force: "boolean" },
  list: {},
  weather: strings("city", "emoji", "script", "lone"),
  search: { query: "object" },
  save: strings("path"),
};

export const toolNames: readonly string[] = Object.keys(toolProperties);

interface SuiteTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The tools as requests offer them: with the name of the type of an input, and a schema for each type. */
export const suiteTools = (
  object: string,
  schemaOf: (type: PropertyType) => object,
): readonly SuiteTool[] =>
  Object.entries(toolProperties).map(([name, properties]) => ({
    name,
    description: `The tool ${name}.`,
    schema: {
      type: object,
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, type]) => [key, schemaOf(type)]),
      ),
      // One tool has a required property.
      ...(name === "save" && { required: Object.keys(properties) }),
    },
  }));

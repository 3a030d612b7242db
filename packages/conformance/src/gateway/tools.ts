type PropertyType = "string" | "integer" | "boolean" | "object";
const strings = (...names: readonly string[]): Readonly<Record<string, PropertyType>> =>
  Object.fromEntries(names.map((name) => [name, "string"]));

/** The tools of every request: those that the replies of the corpus call. */
export const toolProperties: Readonly<Record<string, Readonly<Record<string, PropertyType>>>> = {
  read: { path: "string", lines: "integer" },
  write: { ...strings("path", "content", "mode"), force: "boolean" },
  list: {},
  weather: strings("city", "emoji", "script", "lone"),
  search: { query: "object" },
  save: strings("path"),
};
export const toolNames: readonly string[] = Object.keys(toolProperties);
/** The tool whose property is required, and the property. */
const requiredOf = (name: string): readonly string[] => (name === "save" ? ["path"] : []);

interface NamedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The offered tools. `typeName` writes the name of a JSON type as the protocol does. */
export const namedTools = (
  typeName: (type: string) => string = (type) => type,
): readonly NamedTool[] =>
  Object.entries(toolProperties).map(([name, properties]) => {
    const required = requiredOf(name);
    return {
      name,
      description: `The tool ${name}.`,
      schema: {
        type: typeName("object"),
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, type]) => [key, { type: typeName(type) }]),
        ),
        ...(required.length > 0 && { required }),
      },
    };
  });

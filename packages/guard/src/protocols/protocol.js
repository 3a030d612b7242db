/** An event of a stream as text. `name` is the name of the event. */
export const eventText = (native, name) =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(native)}\n\n`;
export const isFields = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const fieldsOf = (value) => (isFields(value) ? value : {});
export const listOf = (value) => (Array.isArray(value) ? value : []);

import { isObject, tryParseJson } from "../harness/json.ts";
import { changeBodies } from "./mutants.ts";

/** No reader takes an object with a space inside for a placeholder. */
export const withoutPlaceholders: ReturnType<typeof changeBodies> = changeBodies((text) =>
  text.replaceAll(/("(?:arguments|partial_json)":)"\{\}"/g, '$1"{ }"'),
);

/** Leaves numbers in the place of a text out. */
export const withoutNumbers: ReturnType<typeof changeBodies> = changeBodies((text) =>
  text.replaceAll(/"content":[\d.]+/g, '"content":null'),
);

/** Leaves the first choice or candidate of each event. */
export const withoutOtherChoices: ReturnType<typeof changeBodies> = changeBodies((text) =>
  text.replaceAll(/\{"(?:id|candidates)":.*\}/g, (written) => {
    const event = tryParseJson(written);
    if (!isObject(event)) return written;
    const lists = ["choices", "candidates"].flatMap((name) => {
      const list: unknown = event[name];
      return Array.isArray(list) ? [[name, list.filter(isFirst)] as const] : [];
    });
    return JSON.stringify({ ...event, ...Object.fromEntries(lists) });
  }),
);

const isFirst = (choice: unknown): boolean => !isObject(choice) || (choice["index"] ?? 0) === 0;

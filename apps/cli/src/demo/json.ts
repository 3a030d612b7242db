import type { DemoEvent } from "./event.ts";

/** Every event as one line of JSON. */
export const showJson =
  (write: (line: string) => void) =>
  (event: DemoEvent): void =>
    write(`${JSON.stringify(event)}\n`);

import type { Plugin } from "vitest/config";

/** Source of a module that takes the place of the one at `path`. */
type Replacement = (path: string) => string;

/**
 * Each property runs half of its inputs. Some tests require rare inputs, so fewer are not enough.
 */
const fewerRuns: Replacement = (path) => `
  import fc from ${path};
  export * from ${path};
  const assert = (property, { numRuns = 100, ...parameters } = {}) =>
    fc.assert(property, { ...parameters, numRuns: Math.ceil(numRuns / 2) });
  export default { ...fc, assert };
`;

/** The suite uses every fifth fixture of a protocol and no sockets. */
const fewerChecks: Replacement = (path) => `
  import { conform as conformWithAll } from ${path};
  export * from ${path};
  const everyFifth = (wire) => ({ ...wire, fixtures: wire.fixtures?.filter((_, position) => position % 5 === 0) });
  export const conform = (subject, options) =>
    conformWithAll({ ...subject, wire: everyFifth(subject.wire) }, { ...options, exhaustive: false, sockets: false });
`;

const replacements: Readonly<Record<string, Replacement>> = {
  "fast-check": fewerRuns,
  "@fullstop/conformance/vitest": fewerChecks,
};
const prefix = "\0quick:";

/** Files that start many programs, or read each prefix of long replies. */
export const slowFiles: readonly string[] = ["**/{fixtures,kill,processes}.test.ts"];

/** Replaces the modules that decide how much a test tries. */
export const quick: Plugin = {
  name: "fullstop-quick",
  enforce: "pre",
  async resolveId(id, importer) {
    if (!Object.hasOwn(replacements, id)) return null;
    const found = await this.resolve(id, importer, { skipSelf: true });
    return found && `${prefix}${id}:${found.id}`;
  },
  load(id) {
    if (!id.startsWith(prefix)) return null;
    const [name = "", ...path] = id.slice(prefix.length).split(":");
    return replacements[name]?.(JSON.stringify(path.join(":")));
  },
};

import type { Files, Rule } from "./files.ts";

const code = (files: Files): readonly (readonly [path: string, text: string])[] =>
  [...files]
    .filter(([path]) => /^(packages|apps)\/.*\.ts$/.test(path))
    .map(([path, text]) => [path, text.replace(/^\s*(\/?\*|\/\/).*$/gm, "")] as const);

/** Only one file asserts the type of a call that may run. */
export const oneGate: Rule = (files) =>
  code(files)
    .filter(
      ([path, text]) =>
        path !== "packages/core/src/gate/issued-calls.ts" &&
        /\bas\s+(?:unknown\s+as\s+)?[^;,()=\n]*\bToolCall\b/.test(text),
    )
    .map(([path]) => `${path} makes a ToolCall by assertion`);

const hostedNames = /"(apply_patch|computer|local_shell|mcp_approval|tool_search)"/;

/** Core and loop know no tool of a provider by its name: the provider marks its calls. */
export const noHostedNames: Rule = (files) =>
  code(files).flatMap(([path, text]) => {
    const name = /^packages\/(core|loop)\/src\//.test(path) && hostedNames.exec(text)?.[1];
    return name ? [`${path} names ${name}, a tool of a provider`] : [];
  });

/** A stop table and a decoder list the values that they know. The core decides about all others. */
export const noDefault: Rule = (files) =>
  code(files)
    .filter(
      ([path, text]) =>
        /\/src\/(.*\/)?(stops|decode)(\.ts|\/[^/]+\.ts)$/.test(path) &&
        /^\s*default\s*:/m.test(text),
    )
    .map(([path]) => `${path} has a default`);

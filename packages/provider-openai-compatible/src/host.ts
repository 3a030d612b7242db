import { nearest } from "@fullstop/core/adapter";
import type { ChatQuirks } from "@fullstop/provider-openai/protocol";
import type { ChatReplyHost, ChatReplyOptions } from "@fullstop/provider-openai/reply";
import type { Dialect, DialectName } from "./dialect.ts";
import { dialects } from "./dialects.ts";

/** A dialect of your own: what the host does differently, and a name, which becomes `provider`. */
export type NamedDialect = Dialect & { readonly name: string };

/** One host: how its replies are read, and how it is reached. */
export interface DialectHost {
  readonly name: string;
  readonly row: Dialect;
  readonly reply: ChatReplyHost & { readonly quirks: ChatQuirks };
}

/**
 * Reads a dialect.
 * @throws TypeError if no dialect has this name.
 */
export function parseDialect(
  dialect: DialectName | NamedDialect,
  model: string,
  options: ChatReplyOptions,
): DialectHost {
  const { name, ...row } =
    typeof dialect === "string" ? { name: dialect, ...parseDialectName(dialect) } : dialect;
  const {
    baseURL: _,
    keyVariable: __,
    callIds: ___,
    maxTokens: ____,
    outputFormat: _____,
    mislabelsStopSequences: ______,
    stops,
    errors,
    mislabelsTruncation = false,
    ...quirks
  } = row;
  const mislabels = options.mislabelsTruncation ?? mislabelsTruncation;
  const reply = {
    provider: name,
    model,
    mislabelsTruncation,
    stops,
    errors,
    quirks: { ...quirks, doneEnds: quirks.doneEnds ?? (mislabels ? false : "counted") },
    missingEndHint:
      "If this host never sends a `finish_reason`, use a dialect with `doneEnds: true`: `[DONE]` then counts as `stop`.",
  } as const;
  return { name, row, reply };
}

/** A `baseURL` does not turn a misspelt name into another host. */
function parseDialectName(name: string): Dialect {
  const row = Object.entries(dialects).find(([known]) => known === name)?.[1];
  if (row !== undefined) return row;
  const meant = nearest(name, Object.keys(dialects));
  throw new TypeError(
    `No dialect is called "${name}".${meant === undefined ? "" : ` Did you mean "${meant}"?`} For a host that is not listed, use "custom" with its \`baseURL\`, or pass a dialect of your own: \`{ name, … }\`.`,
  );
}

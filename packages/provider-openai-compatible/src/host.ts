import { nearest } from "@fullstop/core/adapter";
import type { ChatQuirks } from "@fullstop/provider-openai/protocol";
import {
  type ChatReplyHost,
  type ChatReplyOptions,
  chatErrors,
} from "@fullstop/provider-openai/reply";
import type { Dialect, DialectName } from "./dialect.ts";
import { dialects } from "./dialects.ts";

/** A dialect of your own: what the host does differently, and a name, which becomes `provider`. */
export type NamedDialect = Dialect & { readonly name: string };

/** Options for reading the replies of a host with a dialect. */
export interface DialectReplyOptions extends ChatReplyOptions {
  /**
   * The address that the request was sent to. Default: that of the dialect. At another address, such
   * as that of a gateway, a reply of a stream needs a `finish_reason`, also if the host of the
   * dialect omits it.
   */
  readonly baseURL?: string | undefined;
}

export interface DialectHost {
  readonly name: string;
  readonly row: Dialect;
  readonly reply: ChatReplyHost & { readonly quirks: ChatQuirks };
}

/** @throws TypeError if no dialect has this name. */
export function parseDialect(
  dialect: DialectName | NamedDialect,
  model: string,
  { baseURL, ...options }: DialectReplyOptions,
): DialectHost {
  const isNamed = typeof dialect !== "object";
  const { name, ...row } = isNamed ? { name: dialect, ...parseDialectName(dialect) } : dialect;
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
  const doneEnds =
    isNamed && !isOwnHost(row, baseURL) && row.doneEnds ? "body" : (row.doneEnds ?? "body");
  const end = mislabels && doneEnds === "body" ? false : doneEnds;
  const reply = {
    provider: name,
    model,
    mislabelsTruncation,
    stops,
    errors: { ...chatErrors, ...errors },
    quirks: { ...quirks, doneEnds: end },
    missingEndHint: end === true ? silentHint : missingReasonHint,
  } as const;
  return { name, row, reply };
}

const missingReasonHint =
  "No `finish_reason` came that counts. If this host leaves it out of finished replies, use a dialect with `doneEnds: true`: `[DONE]` then counts as `stop` if a usage report came after the calls.";
const silentHint =
  "No `finish_reason` came that counts. Without it, this host ends a reply with `[DONE]`, and a usage report after the last content.";

/**
 * Whether an address is that of the dialect itself, or of a region: `us-east-1.api.x.ai`. Without
 * one, the dialect's is used.
 */
function isOwnHost({ baseURL: own }: Dialect, baseURL: string | undefined): boolean {
  if (baseURL === undefined) return true;
  if (own === undefined || !URL.canParse(baseURL)) return false;
  return `.${new URL(baseURL).host}`.endsWith(`.${new URL(own).host}`);
}

/** A `baseURL` does not turn a misspelt name into another host. */
function parseDialectName(name: string): Dialect {
  if (Object.hasOwn(dialects, name)) return dialects[name as DialectName];
  const meant = nearest(String(name), Object.keys(dialects));
  throw new TypeError(
    `No dialect is called "${name}".${meant === undefined ? "" : ` Did you mean "${meant}"?`} For a host that is not listed, use "custom" with its \`baseURL\`, or pass a dialect of your own: \`{ name, … }\`.`,
  );
}

import {
  anyFunction,
  anyObject,
  anyValue,
  checkOptions,
  listOf,
  type OptionKind,
  type OptionKinds,
  positiveInteger,
  trueOrFalse,
} from "@fullstop/core/adapter";
import { assertServerName } from "./names.ts";
import type { McpOptions, ToolServer } from "./options.ts";

/** The longest delay of a timer: the SDK would end a call at once for a longer one. */
const maxTimerMs = 2 ** 31 - 1;
const milliseconds: OptionKind = {
  isValid: (value) => typeof value === "number" && value > 0 && value <= maxTimerMs,
  expected: `milliseconds, more than 0 and at most ${maxTimerMs}`,
};

const serverKinds: OptionKinds<Required<ToolServer>> = {
  name: anyValue,
  transport: anyFunction,
  client: anyObject,
  trust: trueOrFalse,
  filter: anyFunction,
  timeoutMs: milliseconds,
  totalTimeoutMs: milliseconds,
  connectTimeoutMs: milliseconds,
};
const optionKinds: OptionKinds<Required<McpOptions>> = {
  tools: listOf("tools"),
  needsApproval: anyFunction,
  elicit: anyFunction,
  maxRounds: positiveInteger,
  onWarning: anyFunction,
  clientInfo: anyObject,
};

export function assertOptions(servers: readonly ToolServer[], options: McpOptions): void {
  checkOptions(options, optionKinds, { of: "mcpTools" });
  const names = new Set<string>();
  if (!Array.isArray(servers))
    throw new TypeError("The first argument of `mcpTools` must be a list of servers.");
  for (const [index, server] of servers.entries()) {
    checkOptions(server, serverKinds, { parent: `servers[${index}]`, hidesValues: true });
    const { name, client, transport } = server;
    assertServerName(name);
    if (names.has(name))
      throw new TypeError(`Two servers have the name "${name}". Give one another \`name\`.`);
    names.add(name);
    if ((client === undefined) === (transport === undefined))
      throw new TypeError(
        `The server "${name}" needs either \`transport\` or \`client\`. Set exactly one of them.`,
      );
  }
}

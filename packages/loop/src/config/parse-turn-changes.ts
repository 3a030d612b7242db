import { describeInvalidMessages } from "@fullstop/core/adapter";
import type { TurnChanges } from "../contract/ports.ts";
import { isObject, withoutUndefined } from "../util/values.ts";
import { assertOptions, changeKinds, unforced } from "./option-kinds.ts";
import { assertNoOutputs } from "./output-schema.ts";
import { assertToolChoice, parseTools } from "./parse-tools.ts";
import type { RunConfig } from "./run-config.ts";

export function parseTurnChanges(returned: unknown): TurnChanges {
  if (returned === undefined || returned === null) return {};
  if (!isObject(returned) || Array.isArray(returned))
    throw new TypeError(
      "`beforeTurn` must return an object of changes, such as `{ messages }`, or nothing.",
    );
  const changes: TurnChanges = returned;
  assertOptions(changes, changeKinds, "beforeTurn");
  const { messages = [] } = changes;
  const invalid = describeInvalidMessages(messages);
  if (invalid !== undefined)
    throw new TypeError(`\`beforeTurn\` must return \`messages\` of users: ${invalid}.`);
  if (messages.some(({ role }) => role !== "user"))
    throw new TypeError("`beforeTurn` must return `messages` of users only.");
  return changes;
}

export const changesRequest = ({ messages: _messages, ...others }: TurnChanges): boolean =>
  Object.values(others).some((value) => value !== undefined);

/** Throws an error that names `beforeTurn` for tools that cannot be used. */
export function configOfTurn(config: RunConfig, changes: TurnChanges, turn: number): RunConfig {
  const { request } = config;
  const base = turn === 1 ? request : { ...request, toolChoice: unforced(request.toolChoice) };
  if (!changesRequest(changes)) return base === request ? config : { ...config, request: base };
  const { messages: _messages, adapter = config.adapter, tools: _tools, ...settings } = changes;
  const changed = { ...base, ...withoutUndefined(settings) };
  const { specs, ...tools } = toolsOfTurn(config, changes, changed.toolChoice);
  return { ...config, ...tools, adapter, request: { ...changed, tools: specs } };
}

function toolsOfTurn(
  { tools, nativeTools, request, output }: RunConfig,
  changes: TurnChanges,
  choice: TurnChanges["toolChoice"],
) {
  try {
    if (changes.tools !== undefined) {
      if (output !== undefined) assertNoOutputs(changes.tools);
      const { specs, ...others } = parseTools(changes.tools, choice);
      return { specs: specs.length > 0 ? specs : undefined, ...others };
    }
    assertToolChoice(choice, request.tools ?? []);
    return { tools, nativeTools, specs: request.tools };
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw new TypeError(
      `\`beforeTurn\` returned changes that cannot be used: ${cause.message.replace("request.toolChoice", "toolChoice")}`,
      {
        cause,
      },
    );
  }
}

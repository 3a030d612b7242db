import type { Adapter, TurnRequest } from "./contract/adapter.ts";
import type { Turn } from "./contract/turn.ts";
import { describeMissingOutput } from "./gate/output.ts";
import { type InputSchema, toJsonSchema, validateInput } from "./json/schema.ts";
import { checkOptions } from "./options/check-options.ts";
import { anyText, type OptionKinds } from "./options/kinds.ts";
import { requestKinds } from "./options/request-options.ts";
import { outputTool, outputToolName, sendsOutputFormat } from "./output-tool.ts";
import { type ReadOptions, readTurn } from "./read.ts";

/** A request for one object. Tools and their choice are not part of it. */
export interface ObjectRequest extends Omit<TurnRequest, "output" | "tools" | "toolChoice"> {
  /** A name that some providers require and show to the model. Default: `"output"`. */
  readonly name?: string | undefined;
}
const objectKinds: OptionKinds<Required<ObjectRequest>> = /* @__PURE__ */ createKinds();

function createKinds(): OptionKinds<Required<ObjectRequest>> {
  const { output: _, tools: __, toolChoice: ___, ...shared } = requestKinds;
  return { ...shared, name: anyText };
}

/** What one reply was, if an object was asked for. */
export type ObjectReply<Value> =
  /** The reply passed the gate, and the schema accepted its object. */
  | { readonly status: "done"; readonly value: Value; readonly turn: Turn }
  /** The reply is finished, but it is not an object that the schema accepts. */
  | { readonly status: "invalid"; readonly issues: readonly string[]; readonly turn: Turn }
  /** The reply was cut, refused or failed. `explain(turn)` says how. */
  | { readonly status: "unfinished"; readonly turn: Turn };

/**
 * Requests one object, and gives it out only if the reply was finished and the schema accepts it.
 * Nothing is repaired. If the provider has no format for the schema, a tool is forced.
 * @throws TypeError for a schema without JSON Schema.
 */
export async function readObject<Value>(
  adapter: Adapter,
  objectRequest: ObjectRequest,
  schema: InputSchema<object, Value>,
  options?: ReadOptions,
): Promise<ObjectReply<Value>> {
  checkOptions(objectRequest, objectKinds, { parent: "request" });
  const { name, ...request } = objectRequest;
  const json = toJsonSchema("the output", schema);
  const isFormatted = sendsOutputFormat(adapter, [], json);
  const asked: Pick<TurnRequest, "output" | "tools" | "toolChoice"> = isFormatted
    ? { output: { name, schema: json } }
    : { tools: [outputTool(json)], toolChoice: { name: outputToolName } };
  const turn = await readTurn(adapter, { ...request, ...asked }, options);
  const found = objectOf(turn);
  if (found === undefined) return { status: "unfinished", turn };
  if ("issue" in found) return { status: "invalid", issues: [found.issue], turn };
  const verdict = await validateInput(schema, found.value);
  return "value" in verdict
    ? { status: "done", value: verdict.value as Value, turn }
    : { status: "invalid", issues: verdict.issues, turn };
}

type FoundObject = { readonly value: unknown } | { readonly issue: string };

function objectOf(turn: Turn): FoundObject | undefined {
  if (turn.stopReason === "tool-use") {
    const [call, ...others] = turn.calls;
    if (call.name === outputToolName && others.length === 0) return { value: call.input };
    return { issue: "the reply has other calls beside the object" };
  }
  if (turn.stopReason !== "stop") return undefined;
  const { output } = turn;
  return output !== undefined && "value" in output
    ? output
    : { issue: describeMissingOutput(turn) };
}

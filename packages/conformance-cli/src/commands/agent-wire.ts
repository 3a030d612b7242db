import type { Wire } from "@fullstop/conformance";
import { wires } from "@fullstop/conformance/wires";
import { isFields } from "@fullstop/core/adapter";
import { InvalidArgumentError } from "commander";
import { loadDefaultExport } from "./load-module.ts";

const names = Object.keys(wires);
const isName = (name: string): name is keyof typeof wires => Object.hasOwn(wires, name);

/** The name of a wire, or the path of a module. */
export function parseWire(name: string): string {
  if (isName(name) || /[./\\]/.test(name)) return name;
  throw new InvalidArgumentError(
    `It must be one of ${names.join(", ")}, or a module that exports a wire, as ./my-wire.ts.`,
  );
}

const functionsOf = (value: object, members: readonly string[]): boolean =>
  members.every((member) => typeof (value as Record<string, unknown>)[member] === "function");

/** Whether a value has what the suite needs to play the model in a protocol. */
const isWireForAgents = (value: unknown): value is Wire =>
  isFields(value) &&
  typeof value["name"] === "string" &&
  isFields(value["nativeStops"]) &&
  functionsOf(value, ["frames", "violations"]) &&
  isFields(value["agent"]) &&
  value["agent"]["route"] instanceof RegExp &&
  functionsOf(value["agent"], ["env", "streams", "tools", "results"]);

/** The wire that `--wire` names. */
export async function findWire(name: string | undefined): Promise<Wire | undefined> {
  if (name === undefined) return undefined;
  if (isName(name)) return wires[name];
  const [wire] = await loadDefaultExport(name, {
    isSubject: isWireForAgents,
    form: "a wire with `name`, `nativeStops`, `frames`, `violations` and `agent`, as AgentWire of @fullstop/conformance describes it",
  });
  return wire;
}

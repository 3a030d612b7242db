import {
  type Adapter,
  type InputSchema,
  type ObjectReply,
  readObject,
  type Turn,
  type TurnRequest,
} from "@fullstop/core";
import { outputTool, outputToolName, sendsOutputFormat } from "@fullstop/core/adapter";
import type { AdapterSubject } from "../subject.ts";
import { isFinished } from "./check.ts";
import { isObject } from "./json.ts";

/** Where the object of a reply stands: in its text, or in the input of a tool that was forced. */
export type ObjectForm = "text" | "tool-input";

/** All its members are optional, so the beginning of an object may satisfy it, too. */
export const looseSchema = {
  type: "object",
  properties: {
    title: { type: "string", description: "What it is about." },
    notes: { type: "array", items: { type: "string" } },
    author: { type: "string" },
  },
} as const;

/**
 * The forms in which an adapter is asked for an object. The input of a tool is always one of them:
 * a format may not be able to express a schema.
 */
export const objectForms = (adapter: Adapter): readonly ObjectForm[] =>
  sendsOutputFormat(adapter, [], looseSchema) ? ["text", "tool-input"] : ["tool-input"];

const accepts = (value: unknown): boolean =>
  isObject(value) && ["string", "undefined"].includes(typeof value["title"]);

const looseObject: InputSchema<object, unknown> = {
  "~standard": {
    version: 1,
    vendor: "fullstop-conformance",
    validate: (value) =>
      accepts(value) ? { value } : { issues: [{ message: "not an object of this kind" }] },
    jsonSchema: { input: () => structuredClone(looseSchema) },
  },
};

export const askForObject = (form: ObjectForm): Pick<TurnRequest, "output" | "tools"> =>
  form === "text"
    ? { output: { schema: looseSchema }, tools: undefined }
    : { tools: [outputTool(looseSchema)] };

/** What another gate than the core's gives out of a turn. */
function objectOfTurn(turn: Turn, form: ObjectForm): ObjectReply<unknown> {
  if (form === "text" && "output" in turn && turn.output !== undefined)
    return "value" in turn.output
      ? { status: "done", value: turn.output.value, turn }
      : { status: "invalid", issues: [turn.output.withheld], turn };
  const [call, ...others] = turn.calls;
  if (form === "tool-input" && call?.name === outputToolName && others.length === 0)
    return { status: "done", value: call.input, turn };
  return isFinished(turn)
    ? { status: "invalid", issues: ["no object"], turn }
    : { status: "unfinished", turn };
}

/** Asks a subject for an object, with a schema that accepts every object of the suite. */
export async function readLooseObject(
  { read, readObject: ownReader }: AdapterSubject,
  adapter: Adapter,
  request: TurnRequest,
  form: ObjectForm,
): Promise<ObjectReply<unknown>> {
  const { tools: _, toolChoice: __, output: ___, ...asked } = request;
  const inForm = form === "text" ? adapter : { ...adapter, outputFormat: undefined };
  if (read !== undefined && ownReader === undefined)
    return objectOfTurn(await read(inForm, { ...asked, ...askForObject(form) }), form);
  return (ownReader ?? readObject)(inForm, asked, looseObject);
}

const isGivenByTurn = (turn: Turn): boolean =>
  "output" in turn && turn.output !== undefined && "value" in turn.output;

const nothing = "gives out nothing";

/** What a reader gave out, on one line. */
export function describeGiven(reply: ObjectReply<unknown>): string {
  if (reply.status === "done") return givesOut(reply.value);
  return isGivenByTurn(reply.turn) ? "gives out the object of the turn only" : nothing;
}
/** The line of a reader that gives this object out. */
export const givesOut = (value: unknown): string => `gives out ${JSON.stringify(value)}`;
export const givesNothing: string = nothing;

/** The same, with the status if nothing was given out. */
export function describeObject(reply: ObjectReply<unknown>): string {
  const given = describeGiven(reply);
  return given === nothing ? `${nothing}: ${reply.status}` : given;
}
/** The line of a reader that says of a reply that it is not finished. */
export const givesUnfinished: string = `${nothing}: unfinished`;

import { readFileSync } from "node:fs";
import { cap, type Reply } from "@fullstop/conformance";
import { openaiResponsesWire as wire } from "@fullstop/conformance/wires/openai-responses";
import { readTurn } from "@fullstop/core";
import { guard } from "@fullstop/guard";
import { openai } from "@fullstop/provider-openai";
import { jsonResponse, sseResponse } from "@tooling/test/fake-server";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { type Event, eventsIn, eventText } from "../responses.ts";

type Schema = Readonly<Record<string, unknown>> & { required: string[] };
interface EventSchema extends Schema {
  readonly properties: { readonly type: { readonly enum: readonly [string] } };
}
/** Of https://www.openresponses.org: its schemas of a request, of a response and of its events. */
const specification: {
  readonly $defs: Readonly<Record<string, Schema>>;
  readonly events: { readonly oneOf: readonly { readonly $ref: string }[] };
} = JSON.parse(readFileSync(new URL("schema.json", import.meta.url), "utf8"));

/** Required members that repeat the request. The suite leaves them out, so replies are short. */
const echoes: ReadonlySet<string> = new Set(
  "previous_response_id truncation text top_logprobs reasoning max_output_tokens max_tool_calls background service_tier safety_identifier prompt_cache_key".split(
    " ",
  ),
);
const resource = specification.$defs["ResponseResource"] as Schema;
resource.required = resource.required.filter((name) => !echoes.has(name));

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(specification);
const validatorOf = (ref: string): ValidateFunction => ajv.compile({ $ref: `openresponses${ref}` });
const ofEvent: ReadonlyMap<string, ValidateFunction> = new Map(
  specification.events.oneOf.map(({ $ref }) => {
    const { properties } = specification.$defs[$ref.replace("#/$defs/", "")] as EventSchema;
    return [properties.type.enum[0], validatorOf($ref)];
  }),
);
const ofBody = validatorOf("#/$defs/ResponseResource");
const ofRequest = validatorOf("#/$defs/CreateResponseBody");

function flawsOf(validate: ValidateFunction | undefined, value: unknown): readonly string[] {
  if (validate === undefined) return ["no event of the specification"];
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
const flawsOfEvents = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) =>
    flawsOf(ofEvent.get(event.type), event).map((flaw) => `${event.type}: ${flaw}`),
  );

const call = { name: "read", id: "call_1", input: { path: "a" } };
const blocks: Reply["blocks"] = [{ text: "Reading." }, call, { ...call, id: "call_2" }];
const replies: readonly (readonly [stop: string, reply: Reply])[] = Object.values(
  wire.nativeStops,
).map((stop) => [stop, { blocks, stop, output: 12 }]);

const eventsOf = (reply: Reply): readonly Event[] =>
  wire.frames(reply).upToTerminal.map((frame) => JSON.parse(frame) as Event);
const request = {
  model: "gpt-5.5",
  stream: true,
  max_output_tokens: cap,
  input: "Go.",
  tools: [{ type: "function", name: "read", parameters: { type: "object" }, strict: false }],
};
/** What the guard makes of a reply. */
async function guarded(answer: () => Response): Promise<string> {
  const send = guard(async () => answer(), { note: () => "[Held back.]" });
  const response = await send("https://api.openai.com/v1/responses", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  const decoder = new TextDecoder();
  let text = "";
  // A reply that failed behind its first event ends with a broken connection.
  try {
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true });
  } catch {}
  return text;
}

test("a damaged event breaks the specification", () => {
  const [stop] = Object.values(wire.nativeStops);
  const events = eventsOf({ blocks, stop: stop ?? "", output: 12 });
  const { type, ...rest } = events.at(-1) as Event;
  expect(flawsOfEvents([{ type, ...rest, response: { status: "completed" } }])).not.toEqual([]);
  expect(flawsOfEvents([{ type: "response.unknown" }])).not.toEqual([]);
});

describe.each(replies)("a reply that ends with %s", (_, reply) => {
  test("is written by the suite as the specification says, streamed or not", () => {
    expect(flawsOfEvents(eventsOf(reply))).toEqual([]);
    expect(flawsOf(ofBody, JSON.parse(wire.whole?.(reply) ?? "{}"))).toEqual([]);
  });

  test("leaves the guard as the specification says, whole and with its calls held back", async () => {
    const sent = eventsOf(reply);
    const left = eventsIn(await guarded(() => sseResponse(sent.map(eventText).join(""))));
    expect(left.length).toBeGreaterThan(0);
    expect(flawsOfEvents(left)).toEqual([]);
    const body = JSON.parse(wire.whole?.(reply) ?? "{}");
    const whole = JSON.parse(await guarded(() => jsonResponse(body)));
    if ("error" in whole && !("status" in whole)) return;
    expect(flawsOf(ofBody, whole)).toEqual([]);
  });
});

test("a request of the adapter is as the specification says, with a call and its result", async () => {
  const bodies: unknown[] = [];
  const adapter = openai("gpt-5.5", {
    apiKey: "key",
    fetch: async (_, init) => {
      bodies.push(JSON.parse(String(init?.body)));
      return jsonResponse({}, { status: 500 });
    },
  });
  await readTurn(adapter, {
    system: "Be brief.",
    tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }],
    messages: [
      { role: "user", content: "Go." },
      {
        role: "assistant",
        content: [{ type: "tool-call", id: "call_1", name: "read", inputText: "{}" }],
      },
      {
        role: "tool",
        content: [{ type: "tool-result", id: "call_1", name: "read", content: "ok" }],
      },
    ],
  });
  expect(bodies).toHaveLength(1);
  expect(flawsOf(ofRequest, bodies[0])).toEqual([]);
});

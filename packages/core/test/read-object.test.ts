import { describe, expect, expectTypeOf, test } from "vitest";
import type { TurnEvent } from "../src/adapter/index.ts";
import {
  type Adapter,
  type InputSchema,
  type ObjectReply,
  type Preview,
  readObject,
  readTurn,
  type TurnRequest,
} from "../src/index.ts";
import { acme } from "./acme.ts";
import { input, type Native, read, stop, text, usage } from "./reply.ts";
import { begin, frame, serve } from "./server.ts";

const request: Pick<TurnRequest, "messages"> = { messages: [{ role: "user", content: "Go." }] };
const jsonSchema = { type: "object", properties: { n: { type: "number" }, of: {} } };

interface Counted {
  readonly n: number;
}
/** Takes `{ n }` and drops other members, as most schemas do. */
const counted: InputSchema<Counted, Counted> = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) => {
      const { n } = value as { readonly n?: unknown };
      if (typeof n === "number") return { value: { n } };
      return {
        issues: [{ message: "must be a number", path: ["n"] }, { message: "not like this" }],
      };
    },
    jsonSchema: { input: () => jsonSchema },
  },
};

/** A server that answers with these events, and the requests that it got. */
async function answering(
  natives: readonly Native[],
  changes: Partial<Adapter> = {},
): Promise<{ readonly adapter: Adapter; readonly bodies: readonly TurnRequest[] }> {
  const { baseURL } = await serve((response) => {
    begin(response, ...natives);
    response.end();
  });
  const bodies: TurnRequest[] = [];
  const recording: typeof fetch = (url, init) => {
    bodies.push(JSON.parse(String(init?.body)) as TurnRequest);
    return fetch(url, init);
  };
  return { adapter: acme({ baseURL, fetch: recording, ...changes }), bodies };
}
const withFormat = { outputFormat: "always" } as const;
const readFrom = async (
  natives: readonly Native[],
  changes: Partial<Adapter> = {},
): Promise<ObjectReply<Counted>> =>
  readObject((await answering(natives, changes)).adapter, request, counted);

const finished = (written: string): readonly Native[] => [text(written), usage(5), stop("done")];
const called = (written: string, name = "final_output"): readonly Native[] => [
  input(name, written),
  usage(5),
  stop("tool"),
];

describe("with a format of the provider", () => {
  test("the request holds the schema and a name, and no tool", async () => {
    const { adapter, bodies } = await answering(finished('{"n":1}'), withFormat);
    await readObject(adapter, { ...request, system: "Count.", name: "count" }, counted);
    await readObject(adapter, request, counted);
    expect(bodies).toMatchObject([
      { system: "Count.", output: { name: "count", schema: jsonSchema } },
      { output: { schema: jsonSchema } },
    ]);
    for (const body of bodies) {
      expect(body).not.toHaveProperty("tools");
      expect(body).not.toHaveProperty("toolChoice");
      expect(body).not.toHaveProperty("name");
    }
    expect(bodies[1]?.output).not.toHaveProperty("name");
  });

  test("the object is what the schema made of it, frozen and typed", async () => {
    const reply = await readFrom(finished('{"n":1,"more":{}}'), withFormat);
    if (reply.status !== "done") throw new Error(reply.status);
    expectTypeOf(reply.value).toEqualTypeOf<Counted>();
    expect(reply.value).toEqual({ n: 1 });
    expect(Object.isFrozen(reply.value)).toBe(true);
    expect(reply.turn).toMatchObject({
      stopReason: "stop",
      output: { value: { n: 1, more: {} } },
    });
  });

  test("an object that the schema refuses comes with its issues, and not with a value", async () => {
    const reply = await readFrom(finished('{"n":"1"}'), withFormat);
    expect(reply).toMatchObject({
      status: "invalid",
      issues: ["n: must be a number", "not like this"],
    });
    expect(reply).not.toHaveProperty("value");
  });

  test.each([
    "I cannot help with that.",
    '```json\n{"n":1}\n```',
    '{"n":1}{"n":2}',
    '{"n":1',
    "[]",
    "",
    '{"n":9007199254740993}',
  ])("the finished text %j is `invalid`, with one issue", async (written) => {
    const reply = await readFrom(finished(written), withFormat);
    expect(reply).toMatchObject({ status: "invalid", turn: { stopReason: "stop" } });
    expect(reply.status === "invalid" && reply.issues).toHaveLength(1);
  });

  test("an object beside a call is `invalid`, and the call is still in the turn", async () => {
    const reply = await readFrom([text('{"n":1}'), read, usage(5), stop("tool")], withFormat);
    expect(reply).toMatchObject({ status: "invalid", turn: { calls: [{ name: "read" }] } });
  });
});

describe("without a format", () => {
  test("the request forces a tool with the schema", async () => {
    const { adapter, bodies } = await answering(called('{"n":1}'));
    await readObject(adapter, { ...request, maxTokens: 50, name: "count" }, counted);
    expect(bodies).toMatchObject([
      {
        maxTokens: 50,
        tools: [{ name: "final_output", inputSchema: jsonSchema }],
        toolChoice: { name: "final_output" },
      },
    ]);
    expect(bodies[0]).not.toHaveProperty("output");
  });

  test("the object is the input of the tool", async () => {
    expect(await readFrom(called('{"n":1}'))).toMatchObject({
      status: "done",
      value: { n: 1 },
      turn: { stopReason: "tool-use" },
    });
  });

  test("an input that the schema refuses is `invalid`", async () => {
    expect(await readFrom(called('{"n":null}'))).toMatchObject({
      status: "invalid",
      issues: ["n: must be a number", "not like this"],
    });
  });

  test.each<readonly [string, readonly Native[]]>([
    ["text in place of the call", finished('{"n":1}')],
    ["another tool", called('{"n":1}', "read")],
    [
      "a second call of the tool",
      [
        input("final_output", '{"n":1}', 0),
        input("final_output", '{"n":2}', 1),
        usage(5),
        stop("tool"),
      ],
    ],
    ["a call beside it", [input("final_output", '{"n":1}'), read, usage(5), stop("tool")]],
    ["a call before it", [read, input("final_output", '{"n":1}'), usage(5), stop("tool")]],
  ])("%s is `invalid`", async (_, natives) => {
    const reply = await readFrom(natives);
    expect(reply).toMatchObject({ status: "invalid" });
    expect(reply.status === "invalid" && reply.issues).toHaveLength(1);
  });

  test("a format that cannot stand beside tools is used, because the request offers none", async () => {
    const { adapter, bodies } = await answering(finished('{"n":1}'), {
      outputFormat: "without-tools",
    });
    expect(await readObject(adapter, request, counted)).toMatchObject({ status: "done" });
    expect(bodies[0]).toHaveProperty("output");
  });
});

describe("a reply that is not finished", () => {
  const formats: readonly Partial<Adapter>[] = [withFormat, {}];
  const ends: readonly (readonly [string, readonly TurnEvent[]])[] = [
    ["interrupted", []],
    ["length", [usage(9), stop("budget")]],
    ["refusal", [stop("declined")]],
    ["content-filter", [stop("policy")]],
    ["unknown", [stop("later")]],
  ];
  test.each(formats.flatMap((changes) => ends.map((end) => [...end, changes] as const)))(
    "under %s is `unfinished`, however whole its object is",
    async (stopReason, end, changes) => {
      const object = changes === withFormat ? text('{"n":1}') : input("final_output", '{"n":1}');
      const reply = await readFrom([object, ...end], changes);
      expect(reply).toMatchObject({ status: "unfinished", turn: { stopReason } });
      expect(reply).not.toHaveProperty("value");
      expect(reply).not.toHaveProperty("issues");
    },
  );

  test("is not given to the schema", async () => {
    let validated = 0;
    const watching: typeof counted = {
      "~standard": {
        ...counted["~standard"],
        validate: (value) => {
          validated++;
          return { value };
        },
      },
    };
    for (const changes of formats) {
      const { adapter } = await answering([text('{"n":1}'), stop("budget")], changes);
      await readObject(adapter, request, watching);
    }
    expect(validated).toBe(0);
  });
});

describe("a schema", () => {
  const schemaOf = (standard: object): typeof counted =>
    ({ "~standard": { ...counted["~standard"], ...standard } }) as typeof counted;

  test.each([
    [schemaOf({ jsonSchema: undefined }), /has no JSON Schema/],
    [schemaOf({ jsonSchema: { input: () => ({ type: "array" }) } }), /must describe an object/],
    [
      schemaOf({
        jsonSchema: {
          input: () => {
            throw new Error("it holds a date");
          },
        },
      }),
      /cannot be converted to JSON Schema: it holds a date/,
    ],
    [{} as typeof counted, /has no JSON Schema/],
  ])("that cannot be sent is a TypeError before a request", async (schema, message) => {
    const { adapter, bodies } = await answering(finished("{}"), withFormat);
    const reading = readObject(adapter, request, schema);
    await expect(reading).rejects.toThrow(TypeError);
    await expect(reading).rejects.toThrow(message);
    expect(bodies).toEqual([]);
  });

  test("that throws makes the object invalid", async () => {
    const { adapter } = await answering(finished('{"n":1}'), withFormat);
    const throwing = schemaOf({
      validate: () => {
        throw new Error("no such unit");
      },
    });
    expect(await readObject(adapter, request, throwing)).toMatchObject({
      status: "invalid",
      issues: ["the schema threw: no such unit"],
    });
  });

  test("may take its time", async () => {
    const { adapter } = await answering(finished('{"n":1}'), withFormat);
    const slow = schemaOf({ validate: async () => ({ value: { n: 2 } }) });
    expect(await readObject(adapter, request, slow)).toMatchObject({
      status: "done",
      value: { n: 2 },
    });
  });
});

describe("the options of a reply", () => {
  test("a preview shows the text while it arrives, and a signal aborts", async () => {
    const { adapter } = await answering(finished('{"n":1}'), withFormat);
    const previews: Preview[] = [];
    await readObject(adapter, request, counted, { onPreview: (event) => previews.push(event) });
    expect(previews).toEqual([{ type: "text", text: '{"n":1}' }]);
    const aborted = await readObject(adapter, request, counted, { signal: AbortSignal.abort() });
    expect(aborted).toMatchObject({ status: "unfinished", turn: { stopReason: "aborted" } });
  });

  test("onFirstByte is called once, before the first preview", async () => {
    const { baseURL } = await serve((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(frame(text("Hi. ")));
      setTimeout(() => response.end([text("Ho."), stop("done")].map(frame).join("")), 20);
    });
    const seen: string[] = [];
    await readTurn(acme({ baseURL }), request, {
      onFirstByte: () => seen.push("first byte"),
      onPreview: ({ type }) => seen.push(type),
    });
    expect(seen).toEqual(["first byte", "text", "text"]);
  });

  test("onFirstByte is called for a part without content, and not if nothing arrives", async () => {
    const silent = await serve((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end();
    });
    const pinging = await serve((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(": ping\n\n");
    });
    const countFor = async (baseURL: string): Promise<number> => {
      let count = 0;
      await readTurn(acme({ baseURL }), request, { onFirstByte: () => count++ });
      return count;
    };
    expect(await countFor(silent.baseURL)).toBe(0);
    expect(await countFor(pinging.baseURL)).toBe(1);
  });
});

import type { Violation } from "@fullstop/conformance";

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The sentences whose value is true: rules that are broken. */
const broken = (
  sentences: Readonly<Record<string, boolean>>,
  part: unknown,
): readonly Violation[] =>
  Object.entries(sentences).flatMap(([message, isBroken]) => (isBroken ? [{ message, part }] : []));
/** What only the documents say. The server's source accepts it. */
const asShould = (violations: readonly Violation[]): readonly Violation[] =>
  violations.map((violation) => ({ ...violation, level: "should" }));

const isOptional = (value: unknown, type: string): boolean =>
  value === undefined || value === null || typeof value === type;

const thinkLevels: readonly unknown[] = [true, false, "low", "medium", "high", "max"];
/** https://pkg.go.dev/time#ParseDuration */
const duration = /^-?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$|^-?\d+$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const wrongType = (field: string): string =>
  `json: cannot unmarshal the value into Go struct field ChatRequest.${field}`;

/** The server reads a body into the types of `api/types.go`, and refuses other types with a 400. */
function bodyViolations(body: Fields): readonly Violation[] {
  const { model, messages, stream, options, think, keep_alive: keepAlive, format } = body;
  const { truncate, shift, logprobs, top_logprobs: topLogprobs } = body;
  const top = Number(topLogprobs ?? 0);
  return broken(
    {
      "model is required": typeof model !== "string" || model === "",
      [wrongType("messages")]: !Array.isArray(messages),
      [wrongType("stream")]: !isOptional(stream, "boolean"),
      [wrongType("truncate")]: !isOptional(truncate, "boolean"),
      [wrongType("shift")]: !isOptional(shift, "boolean"),
      [wrongType("logprobs")]: !isOptional(logprobs, "boolean"),
      "top_logprobs must be between 0 and 20": !(top >= 0 && top <= 20),
      [wrongType("options")]: options !== undefined && !isObject(options),
      'think must be a boolean or string ("high", "medium", "low", true, or false)':
        think !== undefined && think !== null && !thinkLevels.includes(think),
      'time: invalid duration; "keep_alive"':
        keepAlive !== undefined &&
        typeof keepAlive !== "number" &&
        !duration.test(String(keepAlive)),
      'invalid format; expected "json" or a valid JSON Schema object':
        format !== undefined &&
        format !== null &&
        format !== "json" &&
        format !== "" &&
        !isObject(format),
    },
    body,
  );
}

function messageViolations(message: unknown, index: number): readonly Violation[] {
  const { role, content, images, thinking, tool_calls: calls, ...rest } = fieldsOf(message);
  const at = `messages[${index}]`;
  const encoded = listOf(images);
  return [
    ...broken(
      {
        [wrongType(`${at}.role`)]: typeof role !== "string",
        [wrongType(`${at}.content`)]: !isOptional(content, "string"),
        [wrongType(`${at}.thinking`)]: !isOptional(thinking, "string"),
        [wrongType(`${at}.tool_name`)]: !isOptional(rest["tool_name"], "string"),
        [wrongType(`${at}.tool_call_id`)]: !isOptional(rest["tool_call_id"], "string"),
        [wrongType(`${at}.images`)]: images !== undefined && !Array.isArray(images),
        [`${at}.images: illegal base64 data`]: encoded.some(
          (image) => typeof image !== "string" || !base64.test(image),
        ),
        [wrongType(`${at}.tool_calls`)]: calls !== undefined && !Array.isArray(calls),
      },
      message,
    ),
    ...asShould(
      broken(
        { [`${at}: the role must be system, user, assistant or tool`]: !roles.includes(role) },
        message,
      ),
    ),
    ...listOf(calls).flatMap((call) => callViolations(call, at)),
  ];
}
const roles: readonly unknown[] = ["system", "user", "assistant", "tool"];

/** The arguments as a text, as other APIs have them, are refused: rashadphz/farfalle#89, aliasrobotics/cai#76. */
function callViolations(call: unknown, at: string): readonly Violation[] {
  const { function: called, id } = fieldsOf(call);
  const { name, arguments: input } = fieldsOf(called);
  return broken(
    {
      [wrongType(`${at}.tool_calls.id`)]: !isOptional(id, "string"),
      [wrongType(`${at}.tool_calls.function.name`)]: typeof name !== "string" || name === "",
      [wrongType(`${at}.tool_calls.function.arguments`)]: !isObject(input),
    },
    call,
  );
}

/** `properties` holds objects only, and the type of the parameters is one word. */
function toolViolations(tool: unknown, index: number): readonly Violation[] {
  const { type, function: declared } = fieldsOf(tool);
  const { name, description, parameters } = fieldsOf(declared);
  const { type: parametersType, required, properties } = fieldsOf(parameters);
  const at = `tools[${index}]`;
  return [
    ...broken(
      {
        [wrongType(`${at}.type`)]: typeof type !== "string",
        [wrongType(`${at}.function.name`)]: typeof name !== "string",
        [wrongType(`${at}.function.description`)]: !isOptional(description, "string"),
        [wrongType(`${at}.function.parameters`)]: !isObject(parameters),
        [wrongType(`${at}.function.parameters.type`)]: typeof parametersType !== "string",
        [wrongType(`${at}.function.parameters.required`)]: listOf(required).some(
          (one) => typeof one !== "string",
        ),
      },
      tool,
    ),
    ...propertyViolations(properties, `${at}.function.parameters`),
  ];
}

function propertyViolations(properties: unknown, at: string): readonly Violation[] {
  if (properties === undefined) return [];
  return Object.entries(fieldsOf(properties)).flatMap(([name, property]) => {
    const { properties: inner, anyOf, type } = fieldsOf(property);
    const types = Array.isArray(type) ? type : [type ?? ""];
    return [
      ...broken(
        {
          [wrongType(`${at}.properties.${name}`)]: !isObject(property),
          [wrongType(`${at}.properties.${name}.type`)]: types.some(
            (one) => typeof one !== "string",
          ),
          [wrongType(`${at}.properties.${name}.anyOf`)]: listOf(anyOf).some(
            (one) => !isObject(one),
          ),
        },
        property,
      ),
      ...propertyViolations(inner, `${at}.properties.${name}`),
    ];
  });
}

/**
 * The order of messages. The server's source refuses none: what it makes of them depends on the
 * template of the model. Ollama's cloud writes nothing without a user's message
 * (can1357/oh-my-pi#7465); the server of version 0.17.4 does, for a local model.
 */
function orderViolations(messages: readonly unknown[]): readonly Violation[] {
  const known = messages.map(fieldsOf);
  const last = known.at(-1);
  const open: unknown[] = [];
  const strays: Fields[] = [];
  const unanswered: unknown[] = [];
  for (const message of known) {
    if (message["role"] !== "tool") unanswered.push(...open.splice(0));
    for (const call of listOf(message["tool_calls"]))
      open.push(fieldsOf(fieldsOf(call)["function"])["name"]);
    if (message["role"] !== "tool") continue;
    if (open.shift() !== message["tool_name"]) strays.push(message);
  }
  unanswered.push(...open);
  return [
    ...broken(
      {
        "a request without a message of the user is answered with `load`": !known.some(
          ({ role }) => role === "user",
        ),
      },
      messages,
    ),
    ...asShould([
      ...strays.map((part) => ({ message: "a result that does not answer the next call", part })),
      ...unanswered.map((part) => ({ message: "a call without its result", part })),
      ...broken({ "the last message is the model's": last?.["role"] === "assistant" }, last),
    ]),
  ];
}

/**
 * The rules of `/api/chat` that a request body breaks: the types of `api/types.go` and
 * `server/routes.go` of https://github.com/ollama/ollama.
 */
export function violations(body: unknown): readonly Violation[] {
  if (!isObject(body)) return [{ message: "the body is not a JSON object" }];
  const messages = listOf(body["messages"]);
  return [
    ...bodyViolations(body),
    ...messages.flatMap(messageViolations),
    ...listOf(body["tools"]).flatMap(toolViolations),
    ...orderViolations(messages),
  ];
}

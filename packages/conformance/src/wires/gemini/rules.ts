import { isObject } from "../../harness/json.ts";
import { type Fields, fieldsOf, listViolations, matches, objectsIn } from "../shared.ts";
import { toCamelKeys } from "./spelling.ts";

interface GeminiTurn {
  readonly role: string;
  readonly calls: readonly Fields[];
  readonly results: readonly Fields[];
  /** Another part comes before the last result. */
  readonly mixed: boolean;
}

const hasObject = (part: Fields, key: string): boolean => isObject(part[key]);

const toGeminiTurn = ({ role, parts }: Fields): GeminiTurn => {
  const all = objectsIn(parts);
  const isResult = all.map((part) => hasObject(part, "functionResponse"));
  return {
    role: String(role),
    calls: all.filter((part) => hasObject(part, "functionCall")),
    results: all.filter((part) => hasObject(part, "functionResponse")),
    mixed: isResult.includes(false) && isResult.lastIndexOf(true) > isResult.indexOf(false),
  };
};

const noTurn: GeminiTurn = { role: "none", calls: [], results: [], mixed: false };

const describeNamesAndIds = (
  parts: readonly Fields[],
  key: "functionCall" | "functionResponse",
): string =>
  JSON.stringify(
    parts.map((part) => [fieldsOf(part[key])["name"], fieldsOf(part[key])["id"] ?? null]),
  );

function neighborTurnViolations(
  turn: GeminiTurn,
  before: GeminiTurn,
  index: number,
): readonly string[] {
  const count = turn.results.length;
  return listViolations({
    "Please ensure that multiturn requests alternate between user and model.":
      turn.role === before.role,
    "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.":
      before.calls.length > 0 && count !== before.calls.length,
    "Please ensure that function response turn comes immediately after a function call turn.":
      count > 0 && before.calls.length === 0,
    [`contents.${index}: function responses come first in their turn`]: turn.mixed,
    [`contents.${index}: function responses must answer the calls in their order, by name and by the ids that the server gave`]:
      count > 0 &&
      count === before.calls.length &&
      describeNamesAndIds(before.calls, "functionCall") !==
        describeNamesAndIds(turn.results, "functionResponse"),
    [`contents.${index}: a function call in a user's turn`]:
      turn.role === "user" && turn.calls.length > 0,
    [`contents.${index}: a function response in the model's turn`]:
      turn.role === "model" && count > 0,
  });
}

/**
 * Gemini 3 needs a signature on the first call of each step since the last text of the user.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
function missingSignatures(turns: readonly GeminiTurn[]): readonly string[] {
  const spoken = turns.findLastIndex(
    ({ role, results }) => role === "user" && results.length === 0,
  );
  return turns.flatMap(({ calls: [first] }, index) => {
    if (index <= spoken || first === undefined || typeof first["thoughtSignature"] === "string")
      return [];
    const { name } = fieldsOf(first["functionCall"]);
    return [
      `Function call is missing a thought_signature in functionCall parts: default_api:${String(name)}, position ${index}.`,
    ];
  });
}

/** The broken rules about contents that belong together. */
function geminiTurnsViolations(turns: readonly GeminiTurn[]): readonly string[] {
  return [
    ...listViolations({
      "Please ensure that function call turn comes immediately after a user turn or after a function response turn.":
        turns[0]?.role === "model",
      "Please ensure that the conversation ends with a user turn or a function response turn.":
        turns.at(-1)?.role === "model",
    }),
    ...turns.flatMap((turn, index) =>
      neighborTurnViolations(turn, turns[index - 1] ?? noTurn, index),
    ),
    ...missingSignatures(turns),
  ];
}

const geminiNamePattern = /^[a-zA-Z_][\w.:-]{0,63}$/;

const base64 = /^[\w+/-]+={0,2}$/;

/** https://ai.google.dev/api/caching#Part */
const dataKeys = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
  "audioTranscription",
];

function geminiPartViolations(part: Fields, at: string): readonly string[] {
  const { functionCall: call, functionResponse: result, thoughtSignature: signature, text } = part;
  const data = dataKeys.filter((key) => part[key] !== undefined);
  return listViolations({
    [`${at}.data: required oneof field 'data' must have one initialized field`]:
      data.length !== 1 && signature === undefined,
    [`${at}: Unable to submit request because it has an empty text parameter`]:
      text === "" && signature === undefined,
    [`${at}: Invalid value at 'thought_signature' (TYPE_BYTES), Base64 decoding failed`]:
      signature !== undefined && !matches(signature, base64),
    [`${at}: the name must match ${geminiNamePattern}`]: [call, result].some(
      (one) => one !== undefined && !matches(fieldsOf(one)["name"], geminiNamePattern),
    ),
    [`${at}: the args must be an object`]:
      call !== undefined && !isObject(fieldsOf(call)["args"] ?? {}),
    [`${at}: the response must be an object`]:
      result !== undefined && !isObject(fieldsOf(result)["response"]),
    [`${at}: a streamed function call in a request`]:
      call !== undefined &&
      (fieldsOf(call)["partialArgs"] ?? fieldsOf(call)["willContinue"]) !== undefined,
  });
}

const geminiContentViolations = ({ role, parts }: Fields, at: string): readonly string[] => [
  ...listViolations({
    [`${at}: Please use a valid role: user, model.`]: role !== "user" && role !== "model",
    [`${at}.parts must not be empty`]: objectsIn(parts).length === 0,
  }),
  ...objectsIn(parts).flatMap((part, index) => geminiPartViolations(part, `${at}.parts.${index}`)),
];

function geminiToolsViolations({ tools, toolConfig }: Fields): readonly string[] {
  const declared = objectsIn(tools).flatMap((tool) => objectsIn(tool["functionDeclarations"]));
  const names = declared.map(({ name }) => name);
  const { mode, allowedFunctionNames: allowed } = fieldsOf(
    fieldsOf(toolConfig)["functionCallingConfig"],
  );
  const wanted: readonly unknown[] = Array.isArray(allowed) ? allowed : [];
  return [
    ...listViolations({
      "Function calling config is set without function_declarations.":
        mode !== undefined && names.length === 0,
      "allowed_function_names should be set only when function calling mode is ANY.":
        wanted.length > 0 && mode !== "ANY" && mode !== "VALIDATED",
      "allowed_function_names names a function that is not declared": wanted.some(
        (name) => !names.includes(name),
      ),
      "Duplicate function declaration found": new Set(names).size !== names.length,
    }),
    ...declared.flatMap(({ name, parameters, parametersJsonSchema: schema }) =>
      listViolations({
        [`the name ${String(name)} must match ${geminiNamePattern}`]: !matches(
          name,
          geminiNamePattern,
        ),
        [`${String(name)}: parameters and parameters_json_schema exclude each other`]:
          parameters !== undefined && schema !== undefined,
        [`${String(name)}: the schema must have the type object`]:
          schema !== undefined && fieldsOf(schema)["type"] !== "object",
      }),
    ),
  ];
}

function geminiRequestViolations(body: Fields): readonly string[] {
  const contents = objectsIn(body["contents"]);
  const { maxOutputTokens: cap, thinkingConfig } = fieldsOf(body["generationConfig"]);
  const { thinkingLevel: level, thinkingBudget: budget } = fieldsOf(thinkingConfig);
  const { systemInstruction: system } = body;
  return [
    ...listViolations({
      "contents is not specified": contents.length === 0,
      "max_output_tokens must be positive":
        cap !== undefined && !(Number.isInteger(cap) && Number(cap) > 0),
      "You can only set only one of thinking budget and thinking level.":
        level !== undefined && budget !== undefined,
    }),
    ...(system === undefined
      ? []
      : objectsIn(fieldsOf(system)["parts"]).flatMap((part, index) =>
          geminiPartViolations(part, `system_instruction.parts.${index}`),
        )),
    ...geminiToolsViolations(body),
    ...contents.flatMap((content, index) => geminiContentViolations(content, `contents.${index}`)),
    ...geminiTurnsViolations(contents.map(toGeminiTurn)),
  ];
}

/**
 * The rules of generateContent (Gemini 3) that a request body breaks. The sentences are those of
 * its errors. https://ai.google.dev/api/generate-content, gemini-cli#3814, #16543, pi#6996,
 * openclaw#74244
 */
export const geminiViolations = (body: unknown): readonly string[] =>
  isObject(body)
    ? geminiRequestViolations(fieldsOf(toCamelKeys(body)))
    : ["the body is not a JSON object"];

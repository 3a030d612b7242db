import { isObject } from "../../harness/json.ts";
import { type Fields, fields, holding, list } from "../fields.ts";
import { ofTurns, turnOf } from "./turns.ts";

const namePattern = /^[a-zA-Z_][\w.:-]{0,63}$/;
const base64 = /^[\w+/-]+={0,2}$/;
const matches = (value: unknown, pattern: RegExp): boolean =>
  typeof value === "string" && pattern.test(value);

/** https://ai.google.dev/api/caching#Part */
const dataKeys = [
  ...["text", "inlineData", "fileData", "functionCall", "functionResponse"],
  ...["executableCode", "codeExecutionResult", "toolCall", "toolResponse", "audioTranscription"],
];

function ofPart(part: Fields, at: string): readonly string[] {
  const { functionCall: call, functionResponse: result, thoughtSignature: signature, text } = part;
  const data = dataKeys.filter((key) => part[key] !== undefined);
  return holding({
    [`${at}.data: required oneof field 'data' must have one initialized field`]:
      data.length !== 1 && signature === undefined,
    [`${at}: Unable to submit request because it has an empty text parameter`]:
      text === "" && signature === undefined,
    [`${at}: Invalid value at 'thought_signature' (TYPE_BYTES), Base64 decoding failed`]:
      signature !== undefined && !matches(signature, base64),
    [`${at}: the name must match ${namePattern}`]: [call, result].some(
      (one) => one !== undefined && !matches(fields(one)["name"], namePattern),
    ),
    [`${at}: the args must be an object`]:
      call !== undefined && !isObject(fields(call)["args"] ?? {}),
    [`${at}: the response must be an object`]:
      result !== undefined && !isObject(fields(result)["response"]),
    [`${at}: a streamed function call in a request`]:
      call !== undefined &&
      (fields(call)["partialArgs"] ?? fields(call)["willContinue"]) !== undefined,
  });
}

const ofContent = ({ role, parts }: Fields, at: string): readonly string[] => [
  ...holding({
    [`${at}: Please use a valid role: user, model.`]: role !== "user" && role !== "model",
    [`${at}.parts must not be empty`]: list(parts).length === 0,
  }),
  ...list(parts).flatMap((part, n) => ofPart(part, `${at}.parts.${n}`)),
];

function ofTools({ tools, toolConfig }: Fields): readonly string[] {
  const declared = list(tools).flatMap((tool) => list(tool["functionDeclarations"]));
  const names = declared.map(({ name }) => name);
  const { mode, allowedFunctionNames: allowed } = fields(
    fields(toolConfig)["functionCallingConfig"],
  );
  const wanted: readonly unknown[] = Array.isArray(allowed) ? allowed : [];
  return [
    ...holding({
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
      holding({
        [`the name ${String(name)} must match ${namePattern}`]: !matches(name, namePattern),
        [`${String(name)}: parameters and parameters_json_schema exclude each other`]:
          parameters !== undefined && schema !== undefined,
        [`${String(name)}: the schema must have the type object`]:
          schema !== undefined && fields(schema)["type"] !== "object",
      }),
    ),
  ];
}

function ofRequest(body: Fields): readonly string[] {
  const contents = list(body["contents"]);
  const { maxOutputTokens: cap, thinkingConfig } = fields(body["generationConfig"]);
  const { thinkingLevel: level, thinkingBudget: budget } = fields(thinkingConfig);
  const { systemInstruction: system } = body;
  return [
    ...holding({
      "contents is not specified": contents.length === 0,
      "max_output_tokens must be positive":
        cap !== undefined && !(Number.isInteger(cap) && Number(cap) > 0),
      "You can only set only one of thinking budget and thinking level.":
        level !== undefined && budget !== undefined,
    }),
    ...(system === undefined
      ? []
      : list(fields(system)["parts"]).flatMap((part, n) =>
          ofPart(part, `system_instruction.parts.${n}`),
        )),
    ...ofTools(body),
    ...contents.flatMap((content, n) => ofContent(content, `contents.${n}`)),
    ...ofTurns(contents.map(turnOf)),
  ];
}

/**
 * The rules of generateContent that a request body breaks, those of Gemini 3, in the words of its errors.
 * https://ai.google.dev/api/generate-content, gemini-cli#3814, #16543, pi#6996, openclaw#74244
 */
export const violations = (body: unknown): readonly string[] =>
  isObject(body) ? ofRequest(body) : ["the body is no JSON object"];

import { isObject } from "../../harness/json.ts";
import type { Violation } from "../../wire.ts";
import {
  type Fields,
  fieldsOf,
  listViolations,
  matches,
  noJsonObject,
  objectsIn,
} from "../shared.ts";
import { geminiTurnsViolations, toGeminiTurn } from "./turns.ts";

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

function geminiPartViolations(part: Fields, at: string): readonly Violation[] {
  const { functionCall: call, functionResponse: result, thoughtSignature: signature, text } = part;
  const data = dataKeys.filter((key) => part[key] !== undefined);
  return listViolations(
    {
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
    },
    part,
  );
}

function geminiContentViolations(content: Fields, at: string): readonly Violation[] {
  const { role, parts } = content;
  return [
    ...listViolations(
      {
        [`${at}: Please use a valid role: user, model.`]: role !== "user" && role !== "model",
        [`${at}.parts must not be empty`]: objectsIn(parts).length === 0,
      },
      content,
    ),
    ...objectsIn(parts).flatMap((part, index) =>
      geminiPartViolations(part, `${at}.parts.${index}`),
    ),
  ];
}

function geminiToolsViolations({ tools, toolConfig }: Fields): readonly Violation[] {
  const declared = objectsIn(tools).flatMap((tool) => objectsIn(tool["functionDeclarations"]));
  const names = declared.map(({ name }) => name);
  const { mode, allowedFunctionNames: allowed } = fieldsOf(
    fieldsOf(toolConfig)["functionCallingConfig"],
  );
  const wanted: readonly unknown[] = Array.isArray(allowed) ? allowed : [];
  return [
    ...listViolations(
      {
        "Function calling config is set without function_declarations.":
          mode !== undefined && names.length === 0,
        "allowed_function_names should be set only when function calling mode is ANY.":
          wanted.length > 0 && mode !== "ANY" && mode !== "VALIDATED",
        "allowed_function_names names a function that is not declared": wanted.some(
          (name) => !names.includes(name),
        ),
        "Duplicate function declaration found": new Set(names).size !== names.length,
      },
      { functionDeclarations: names, toolConfig },
    ),
    ...declared.flatMap((declaration) => {
      const { name, parameters, parametersJsonSchema: schema } = declaration;
      return listViolations(
        {
          [`the name ${String(name)} must match ${geminiNamePattern}`]: !matches(
            name,
            geminiNamePattern,
          ),
          [`${String(name)}: parameters and parameters_json_schema exclude each other`]:
            parameters !== undefined && schema !== undefined,
          [`${String(name)}: the schema must have the type object`]:
            schema !== undefined && fieldsOf(schema)["type"] !== "object",
        },
        declaration,
      );
    }),
  ];
}

function geminiRequestViolations(body: Fields): readonly Violation[] {
  const contents = objectsIn(body["contents"]);
  const { maxOutputTokens: cap, thinkingConfig } = fieldsOf(body["generationConfig"]);
  const { thinkingLevel: level, thinkingBudget: budget } = fieldsOf(thinkingConfig);
  const { systemInstruction: system } = body;
  return [
    ...listViolations(
      {
        "contents is not specified": contents.length === 0,
        "max_output_tokens must be positive":
          cap !== undefined && !(Number.isInteger(cap) && Number(cap) > 0),
        "You can only set only one of thinking budget and thinking level.":
          level !== undefined && budget !== undefined,
      },
      { generationConfig: body["generationConfig"] },
    ),
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
export const geminiViolations = (body: unknown): readonly Violation[] =>
  isObject(body) ? geminiRequestViolations(body) : noJsonObject;

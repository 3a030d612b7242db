import { isObject } from "../../harness/json.ts";
import type { Violation, Wire } from "../../wire.ts";
import {
  type Fields,
  fieldsOf,
  listDoubtful,
  listViolations,
  matches,
  noJsonObject,
  objectsIn,
  wordsIn,
} from "../shared.ts";
import { toCamelKeys } from "./spelling.ts";
import { geminiTurnsViolations, missingSignatures, toGeminiTurn } from "./turns.ts";

/** `FunctionDeclaration` of Google's SDK says so. The limit was 64 before. */
const geminiNamePattern = /^[a-zA-Z_][\w.:-]{0,127}$/;

const base64 = /^[\w+/-]+={0,2}$/;

/** https://ai.google.dev/api/caching#Part */
const dataKeys = wordsIn(`
  text inlineData fileData functionCall functionResponse executableCode codeExecutionResult
  toolCall toolResponse audioTranscription
`);

/** https://ai.google.dev/api/caching#Part, router-for-me/CLIProxyAPI#1292, openclaw/openclaw#74244 */
function refusedPart(part: Fields, at: string): readonly Violation[] {
  const { functionCall: call, functionResponse: result, thoughtSignature: signature } = part;
  const data = dataKeys.filter((key) => part[key] !== undefined);
  return listViolations(part, {
    [`${at}.data: required oneof field 'data' must have one initialized field`]:
      data.length !== 1 && signature === undefined,
    [`${at}: Invalid value at 'thought_signature' (TYPE_BYTES), Base64 decoding failed`]:
      signature !== undefined && !matches(signature, base64),
    [`${at}: the name must match ${geminiNamePattern}`]: [call, result].some(
      (one) => one !== undefined && !matches(fieldsOf(one)["name"], geminiNamePattern),
    ),
    [`${at}: the args must be an object`]:
      call !== undefined && !isObject(fieldsOf(call)["args"] ?? {}),
    [`${at}: the response must be an object`]:
      result !== undefined && !isObject(fieldsOf(result)["response"]),
  });
}

/**
 * The sentence about an empty text is Vertex AI's. It is refused beside a call, too
 * (router-for-me/CLIProxyAPI#3485), but langchain-ai/langchainjs#9987 sends it on purpose.
 */
function doubtfulPart(part: Fields, at: string): readonly Violation[] {
  const { functionCall, thoughtSignature: signature, text } = part;
  const { partialArgs, willContinue } = fieldsOf(functionCall);
  return listDoubtful(part, {
    [`${at}: Unable to submit request because it has an empty text parameter`]:
      text === "" && signature === undefined,
    [`${at}: a streamed function call in a request`]: (partialArgs ?? willContinue) !== undefined,
  });
}

const geminiPartViolations = (part: Fields, at: string): readonly Violation[] => [
  ...refusedPart(part, at),
  ...doubtfulPart(part, at),
];

/**
 * A content without a role is one of the user. Google's SDK for Python sends results as `tool`, and
 * older ones as `function`. https://github.com/googleapis/python-genai#function-calling
 */
const geminiRoles: ReadonlySet<unknown> = new Set([undefined, "user", "model", "tool", "function"]);

function geminiContentViolations(content: Fields, at: string): readonly Violation[] {
  const { role, parts } = content;
  return [
    ...listViolations(content, {
      [`${at}: Please use a valid role: user, model.`]: !geminiRoles.has(role),
      [`${at}.parts must not be empty`]: objectsIn(parts).length === 0,
    }),
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
      { functionDeclarations: names, toolConfig },
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
    ),
    ...declared.flatMap((declaration) => {
      const { name, parameters, parametersJsonSchema: schema } = declaration;
      const isNoObject = schema !== undefined && fieldsOf(schema)["type"] !== "object";
      return [
        ...listViolations(declaration, {
          [`the name ${String(name)} must match ${geminiNamePattern}`]: !matches(
            name,
            geminiNamePattern,
          ),
          [`${String(name)}: parameters and parameters_json_schema exclude each other`]:
            parameters !== undefined && schema !== undefined,
        }),
        ...listDoubtful(declaration, {
          [`${String(name)}: the schema must have the type object`]: isNoObject,
        }),
      ];
    }),
  ];
}

/** The number in the model's name, which is in the path. */
const modelVersion = (path: string | undefined): number | undefined => {
  const version = /^gemini-(\d+)/.exec(path?.split("/").at(-1) ?? "")?.[1];
  return version === undefined ? undefined : Number(version);
};

/** Gemini 3 and later. The model is in the path; without one the rules of the newest apply. */
const needsSignatures = (path: string | undefined): boolean =>
  path === undefined || (modelVersion(path) ?? 0) >= 3;

/**
 * The format of a reply. https://ai.google.dev/api/generate-content#GenerationConfig,
 * googleapis/python-genai#867
 */
function geminiFormatViolations(
  { generationConfig, tools }: Fields,
  path: string | undefined,
): readonly Violation[] {
  const { responseMimeType, responseSchema, responseJsonSchema } = fieldsOf(generationConfig);
  const declares = objectsIn(tools).some(
    ({ functionDeclarations }) => objectsIn(functionDeclarations).length > 0,
  );
  const isJson = responseMimeType === "application/json";
  const isBefore3 = (modelVersion(path) ?? 3) < 3;
  return listViolations(
    { generationConfig },
    {
      "response_mime_type is required if response_json_schema is set":
        responseJsonSchema !== undefined && responseMimeType === undefined,
      "only one of response_schema and response_json_schema may be set":
        responseSchema !== undefined && responseJsonSchema !== undefined,
      "Function calling with a response mime type: 'application/json' is unsupported":
        declares && isJson && isBefore3,
    },
  );
}

function geminiRequestViolations(body: Fields, path?: string): readonly Violation[] {
  const contents = objectsIn(body["contents"]);
  const turns = contents.map(toGeminiTurn);
  const { maxOutputTokens: cap, thinkingConfig } = fieldsOf(body["generationConfig"]);
  const { thinkingLevel: level, thinkingBudget: budget } = fieldsOf(thinkingConfig);
  const { systemInstruction: system } = body;
  return [
    ...listViolations(
      { generationConfig: body["generationConfig"] },
      {
        "contents is not specified": contents.length === 0,
        "max_output_tokens must be positive":
          cap !== undefined && !(Number.isInteger(cap) && Number(cap) > 0),
        "You can only set only one of thinking budget and thinking level.":
          level !== undefined && budget !== undefined,
      },
    ),
    ...(system === undefined
      ? []
      : objectsIn(fieldsOf(system)["parts"]).flatMap((part, index) =>
          geminiPartViolations(part, `system_instruction.parts.${index}`),
        )),
    ...geminiToolsViolations(body),
    ...geminiFormatViolations(body, path),
    ...contents.flatMap((content, index) => geminiContentViolations(content, `contents.${index}`)),
    ...geminiTurnsViolations(turns),
    ...(needsSignatures(path) ? missingSignatures(turns) : []),
  ];
}

/**
 * The rules of generateContent that a request body breaks, in either spelling of its fields. The
 * sentences are those of its errors. https://ai.google.dev/api/generate-content,
 * google-gemini/gemini-cli#3814, google-gemini/gemini-cli#16543, earendil-works/pi#6996
 */
export const geminiViolations: Wire["violations"] = (body, request) =>
  isObject(body)
    ? geminiRequestViolations(fieldsOf(toCamelKeys(body)), request?.path)
    : noJsonObject;

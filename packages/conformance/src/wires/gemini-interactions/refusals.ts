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
import { inputSteps, toStepTurns, turnViolations } from "./turns.ts";

const functionName = /^[a-zA-Z_][\w.:-]{0,127}$/;

/**
 * Members of a body and of its parts. Any other is refused: "Unknown parameter 'strict' at
 * 'tools[0]'". https://ai.google.dev/gemini-api/docs/api-errors (`parameter_unknown`),
 * https://ai.google.dev/api/interactions-api
 */
const knownMembers = {
  body: wordsIn(`
    agent agent_config background cached_content continuation_token environment
    generation_config input labels model previous_interaction_id response_format
    response_mime_type response_modalities safety_settings service_tier store stream
    system_instruction tools webhook_config
  `),
  generation_config: wordsIn(`
    image_config max_output_tokens seed speech_config stop_sequences temperature
    thinking_level thinking_summaries tool_choice top_p transcription_config
    video_config
  `),
  tool: wordsIn("type name description parameters"),
};

const unknownMembers = (
  fields: Fields,
  known: readonly string[],
  at: string,
): readonly Violation[] =>
  Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((name) => ({ message: `Unknown parameter '${name}' at '${at}'`, part: fields }));

/** A tool of the vendor has members of its own. */
function toolViolations(tool: Fields, at: string): readonly Violation[] {
  const { type, name, parameters } = tool;
  if (type !== "function")
    return listViolations(tool, { [`${at}: a tool must have a type`]: typeof type !== "string" });
  return [
    ...unknownMembers(tool, knownMembers.tool, at),
    ...listViolations(tool, {
      [`${at}: the name must match ${functionName}`]: !matches(name, functionName),
    }),
    ...listDoubtful(tool, {
      [`${at}: the schema must have the type object`]:
        parameters !== undefined && fieldsOf(parameters)["type"] !== "object",
    }),
  ];
}

function toolsViolations(tools: readonly Fields[], config: Fields): readonly Violation[] {
  const names = tools.filter(({ type }) => type === "function").map(({ name }) => name);
  const { tools: allowed } = fieldsOf(fieldsOf(config["tool_choice"])["allowed_tools"]);
  const wanted: readonly unknown[] = Array.isArray(allowed) ? allowed : [];
  return [
    ...tools.flatMap((tool, index) => toolViolations(tool, `tools[${index}]`)),
    ...listDoubtful(
      { tools },
      {
        "allowed_tools names a function that is not declared": wanted.some(
          (name) => !names.includes(name),
        ),
        "Duplicate function declaration found": new Set(names).size !== names.length,
        "tool_choice is set without tools":
          config["tool_choice"] !== undefined && tools.length === 0,
      },
    ),
  ];
}

/** The format of a reply. https://ai.google.dev/gemini-api/docs/structured-output */
const responseFormatViolations = (format: unknown): readonly Violation[] =>
  (Array.isArray(format) ? format : [format]).flatMap((one) => {
    const { type, schema, mime_type: mimeType } = fieldsOf(one);
    return listViolations(one, {
      "response_format must have a type": one !== undefined && typeof type !== "string",
      "a schema needs the mime_type application/json":
        schema !== undefined && mimeType !== "application/json",
    });
  });

/** The number in the model's name. Without one the rules of the newest apply. */
const versionOf = (model: unknown): number =>
  Number(/gemini-(\d+)/.exec(String(model))?.[1] ?? Number.POSITIVE_INFINITY);

function bodyViolations(body: Fields): readonly Violation[] {
  const { model, agent, input, tools, previous_interaction_id: previous } = body;
  const config = fieldsOf(body["generation_config"]);
  const { max_output_tokens: cap } = config;
  const turns = toStepTurns(inputSteps(input));
  return [
    ...unknownMembers(body, knownMembers.body, "request"),
    ...unknownMembers(config, knownMembers.generation_config, "generation_config"),
    ...listViolations(undefined, {
      "model or agent is required": typeof (model ?? agent) !== "string",
      "input is required": input === undefined || (Array.isArray(input) && input.length === 0),
      "max_output_tokens must be positive":
        cap !== undefined && !(Number.isInteger(cap) && Number(cap) > 0),
    }),
    ...toolsViolations(objectsIn(tools), config),
    ...responseFormatViolations(body["response_format"]),
    ...turnViolations(turns, {
      isWhole: previous === undefined || previous === null,
      needsSignatures: versionOf(model) >= 3,
    }),
  ];
}

export const interactionViolations: Wire["violations"] = (body) =>
  isObject(body) ? bodyViolations(body) : noJsonObject;

import { type Fields, isFields } from "@fullstop/core/adapter";
import { ceilingOf as ceilingOfClaude } from "@fullstop/provider-anthropic/reply";
import { ceilingOf as ceilingOfGemini } from "@fullstop/provider-google/reply";
import type { ProtocolName } from "../options.ts";

interface Caps {
  /** The members of a request that may hold the cap. */
  readonly places: readonly (readonly string[])[];
  /** The most that a model takes. `undefined` if that is not known. */
  readonly ceilingOf: (model: string) => number | undefined;
}
const unknown = (): undefined => undefined;
const geminiCeilingOf = (model: string): number | undefined =>
  /gemini/.test(model) ? ceilingOfGemini(model) : undefined;

const caps: Readonly<Record<ProtocolName, Caps>> = {
  "anthropic-messages": {
    places: [["max_tokens"]],
    ceilingOf: (model) => (/claude/.test(model) ? ceilingOfClaude(model) : undefined),
  },
  "openai-chat": { places: [["max_tokens"], ["max_completion_tokens"]], ceilingOf: unknown },
  "openai-responses": { places: [["max_output_tokens"]], ceilingOf: unknown },
  "gemini-generate-content": {
    places: ["generationConfig", "generation_config"].flatMap((config) => [
      [config, "maxOutputTokens"],
      [config, "max_output_tokens"],
    ]),
    ceilingOf: geminiCeilingOf,
  },
  "gemini-interactions": {
    places: [["generation_config", "max_output_tokens"]],
    ceilingOf: geminiCeilingOf,
  },
};

/** As the loop does. A host that takes less refuses the request, and the first reply goes out. */
const factor = 2;

/** The request with a larger cap. `undefined` if it names none that can be larger. */
export function raiseCap(
  request: Fields,
  protocol: ProtocolName,
  model: string | undefined,
): Fields | undefined {
  const { places, ceilingOf } = caps[protocol];
  const ceiling = ceilingOf(model ?? "") ?? Number.MAX_SAFE_INTEGER;
  const raised = places.reduce((fields, place) => withRaised(fields, place, ceiling), request);
  return raised === request ? undefined : raised;
}

function withRaised(
  fields: Fields,
  [name = "", ...rest]: readonly string[],
  ceiling: number,
): Fields {
  const value = fields[name];
  if (rest.length > 0) {
    if (!isFields(value)) return fields;
    const changed = withRaised(value, rest, ceiling);
    return changed === value ? fields : { ...fields, [name]: changed };
  }
  if (typeof value !== "number") return fields;
  const cap = Math.min(value * factor, ceiling);
  return cap > value ? { ...fields, [name]: cap } : fields;
}

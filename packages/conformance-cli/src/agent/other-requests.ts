import type { Answer, Received } from "@fullstop/conformance";
import type { WireForAgents } from "@fullstop/conformance/runner";

const encoder = new TextEncoder();
const answerJson = (value: unknown, status = 200): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  chunks: [encoder.encode(JSON.stringify(value))],
});

/** A request in an error message. */
export const describeRequest = ({ method, path }: Received): string => `${method} ${path}`;

export const answerNotFound = (request: Received): Answer =>
  answerJson(
    {
      error: {
        type: "not_found_error",
        message: `This server only plays a model. It has no ${describeRequest(request)}.`,
      },
    },
    404,
  );

const modelsPath = /\/models(?:\/(?<name>.+))?$/;

/** Answers a request for models in the vendor's form. `undefined` if it is another request. */
export function answerModels(
  wires: readonly WireForAgents[],
  request: Received,
): Answer | undefined {
  const found = request.method === "GET" ? modelsPath.exec(request.path) : null;
  if (found === null) return undefined;
  const known = wires.flatMap(({ agent }) => agent.models ?? []);
  const models = known.find((one) => one.isAsked(request)) ?? known[0];
  const name = found.groups?.["name"];
  if (models === undefined) return undefined;
  return answerJson(name === undefined ? models.list() : models.one(decodeURIComponent(name)));
}

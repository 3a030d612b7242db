import type { Adapter, Endpoint } from "@fullstop/core";
import { awsEventStream, defineAdapter, ndjson, parseJson, sse } from "@fullstop/core/adapter";
// @boundaries-ignore the template stands on this package, so that this one cannot depend on it
import {
  type AcmeEvent,
  createDecoder,
} from "../../../tooling/new-provider/template/src/decode.ts";
// @boundaries-ignore the template stands on this package, so that this one cannot depend on it
import { encode } from "../../../tooling/new-provider/template/src/encode.ts";
// @boundaries-ignore the template stands on this package, so that this one cannot depend on it
import { errors } from "../../../tooling/new-provider/template/src/errors.ts";
// @boundaries-ignore the template stands on this package, so that this one cannot depend on it
import { stops } from "../../../tooling/new-provider/template/src/stops.ts";
import type { AdapterSubject, Frames, FramingName, Wire } from "../src/index.ts";
import acme from "./acme.ts";

type ReadResponse = typeof sse<AcmeEvent>;

/** `{ "text": { … } }` to `{ "say": "text", … }`. */
function parseMember(data: string): AcmeEvent {
  const event = parseJson<Readonly<Record<string, unknown>>>(data);
  const { ":error-code": code, ":error-message": text, ":exception-type": exception } = event;
  if (code !== undefined) return { say: "failed", code: String(code), text: String(text) };
  if (exception !== undefined)
    return { say: "failed", code: String(exception), text: JSON.stringify(event) };
  const [[say, rest] = ["nothing", {}]] = Object.entries(event);
  return { say, ...(rest as object) } as AcmeEvent;
}
const toMember = (data: string): string => {
  const { say, ...rest } = JSON.parse(data) as Record<string, unknown>;
  return JSON.stringify({ [String(say)]: rest });
};
const toMembers = ({ upToTerminal, after }: Frames): Frames => ({
  upToTerminal: upToTerminal.map(toMember),
  ...(after && { after: after.map(toMember) }),
});

const { wire: base } = acme;
const awsWire: Wire = {
  ...base,
  frames: (reply) => toMembers(base.frames(reply)),
  ...(base.whole && { whole: (reply) => toMember(base.whole?.(reply) ?? "{}") }),
  ...(base.unclosed && {
    unclosed: (reply) => toMembers(base.unclosed?.(reply) ?? { upToTerminal: [] }),
  }),
  fixtures: (base.fixtures ?? []).map((one) => ({ ...one, frames: toMembers(one.frames) })),
  errors: [
    ...(base.errors ?? []).map((error) => ({ ...error, frame: toMember(error.frame) })),
    { frame: '{":error-code":"busy",":error-message":"Too busy."}', kind: "overloaded" },
  ],
};

const framings: Readonly<
  Record<FramingName, { readonly read: ReadResponse; readonly wire: Wire }>
> = {
  sse: { read: sse, wire: base },
  ndjson: { read: ndjson, wire: base },
  aws: {
    read: (response) => awsEventStream(response, { parse: parseMember }),
    wire: awsWire,
  },
};

/**
 * The invented provider in the AWS event stream, with a reader that takes exceptions of some types
 * for events of the same name.
 */
export const ignoringExceptions = (isIgnored: (type: unknown) => boolean): AdapterSubject =>
  framedAcme("aws", (response) =>
    awsEventStream(response, {
      parse: (data) => {
        const event = parseJson<Readonly<Record<string, unknown>>>(data);
        const { ":exception-type": type, ...rest } = event;
        return parseMember(type !== undefined && isIgnored(type) ? JSON.stringify(rest) : data);
      },
    }),
  );

/** The invented provider in another framing. */
export function framedAcme(
  framing: FramingName,
  read: ReadResponse = framings[framing].read,
): AdapterSubject {
  const { wire } = framings[framing];
  const create = ({ baseURL, fetch = globalThis.fetch }: Endpoint, stream: boolean): Adapter =>
    defineAdapter<AcmeEvent>({
      provider: "acme",
      protocol: `acme-${framing}`,
      model: "acme-large",
      stops,
      errors,
      toolInputEnd: "explicit",
      callIds: { maxLength: 40, allowed: /^[\w-]+$/ },
      outputFormat: "always",
      open: async (request, signal) =>
        read(
          await fetch(`${baseURL}/chat`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(encode(request, { model: "acme-large", stream })),
            signal,
          }),
        ),
      decoder: createDecoder,
    });
  return {
    wire: { ...wire, name: `acme-${framing}`, framing },
    adapter: (endpoint) => create(endpoint, true),
    wholeAdapter: (endpoint) => create(endpoint, false),
  };
}

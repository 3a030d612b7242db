import type { ClaimedStop } from "@fullstop/core/adapter";
import { claimedStopOf } from "../harness/check.ts";
import { tryParseJson } from "../harness/json.ts";
import type { AdapterSubject } from "../subject.ts";
import type { Wire } from "../wire.ts";
import { drain, framesOf, type LeftReading, type LeftReply, readLeft } from "./left-reply.ts";

/** What came to a guard, and what left it. */
export interface Passage {
  readonly wire: Wire;
  /** The text of the provider's reply, as far as it came. */
  readonly came: string;
  readonly left: LeftReply;
  /** What a naive client makes of a text. */
  read(text: string): LeftReading;
}

/** Keeps the text of a body while it is read. */
function recordBody(response: Response, add: (text: string) => void): Response {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const recorder = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(bytes, controller) {
      add(decoder.decode(bytes, { stream: true }));
      controller.enqueue(bytes);
    },
  });
  return new Response(response.body?.pipeThrough(recorder) ?? null, response);
}

const toResponse = ({ text, isBroken, status }: LeftReply, { headers }: Response): Response =>
  new Response(
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
      pull: (controller) =>
        isBroken ? controller.error(new TypeError("terminated")) : controller.close(),
    }),
    { status, headers },
  );

/** Changes what leaves the guard of a subject. The guard holds every reply to its end then. */
export const changeLeaving =
  (change: (passage: Passage) => Partial<LeftReply>) =>
  ({ guard = (fetch) => fetch, ...sound }: AdapterSubject): AdapterSubject => ({
    ...sound,
    guard: (fetch) => async (input, init) => {
      let came = "";
      const recorded: typeof fetch = async (...args) =>
        recordBody(await fetch(...args), (text) => {
          came += text;
        });
      const response = await guard(recorded)(input, init);
      const left = await drain(response);
      const { wire } = sound;
      const read = (text: string): LeftReading => readLeft(wire, text);
      return toResponse({ ...left, ...change({ wire, came, left, read }) }, response);
    },
  });

/** Changes the text of the replies that the guard itself wrote an end for. */
export const changeEdited = (
  change: (passage: Passage) => string,
): ((sound: AdapterSubject) => AdapterSubject) =>
  changeLeaving((passage) => {
    const { left, came } = passage;
    const isEdited = left.status < 400 && !left.isBroken && left.text !== came;
    return isEdited ? { text: change(passage) } : {};
  });

interface CameWhole {
  readonly came: string;
  /** The reply is one JSON body. */
  readonly isBody: boolean;
  /** What its native stop reason stands for. Absent if it has none. */
  readonly says: ClaimedStop | undefined;
}

/** A guard that passes a reply on as it came if it is complete and `does` says so. */
export const passIf = (does: (reply: CameWhole) => boolean): ReturnType<typeof changeLeaving> =>
  changeLeaving(({ wire, came, read }) => {
    const isBody = tryParseJson(came) !== undefined;
    const { stop, ended } = read(came);
    const says = stop === undefined ? undefined : claimedStopOf(wire, stop);
    return (isBody || ended) && does({ came, isBody, says })
      ? { text: came, status: 200, isBroken: false }
      : {};
  });

export const firstCallFrame = ({ came, read }: Passage): string =>
  framesOf(came).find((frame) => read(frame).callParts.length > 0) ?? "";

import type { FramingName } from "@fullstop/conformance";
import { EventStreamCodec } from "@smithy/core/event-streams";
import { fromUtf8, toUtf8 } from "@smithy/core/serde";

type Take = (event: unknown) => void;
/** Reads a body with the least work: it splits the frames, and parses their JSON. */
type Floor = (body: AsyncIterable<Uint8Array>, take: Take) => Promise<void>;

async function readTexts(
  body: AsyncIterable<Uint8Array>,
  separator: string,
  take: (frame: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split(separator);
    rest = frames.pop() ?? "";
    for (const frame of frames) take(frame);
  }
}

const codec = new EventStreamCodec(toUtf8, fromUtf8);

/** Splits at the length that each message begins with. The SDK's codec reads the messages. */
async function readMessages(body: AsyncIterable<Uint8Array>, take: Take): Promise<void> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of body) {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (bytes.length >= 4) {
      const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
      if (bytes.length < length) break;
      const { headers, body: payload } = codec.decode(bytes.subarray(0, length));
      take({ [String(headers[":event-type"]?.value)]: JSON.parse(toUtf8(payload)) });
      bytes = bytes.subarray(length);
    }
    rest = bytes;
  }
}

const done = "[DONE]";

/** The minimum work of any reader, for each framing. */
export const floors: Readonly<Record<FramingName, Floor>> = {
  sse: (body, take) =>
    readTexts(body, "\n\n", (frame) => {
      const data = frame.slice(frame.indexOf("data: ") + "data: ".length);
      if (data !== done) take(JSON.parse(data));
    }),
  ndjson: (body, take) => readTexts(body, "\n", (line) => take(JSON.parse(line))),
  aws: readMessages,
};

import type { ProtocolName } from "../protocols.ts";
import type { Sent } from "../subject.ts";

type Complete = (json: string) => string;

/**
 * What each vendor always sends, and the libraries refuse a reply without: the generated replies
 * leave it out. As text, so that the rest stays as it was written.
 */
const completions: Readonly<Partial<Record<ProtocolName, Complete>>> = {
  responses: (json) =>
    json.replace(/"object": ?"response",/, (found) => `${found}"created_at":1795000000,`),
  anthropic: (json) => {
    if (!/"type": ?"message(?:_delta)?"/.test(json)) return json;
    if (!json.includes('"usage"'))
      return json.replace("{", '{"usage":{"input_tokens":9,"output_tokens":9},');
    return json.includes('"input_tokens"') || json.includes('"message_delta"')
      ? json
      : json.replace(/"usage": ?\{/, (found) => `${found}"input_tokens":9,`);
  },
};

export function complete(protocol: ProtocolName, { written, ...sent }: Sent): Sent {
  const { [protocol]: completed = (json: string) => json } = completions;
  const frames = written.frames.map((frame) => ({ ...frame, data: completed(frame.data) }));
  return { ...sent, written: { ...written, frames } };
}

import type { AdapterSubject } from "@fullstop/conformance";
import { conform } from "@fullstop/conformance/vitest";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiChat } from "@fullstop/provider-openai";
import { isFull } from "@tooling/test/full";
import { places, sampled } from "@tooling/test/sample";

const subject: AdapterSubject = {
  wire: openaiChatWire,
  adapter: (endpoint) => openaiChat("gpt-5.2", { apiKey: "key", ...endpoint }),
};
conform(sampled(subject), { sample: places() });

/** The fixtures are cut only where readers break: every byte of them takes a minute. */
const { fixtures: _, nativeStops, ...bare } = openaiChatWire;
const { stop = "", length = "" } = nativeStops;
if (isFull)
  conform(
    {
      ...subject,
      wire: { ...bare, name: `${bare.name}, every byte`, nativeStops: { stop, length } },
    },
    { exhaustive: true, only: "stop.cut", sockets: false },
  );

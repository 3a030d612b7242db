import { readTurn } from "@fullstop/core";
import { parseJson } from "../harness/bytes.ts";
import type { AdapterSubject } from "../subject.ts";
import {
  adapting,
  altered,
  type Control,
  readingAs,
  receiving,
  rewriting,
  saying,
} from "./control.ts";

const isWord = (native: string): boolean => native.trim() !== "" && native !== "null";
const frameData = (frame: string): string =>
  frame
    .split("\n")
    .flatMap((line) => (line.startsWith("data:") ? [line.slice(5)] : []))
    .join("\n");

/** Decoders and readers of bytes. */
export const readingControls: readonly Control[] = [
  {
    wrong: "reads nothing behind the first word",
    caughtBy: "stop.content-after",
    subject: saying(() => () => {
      let ended = false;
      return (event) => {
        if (ended) return [];
        ended = event.type === "stop" && !event.provisional;
        return [event];
      };
    }),
  },
  {
    wrong: "loses the last event when the blank line behind it is missing",
    caughtBy: "stop.later-prefix",
    subject: rewriting((text) =>
      text.slice(
        0,
        Math.max(text.lastIndexOf("\n\n"), text.lastIndexOf("\n\r\n"), text.lastIndexOf("\r\r")) +
          2,
      ),
    ),
  },
  {
    wrong: "takes a blank word for a finished answer",
    caughtBy: "stop.no-word",
    subject: saying(({ wire }) => () => (event) => [
      event.type === "stop" && !isWord(event.native)
        ? { ...event, native: wire.nativeStops.stop ?? "" }
        : event,
    ]),
  },
  {
    wrong: "takes an unknown word for a finished answer",
    caughtBy: "stop.unknown-word",
    subject: saying(({ wire }, { stops }) => () => (event) => {
      const unknown =
        event.type === "stop" && isWord(event.native) && !Object.hasOwn(stops, event.native);
      return [unknown ? { ...event, native: wire.nativeStops.stop ?? "" } : event];
    }),
  },
  {
    wrong: "makes the ids of duplicates unique",
    caughtBy: "call.said-twice",
    subject: saying(() => () => {
      let n = 0;
      return (event) => [
        event.type === "tool-input-start" ? { ...event, id: `${event.id}_${n++}` } : event,
      ];
    }),
  },
  {
    wrong: "takes a second call without an id for the first one",
    caughtBy: "call.none-lost",
    subject: saying(() => () => {
      const nameless: unknown[] = [];
      return (event) => {
        if (event.type === "tool-input-start" && !event.id) nameless.push(event.key);
        return "key" in event && nameless.slice(1).includes(event.key) ? [] : [event];
      };
    }),
  },
  {
    wrong: "takes a short silence behind a word for the end of the stream",
    caughtBy: "stop.open-stream",
    // The protocol's terminal is no end of its own any more; the decoder still says that it is.
    subject: ({ wire: { ends: _, ...wire }, ...sound }) => ({ ...sound, wire }),
  },
  {
    wrong: "decodes characters chunk by chunk",
    caughtBy: "wire.chunks",
    subject: receiving(() => ({
      piece: (bytes) => new TextEncoder().encode(new TextDecoder().decode(bytes)),
    })),
  },
  {
    wrong: "takes a second terminal for an error",
    caughtBy: "wire.doubled-terminal",
    subject: saying(() => () => {
      let stops = 0;
      return (event) => {
        if (event.type !== "stop" || event.provisional || ++stops === 1) return [event];
        return [{ type: "error", native: "x_second_terminal", message: "A second terminal." }];
      };
    }),
  },
  {
    wrong: "knows no line end but LF",
    caughtBy: "wire.framing",
    subject: rewriting((text) => text.replaceAll(/\r(?!\n)/g, " ")),
  },
  {
    wrong: "keeps the last data line of an event only",
    caughtBy: "wire.framing",
    subject: rewriting((text) => text.replaceAll(/^data:.*\n(?=data:)/gm, "")),
  },
  {
    wrong: "skips frames that it cannot read",
    caughtBy: "wire.malformed-frame",
    subject: rewriting((text) =>
      text
        .split("\n\n")
        .filter((frame) => frame === "" || parseJson(frameData(frame)) !== undefined)
        .join("\n\n"),
    ),
  },
  {
    wrong: "refuses what its schema does not list",
    caughtBy: "wire.strangers",
    subject: adapting(({ decoder }) => ({
      decoder: (emit) => {
        const decode = decoder(emit);
        return (native) => {
          if (JSON.stringify(native).includes('"x_')) throw new Error("Unrecognized key.");
          decode(native);
        };
      },
    })),
  },
  {
    wrong: "takes in the whole body before it reads",
    caughtBy: "wire.too-large",
    subject: (sound) => ({
      ...sound,
      adapter: (endpoint) => {
        const { fetch = globalThis.fetch } = endpoint;
        return sound.adapter({
          ...endpoint,
          fetch: async (...asked) => drained(await fetch(...asked)),
        });
      },
    }),
  },
  {
    wrong: "throws a whole reply away for what became of its connection",
    caughtBy: "wire.reset",
    subject: losing,
  },
  {
    wrong: "throws a whole reply away for the silence behind it",
    caughtBy: "wire.stall",
    subject: losing,
  },
  {
    wrong: "shows text twice",
    caughtBy: "turn.preview",
    subject: (sound) => ({
      ...sound,
      read: (adapter, request, options = {}) => {
        const twice: NonNullable<typeof options.onPreview> = (event) => {
          options.onPreview?.(event);
          options.onPreview?.(event);
        };
        return (sound.read ?? readTurn)(adapter, request, { ...options, onPreview: twice });
      },
    }),
  },
  {
    wrong: "adds up usage that is cumulative",
    caughtBy: "turn.usage",
    subject: saying(() => () => {
      let output = 0;
      return (event) => {
        if (event.type !== "usage" || event.usage.output === undefined) return [event];
        output += event.usage.output + 1;
        return [{ ...event, usage: { ...event.usage, output } }];
      };
    }),
  },
  {
    wrong: "does not hear errors inside a reply",
    caughtBy: "error.in-band",
    subject: saying(() => () => (event) => (event.type === "error" ? [] : [event])),
  },
  {
    wrong: "forgets how long to wait",
    caughtBy: "error.retry-after",
    subject: readingAs((turn) =>
      "error" in turn
        ? altered(turn, {
            error: { ...turn.error, retryAfterMs: undefined, message: turn.error.message },
          })
        : turn,
    ),
  },
  {
    wrong: "calls every failure a network error",
    caughtBy: "error.status",
    subject: readingAs((turn) =>
      "error" in turn
        ? altered(turn, {
            stopReason: "interrupted",
            error: { ...turn.error, kind: "network", message: "" },
          })
        : turn,
    ),
  },
  {
    wrong: "throws when the provider cannot be reached",
    caughtBy: "error.unreachable",
    subject: readingAs((turn) => {
      if ("error" in turn && turn.error.kind === "network") throw turn.error;
      return turn;
    }),
  },
];

const drained = async (response: Response): Promise<Response> =>
  new Response(await response.arrayBuffer(), response);

/** Ends every reply as interrupted whose body did not end by itself. */
function losing(sound: AdapterSubject): AdapterSubject {
  let lost = false;
  const noticing = adapting(({ open }) => ({
    open: async (request, signal) => {
      const batches = await open(request, signal);
      return {
        async *[Symbol.asyncIterator]() {
          lost = true;
          yield* batches;
          lost = false;
        },
      };
    },
  }));
  return readingAs((turn) =>
    lost ? altered(turn, { stopReason: "interrupted", calls: [] }) : turn,
  )(noticing(sound));
}

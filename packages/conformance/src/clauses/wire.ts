import type { ClauseTable } from "../clause.ts";
import { dataOfMessage } from "../framing/aws.ts";
import type { Bytes } from "../framing/framing.ts";
import { framingOf } from "../framing/index.ts";
import {
  chunks,
  type Effort,
  eventPositions,
  pieceSize,
  type Rendered,
  render,
  waysFor,
} from "../harness/bytes.ts";
import { type Check, exchangeOf, outline } from "../harness/check.ts";
import { checkReply, type Harness } from "../harness/harness.ts";
import { addUnknownFields, insertFrame } from "../harness/mutate.ts";
import { callShapes, repliesFor } from "../harness/scenarios.ts";
import type { Fixture } from "../wire.ts";
import {
  changeAdapter,
  changeAwsMessages,
  changeBodies,
  changeBytes,
  changeEvents,
} from "./mutants.ts";

/** Ways to split a reply. The chunks of a network have nothing to do with its frames. */
const splits: Readonly<Record<string, (rendered: Rendered, effort: Effort) => Iterable<Bytes>>> = {
  "in pieces of 1 byte": ({ bytes }, effort) => chunks(bytes, pieceSize(bytes, 1, effort)),
  "in pieces of 7 bytes": ({ bytes }, effort) => chunks(bytes, pieceSize(bytes, 7, effort)),
  "frame by frame with empty chunks between": ({ bytes, edges }) =>
    edges.slice(1).flatMap((end, index) => {
      const frame = bytes.subarray(edges[index], end);
      return [frame, frame.subarray(0, 0)];
    }),
};

async function* checkChunks(harness: Harness): AsyncGenerator<Check> {
  for (const [number, { name, frames, turn }] of harness.exchanges.entries()) {
    const rendered = render(harness.wire, frames);
    for (const [how, split] of waysFor(Object.entries(splits), number, harness))
      yield checkReply(
        harness,
        `${name}, ${how}`,
        { chunks: split(rendered, harness) },
        { expected: outline(turn), shown: rendered.bytes },
      );
  }
}

async function* checkStyles(harness: Harness): AsyncGenerator<Check> {
  const styles = Object.entries(framingOf(harness.wire).styles);
  for (const [number, { name, frames, turn }] of harness.exchanges.entries()) {
    const expected = outline(turn);
    const tried = waysFor(styles, number, harness);
    for (const [position, [styleName, style]] of tried.entries()) {
      const { bytes } = render(harness.wire, frames, style);
      const at = `${name}, ${styleName}`;
      yield checkReply(harness, at, bytes, expected);
      // Each exchange is also read byte by byte, in one of the styles; in a small sample every third.
      const isOther = number % (tried.length === styles.length ? styles.length : 3) !== position;
      if (isOther) continue;
      const size = pieceSize(bytes, 1, harness);
      const sent = { chunks: chunks(bytes, size) };
      yield checkReply(harness, `${at}, in pieces of ${size} bytes`, sent, {
        expected,
        shown: bytes,
      });
    }
  }
}

async function* checkRepeatedTerminals(harness: Harness): AsyncGenerator<Check> {
  const { foreignEnds } = framingOf(harness.wire);
  for (const [number, exchange] of harness.exchanges.entries()) {
    const { name, frames, turn, contentInTerminal } = exchange;
    const terminal = frames.upToTerminal.at(-1);
    if (terminal === undefined) continue;
    const copies = contentInTerminal ? [] : [[terminal], [terminal, terminal]];
    const ends = [...copies, ...foreignEnds.map((end) => [end])];
    for (const more of waysFor(ends, number, harness)) {
      const sent = { ...frames, after: [...more, ...(frames.after ?? [])] };
      yield checkReply(harness, `${name}, and ${more.join(", ")} after it`, sent, outline(turn));
    }
  }
}

const unknownEvents = ['{"type":"x_new_event","x_field":{"a":[1,2]}}', '{"x_new":true}', "{}"];

async function* checkUnknownContent(harness: Harness): AsyncGenerator<Check> {
  const { wire } = harness;
  for (const { name, frames, turn } of harness.exchanges) {
    const at = `${name}, an unknown field in every event`;
    yield checkReply(harness, at, addUnknownFields(frames), outline(turn));
  }
  for (const [number, reply] of repliesFor(wire, callShapes).entries()) {
    const events = waysFor(unknownEvents, number, harness);
    yield* checkUnknownEvents(harness, exchangeOf(wire, reply), events);
  }
}

/** The reply, with an unknown event at each position in turn. */
export async function* checkUnknownEvents(
  harness: Harness,
  { name, frames, turn }: Fixture,
  events: readonly string[] = unknownEvents,
): AsyncGenerator<Check> {
  const rendered = render(harness.wire, { upToTerminal: frames.upToTerminal });
  const positions = eventPositions(rendered, harness).filter((at) => at > 0);
  for (const event of events)
    for (const at of positions) {
      const sent = insertFrame(frames, at, event);
      yield checkReply(harness, `${name}, ${event} as event ${at}`, sent, outline(turn));
    }
}

const eventStreamUrl = "https://html.spec.whatwg.org/multipage/server-sent-events.html";

/** Clauses about the ways to write the same reply. */
export const wireClauses: ClauseTable = {
  "wire.chunks": {
    rule: "A reply reads the same however the network splits its bytes, also in the middle of a character.",
    references: {
      [eventStreamUrl]: "the stream is decoded as one; a split character becomes U+FFFD in a path",
    },
    adapter: { check: checkChunks },
    mutants: {
      "decodes characters chunk by chunk": changeBytes(() => ({
        piece: (bytes) => new TextEncoder().encode(new TextDecoder().decode(bytes)),
      })),
    },
  },
  "wire.framing": {
    rule: "Every legal way to write the same events reads the same. Of server-sent events: line ends, comments, several data lines, no event names. Of NDJSON: blank lines and white space. Of the AWS event stream: the order of headers, and other headers of every type.",
    references: [
      { url: eventStreamUrl },
      { url: "https://github.com/ndjson/ndjson-spec" },
      { url: "https://smithy.io/2.0/aws/amazon-eventstream.html" },
      {
        url: "https://www.npmjs.com/package/@anthropic-ai/sdk",
        note: "it reads nothing of a stream without event names",
      },
    ],
    adapter: { check: checkStyles },
    mutants: {
      "accepts no line end but LF": {
        framing: "sse",
        subject: changeBodies((text) => text.replaceAll(/\r(?!\n)/g, " ")),
      },
      "keeps only the last data line of an event": {
        framing: "sse",
        subject: changeBodies((text) => text.replaceAll(/^data:.*\n(?=data:)/gm, "")),
      },
      "takes a blank line for the end of the reply": {
        framing: "ndjson",
        subject: changeBodies((text) => text.replace(/^\r?\n[\s\S]*/m, "")),
      },
      "takes the first header for the type of the event": {
        framing: "aws",
        subject: changeAwsMessages((message) => [
          message.names[0]?.endsWith("-type") && message.names[0] !== ":message-type"
            ? dataOfMessage(message)
            : '{"x_unknown":{}}',
        ]),
      },
    },
  },
  "wire.doubled-terminal": {
    rule: "A terminal that is sent twice, or with the terminal of another protocol after it, ends the reply once.",
    references: {
      "router-for-me/CLIProxyAPI#5651": "a gateway sends its own terminal beside the provider's",
    },
    adapter: { check: checkRepeatedTerminals },
    mutants: {
      "takes a second terminal for an error": changeEvents(() => () => {
        let stops = 0;
        return (event) => {
          if (event.type !== "stop" || event.provisional || ++stops === 1) return [event];
          return [{ type: "error", native: "x_second_terminal", message: "A second terminal." }];
        };
      }),
    },
  },
  "wire.strangers": {
    rule: "Unknown events and fields change nothing, at any position.",
    references: {
      "https://platform.claude.com/docs/en/build-with-claude/streaming":
        "new event types may be added, handle unknown ones gracefully",
    },
    adapter: { check: checkUnknownContent },
    mutants: {
      "refuses what its schema does not list": changeAdapter(({ decoder }) => ({
        decoder: (emit) => {
          const decode = decoder(emit);
          return (native) => {
            if (JSON.stringify(native).includes('"x_')) throw new Error("Unrecognized key.");
            decode(native);
          };
        },
      })),
    },
  },
};

import { type Adapter, type Endpoint, readTurn, type Turn, type TurnRequest } from "@fullstop/core";
import type { Emit, TurnEvent } from "@fullstop/core/adapter";
import type { AdapterSubject, Subject } from "../subject.ts";

/** A subject that is broken in one way, and the clause that must see it. */
export interface Control<Broken extends Subject = AdapterSubject> {
  /** What it does wrong, as systems in the field do. */
  readonly wrong: string;
  /** The clause that catches it. */
  readonly caughtBy: string;
  subject(sound: AdapterSubject): Broken;
}

/** A turn that no gate would give out. */
export const altered = (turn: Turn, changes: Readonly<Record<string, unknown>>): Turn =>
  ({ ...turn, ...changes }) as unknown as Turn;

/** The subject, with what it reads changed afterwards. */
export const readingAs =
  (change: (turn: Turn, sound: AdapterSubject) => Turn) =>
  (sound: AdapterSubject): AdapterSubject => ({
    ...sound,
    read: async (...asked) => change(await (sound.read ?? readTurn)(...asked), sound),
  });

/** The subject, with a member of its adapter changed. */
export const adapting =
  (change: (adapter: Adapter, sound: AdapterSubject) => Partial<Adapter>) =>
  (sound: AdapterSubject): AdapterSubject => ({
    ...sound,
    adapter: (endpoint: Endpoint) => {
      const adapter = sound.adapter(endpoint);
      return { ...adapter, ...change(adapter, sound) };
    },
  });

/** The subject, with what its decoder says changed: each event of a reply to those said instead. */
export const saying = (
  change: (
    sound: AdapterSubject,
    adapter: Adapter,
  ) => () => (event: TurnEvent) => readonly TurnEvent[],
): Control["subject"] =>
  adapting((adapter, sound) => ({
    decoder: (emit: Emit) => {
      const instead = change(sound, adapter)();
      return adapter.decoder((event) => {
        for (const other of instead(event)) emit(other);
      });
    },
  }));

/** The subject, with its requests changed before they are encoded. */
export const asking = (change: (request: TurnRequest) => TurnRequest): Control["subject"] =>
  adapting((adapter) => ({ open: (request, signal) => adapter.open(change(request), signal) }));

type Bytes = Uint8Array<ArrayBuffer>;
/** The subject behind a transport that changes the bytes. `flush` gives what is left at the end. */
export const receiving =
  (change: () => { piece(bytes: Bytes): Bytes; flush?(): Bytes }) =>
  (sound: AdapterSubject): AdapterSubject => ({
    ...sound,
    adapter: (endpoint) => {
      const { fetch = globalThis.fetch } = endpoint;
      const through: typeof fetch = async (...asked) => {
        const response = await fetch(...asked);
        const { piece, flush } = change();
        const transform = new TransformStream<Bytes, Bytes>({
          transform: (bytes, out) => out.enqueue(piece(bytes)),
          flush: (out) => (flush === undefined ? undefined : out.enqueue(flush())),
        });
        return new Response(
          (response.body as ReadableStream<Bytes> | null)?.pipeThrough(transform) ?? null,
          response,
        );
      };
      return sound.adapter({ ...endpoint, fetch: through });
    },
  });

/** The subject behind a transport that changes the text of whole bodies. */
export const rewriting = (change: (text: string) => string): Control["subject"] =>
  receiving(() => {
    const decoder = new TextDecoder();
    let text = "";
    return {
      piece: (bytes) => {
        text += decoder.decode(bytes, { stream: true });
        return new Uint8Array(0);
      },
      flush: () => new TextEncoder().encode(change(text + decoder.decode())),
    };
  });

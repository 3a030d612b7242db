import type { Emit } from "@fullstop/core/adapter";
import type { AcmeStop } from "./stops.ts";

/** The events of the API. https://docs.acme.example/events */
export type AcmeEvent =
  | AcmePart
  | AcmeEnd
  | { readonly say: "failed"; readonly code: string; readonly text: string }
  /** A reply in one piece. */
  | (Omit<AcmeEnd, "say"> & { readonly say: "reply"; readonly parts: readonly AcmePart[] });

/** A part of a reply. */
type AcmePart =
  | { readonly say: "text"; readonly text: string }
  | { readonly say: "tool"; readonly n: number; readonly id: string; readonly name: string }
  | { readonly say: "input"; readonly n: number; readonly json: string }
  | { readonly say: "tool_done"; readonly n: number }
  | AcmeMemo;

/** How a reply ends. Absent members are not guessed. */
interface AcmeEnd {
  readonly say: "end";
  readonly why?: AcmeStop;
  readonly tokens?: { readonly in: number; readonly out: number };
}

/** A block that only the API understands. The next request must return it. */
export interface AcmeMemo {
  readonly say: "memo";
  readonly id: string;
}

/** Decodes one reply. It passes on native values without interpreting them, and ignores unknown events. */
export const createDecoder = (emit: Emit): ((event: AcmeEvent) => void) => {
  const end = ({ why, tokens }: Omit<AcmeEnd, "say">): void => {
    if (tokens !== undefined)
      emit({ type: "usage", usage: { input: tokens.in, output: tokens.out } });
    if (why !== undefined) emit({ type: "stop", native: why, provisional: false });
  };
  const decode = (event: AcmeEvent): void => {
    switch (event.say) {
      case "text":
        return emit({ type: "text", text: event.text });
      case "tool":
        return emit({ type: "tool-input-start", key: event.n, id: event.id, name: event.name });
      case "input":
        return emit({ type: "tool-input-delta", key: event.n, text: event.json });
      case "tool_done":
        return emit({ type: "tool-input-end", key: event.n });
      case "memo":
        return emit({ type: "native", data: event });
      case "failed":
        return emit({ type: "error", native: event.code, message: event.text });
      case "end":
        return end(event);
      case "reply":
        for (const part of event.parts) decode(part);
        return end(event);
    }
  };
  return decode;
};

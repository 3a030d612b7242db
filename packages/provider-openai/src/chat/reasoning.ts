import type { Emit } from "@fullstop/core/adapter";
import type { Delta } from "./events.ts";
import type { ReasoningField } from "./quirks.ts";

type Fields = Readonly<Record<string, unknown>>;
/** What the history keeps of reasoning that its host wants back: the field that its text goes into, or the details as they came. */
export type ReasoningSeal =
  | { readonly field: "reasoning_content" }
  | { readonly reasoning_details: readonly Fields[] };

/** The reasoning of one choice. */
export interface Reasoning {
  take(delta: Delta): void;
  /** Something else begins: what came so far is sealed, if the host wants it back. */
  close(): void;
  /** Details that came behind all else. */
  rest(): readonly Fields[];
}

export function createReasoning(emit: Emit, wanted: ReasoningField | undefined): Reasoning {
  let open = false;
  let details: Fields[] = [];
  const rest = (): readonly Fields[] => {
    const left = details;
    details = [];
    return left;
  };
  return {
    take(delta) {
      if (wanted === "reasoning_details")
        for (const detail of fieldsIn(delta.reasoning_details)) addDetail(details, detail);
      const text = textOf(delta);
      if (text === "") return;
      open = true;
      emit({ type: "thinking", text });
    },
    close() {
      if (details.length > 0) {
        if (!open) emit({ type: "thinking", text: "" });
        emit({
          type: "provider-data",
          data: { reasoning_details: rest() } satisfies ReasoningSeal,
        });
      } else if (open && wanted === "reasoning_content")
        emit({ type: "provider-data", data: { field: wanted } satisfies ReasoningSeal });
      open = false;
    },
    rest,
  };
}

/** Hosts that send several of the fields say the same in each. */
function textOf({
  reasoning_content,
  reasoning,
  reasoning_text,
  reasoning_details,
}: Delta): string {
  if (isText(reasoning_content)) return reasoning_content;
  if (isText(reasoning)) return reasoning;
  if (isText(reasoning_text)) return reasoning_text;
  if (!reasoning_details) return "";
  const texts = fieldsIn(reasoning_details).map(({ text, summary }) => text ?? summary);
  return texts.filter((text) => typeof text === "string").join("");
}
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const fieldsIn = (list: unknown): readonly Fields[] =>
  Array.isArray(list) ? list.filter((item) => typeof item === "object" && item !== null) : [];

/** Pieces of one detail share its index and type; texts grow, everything else is said once. https://openrouter.ai/docs/use-cases/reasoning-tokens */
function addDetail(details: Fields[], detail: Fields): void {
  const last = details.at(-1);
  const isSame =
    last !== undefined &&
    detail["index"] !== undefined &&
    last["index"] === detail["index"] &&
    last["type"] === detail["type"];
  if (!isSame) {
    details.push(detail);
    return;
  }
  const said = Object.fromEntries(
    Object.entries(detail).filter(([, value]) => value !== null && value !== undefined),
  );
  const grown = Object.fromEntries(
    ["text", "summary", "data"].flatMap((key) => {
      const [before, more] = [last[key], said[key]];
      return typeof before === "string" && typeof more === "string" ? [[key, before + more]] : [];
    }),
  );
  details[details.length - 1] = { ...last, ...said, ...grown };
}

import type { VNode } from "preact";
import type { PageState, Scene } from "../page/state.ts";
import type { Edits } from "../reply/edits.ts";
import { knownStops } from "../reply/protocols.ts";

interface ControlsProps {
  readonly state: PageState;
  readonly scene: Scene;
  readonly change: (part: Partial<PageState>) => void;
}

const flags = {
  dropEnd: "Drop the end",
  repeat: "Send the first call twice",
  second: "Add a second reply",
} as const satisfies Partial<Record<keyof Edits, string>>;
const flagNames = Object.keys(flags) as readonly (keyof typeof flags)[];

/** Changes of the reply, besides the cut. */
export function Controls({ state, scene, change }: ControlsProps): VNode {
  const { edits } = state;
  const edit = (part: Partial<Edits>): void =>
    change({ edits: { ...edits, ...part }, cut: undefined });
  const isChanged = Object.values(edits).some((value) => value !== undefined);
  return (
    <fieldset class="controls">
      <legend class="sr">Change the reply</legend>
      <label>
        <span>Stop reason</span>
        <input
          type="text"
          list="stops"
          value={edits.stop ?? ""}
          placeholder="as it came"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => edit({ stop: event.currentTarget.value || undefined })}
        />
        <datalist id="stops">
          {knownStops(scene.protocol).map((stop) => (
            <option key={stop} value={stop} />
          ))}
        </datalist>
      </label>
      <NumberField
        label="Usage, in output tokens"
        value={edits.usage}
        placeholder="as it came"
        min={0}
        set={(usage) => edit({ usage })}
      />
      <NumberField
        label="Output cap"
        value={state.cap}
        placeholder={
          scene.known?.maxTokens === undefined ? "not known" : String(scene.known.maxTokens)
        }
        min={1}
        set={(cap) => change({ cap })}
      />
      <div class="flags">
        {flagNames.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={edits[name] ?? false}
              onChange={(event) => edit({ [name]: event.currentTarget.checked ? true : undefined })}
            />
            <span>{flags[name]}</span>
          </label>
        ))}
      </div>
      <button
        type="button"
        class="quiet"
        disabled={!isChanged && state.cap === undefined}
        onClick={() => change({ edits: {}, cap: undefined, cut: undefined })}
      >
        Undo the changes
      </button>
    </fieldset>
  );
}

interface NumberProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly placeholder: string;
  readonly min: number;
  readonly set: (value: number | undefined) => void;
}
function NumberField({ label, value, placeholder, min, set }: NumberProps): VNode {
  const take = (text: string): void => {
    const number = Math.floor(Number(text));
    set(text === "" || !Number.isSafeInteger(number) || number < min ? undefined : number);
  };
  return (
    <label>
      <span>{label}</span>
      <input
        type="number"
        inputmode="numeric"
        min={min}
        value={value ?? ""}
        placeholder={placeholder}
        onInput={(event) => take(event.currentTarget.value)}
      />
    </label>
  );
}

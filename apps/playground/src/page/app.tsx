import { ThemeSwitch } from "@fullstop/inspect/page-parts";
import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { PageContent } from "../corpus.ts";
import { Choose } from "../parts/choose.tsx";
import { Controls } from "../parts/controls.tsx";
import { Results } from "../parts/results.tsx";
import { Tape } from "../parts/tape.tsx";
import { fromHash, toHash } from "./link.ts";
import { presetsOf } from "./presets.ts";
import { cutOf, type PageState, sceneOf } from "./state.ts";
import { useReading, useSurvey } from "./use-reading.ts";

interface AppProps {
  readonly content: PageContent;
  readonly first: PageState;
}

/** The page: a reply, a slider that cuts it, and what would run. */
export function App({ content, first }: AppProps): VNode {
  const [state, setState] = useLinkedState(content, first);
  const { reply, pasted, cap, edits } = state;
  const scene = useMemo(() => sceneOf(content, state), [content, reply, pasted, cap, edits]);
  const cut = cutOf(state, scene);
  const reading = useReading(scene, cut);
  const found = useSurvey(scene);
  const change = (part: Partial<PageState>): void => setState({ ...state, ...part });
  return (
    <>
      <header class="top">
        <span class="brand">
          fullstop
          <i aria-hidden="true" />
        </span>
        <h1>Playground</h1>
        <ThemeSwitch />
      </header>
      <main>
        <Lead content={content} />
        <Choose content={content} state={state} scene={scene} setState={setState} />
        <Controls state={state} scene={scene} change={change} />
        <Tape
          scene={scene}
          cut={cut}
          reading={reading}
          found={found}
          setCut={(next) => change({ cut: next >= scene.whole.bytes.length ? undefined : next })}
        />
        {reading !== undefined && <Results reading={reading} content={content} />}
      </main>
      <footer>
        <p>
          The page runs the readers and the gate of Fullstop as they are in its packages. It loads
          nothing, and sends nothing. The address holds everything that you set, also a reply that
          you paste.
        </p>
      </footer>
    </>
  );
}

function Lead({ content }: { readonly content: PageContent }): VNode {
  return (
    <div class="lead-block">
      <p class="lead-line">
        Cut a model’s reply at any byte, and see which of its tool calls would run.
      </p>
      <nav class="presets" aria-label="Examples">
        <span aria-hidden="true">Try</span>
        {presetsOf(content).map(({ label, hash }) => (
          <a key={hash} href={hash}>
            {label}
          </a>
        ))}
      </nav>
    </div>
  );
}

/** The state and the address follow each other. */
function useLinkedState(
  content: PageContent,
  first: PageState,
): readonly [PageState, (state: PageState) => void] {
  const [state, setState] = useState(first);
  useEffect(() => {
    const follow = ({ newURL }: HashChangeEvent): void => {
      // The page may have written the address of the state before in the meantime.
      void fromHash(new URL(newURL).hash, content.replies[0]?.id ?? "").then(setState);
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [content]);
  useEffect(() => {
    // Browsers limit how often an address may change.
    const timer = setTimeout(async () => {
      const hash = await toHash(state);
      if (hash !== location.hash) history.replaceState(null, "", hash);
    }, 150);
    return () => clearTimeout(timer);
  }, [state]);
  return [state, setState];
}

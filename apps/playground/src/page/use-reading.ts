import type { ReplyView } from "@fullstop/inspect/view";
import { useEffect, useState } from "preact/hooks";
import {
  type ArrivedInput,
  callsOf,
  inputsOf,
  type LoopName,
  type RunCall,
} from "../reply/loops.ts";
import { type Judged, readReply } from "../reply/read-reply.ts";
import { type Runs, survey } from "../reply/survey.ts";
import { replyView } from "./reply-view.ts";
import type { Scene } from "./state.ts";

/** What the page shows of the bytes up to the cut. */
export interface Reading {
  readonly scene: Scene;
  readonly cut: number;
  readonly judged: Judged;
  readonly inputs: readonly ArrivedInput[];
  readonly calls: Readonly<Record<LoopName, readonly RunCall[]>>;
  readonly reply: ReplyView;
}

async function readUpTo(scene: Scene, cut: number): Promise<Reading> {
  const bytes = scene.whole.bytes.subarray(0, cut);
  const judged = await readReply({ ...scene.whole, bytes });
  return {
    scene,
    cut,
    judged,
    inputs: inputsOf(judged.previews),
    calls: callsOf(judged, scene.protocol),
    reply: replyView(judged, scene),
  };
}

/** The reading of the newest cut. Until it is there, the one before it stays. */
export function useReading(scene: Scene, cut: number): Reading | undefined {
  const [reading, setReading] = useState<Reading>();
  useEffect(() => {
    let isCurrent = true;
    void readUpTo(scene, cut).then((next) => isCurrent && setReading(next));
    return () => {
      isCurrent = false;
    };
  }, [scene, cut]);
  return reading;
}

/** What the four would run after each byte. Undefined until that is known. */
export function useSurvey(scene: Scene): ReadonlyMap<number, Runs> | undefined {
  const [found, setFound] = useState<{ scene: Scene; runs: ReadonlyMap<number, Runs> }>();
  useEffect(() => {
    const controller = new AbortController();
    void survey(scene.whole, controller.signal).then(
      (runs) => runs !== undefined && setFound({ scene, runs }),
    );
    return () => controller.abort();
  }, [scene]);
  return found?.scene === scene ? found.runs : undefined;
}

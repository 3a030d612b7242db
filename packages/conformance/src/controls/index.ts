import type { Subject } from "../subject.ts";
import type { Control } from "./control.ts";
import { gateControls } from "./gate.ts";
import { readingControls } from "./reading.ts";
import { requestControls } from "./requesting.ts";
import { runningControls } from "./running.ts";

export type { Control } from "./control.ts";

/** Subjects that are broken on purpose: each clause has one that it must catch. */
export const adapterControls: readonly Control[] = [
  ...gateControls,
  ...readingControls,
  ...requestControls,
];
/** These, and loops. */
export const controls: readonly Control<Subject>[] = [...adapterControls, ...runningControls];

import type { Outcome, RunEvent } from "@fullstop/loop";
import type { ProviderName } from "./providers.ts";
import type { Asked } from "./server.ts";
import type { Verdict } from "./verdict.ts";

type TurnEvent = Extract<RunEvent, { readonly type: "turn" }>;

/** What the demo tells, in order. */
export type DemoEvent =
  /** `adapter`: its factory, protocol and SDK in words. */
  | {
      readonly type: "start";
      readonly folder: string;
      readonly provider: ProviderName;
      readonly adapter: string;
      readonly url: string;
      readonly replies: number;
    }
  | { readonly type: "prompt"; readonly text: string }
  | ({ readonly type: "request" } & Asked)
  | Exclude<RunEvent, TurnEvent>
  /** `person`: the gate's reasons in words. */
  | (TurnEvent & { readonly reply: number; readonly cap: number; readonly person: string })
  | {
      readonly type: "outcome";
      readonly status: Outcome["status"];
      readonly summary: string;
      readonly text: string;
    }
  | { readonly type: "file"; readonly path: string; readonly content: string }
  | ({ readonly type: "verdict"; readonly seconds: number } & Verdict)
  | { readonly type: "end"; readonly folder: string; readonly kept: boolean };

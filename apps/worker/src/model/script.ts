import { type Exchange, scriptedRuns } from "fullstop/demo";

const [buildPage, removeKey] = scriptedRuns;

/** What the customer asks for: the task of `pnpm demo`, and to publish the page. */
export const prompt: string = `${buildPage?.prompt} Then publish it.`;

/** The demo filters a reply that has a key. Its run ends there; this one writes no key. */
const building = (buildPage?.exchanges ?? []).filter(({ fault }) => fault?.kind !== "filtered");
const config = removeKey?.exchanges[0]?.inputs ?? [];

/** The requests that the model expects, and its replies: cut, dropped and relabelled ones too. */
export const exchanges: readonly Exchange[] = [
  ...building,
  { cap: 400, text: "Last, what the oven display reads.", inputs: config },
  {
    cap: 400,
    text: "The page is ready. I publish it.",
    inputs: [
      { name: "publish", input: { announcement: "The bakery has a page: what is in the oven." } },
    ],
  },
  { cap: 400, text: "The page of the bakery is online." },
];

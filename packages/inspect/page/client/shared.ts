/** The parts that other pages of this repository show too. They are not published. */
export { byteLength, formatBytes, formatCount, formatMany } from "./format.ts";
export { GateList } from "./gate-list.tsx";
export { Headline } from "./headline.tsx";
export { oneLine } from "./marks.ts";
export { Badge, Card, CopyButton, Fact, Fold, Sign } from "./parts.tsx";
export { diffRepair } from "./repair-diff.ts";
export { SaveFixture } from "./save-fixture.tsx";
export { ThemeSwitch } from "./theme.tsx";
export { UsageBar } from "./usage-bar.tsx";
export { Marked, Verbatim } from "./verbatim.tsx";
export { decisiveRule, replyStatus, ruleWords, type Status } from "./words.ts";

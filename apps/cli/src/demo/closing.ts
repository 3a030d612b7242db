import type { DemoEvent } from "./event.ts";
import type { Paper } from "./paper.ts";
import { fit } from "./paper.ts";
import { steps } from "./script.ts";
import type { HeldBack } from "./verdict.ts";

type Event<Type extends DemoEvent["type"]> = Extract<DemoEvent, { readonly type: Type }>;

/** A file that is left, with the line of it where a reply broke. */
export function showFile({ path, content }: Event<"file">, paper: Paper): void {
  const size = `${Buffer.byteLength(content).toLocaleString("en")} bytes`;
  const head = `  ${path.padEnd(11)} ${size.padStart(11)}   `;
  paper.line(head + paper.paint("dim", fit(tellingLine(path, content), paper.width - head.length)));
}

function tellingLine(path: string, content: string): string {
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  const broken = steps.flatMap(({ accident, inputs = [] }) =>
    accident !== undefined &&
    "upTo" in accident &&
    inputs.some(({ input }) => input["path"] === path)
      ? [accident.upTo.trim()]
      : [],
  );
  return (
    lines.find((line) => broken.some((upTo) => line.includes(upTo))) ??
    lines.at(-1) ??
    ""
  ).trim();
}

export function showVerdict(
  { ok, checks, heldBack, replies, ran, seconds }: Event<"verdict">,
  paper: Paper,
): void {
  paper.line();
  paper.rule("held back");
  for (const one of heldBack) {
    paper.line(heldBackLine(one, paper));
    if (one.otherwise !== undefined)
      paper.line(paper.paint("dim", `      complete JSON: whoever runs it ${one.otherwise}`));
  }
  paper.line();
  paper.rule("checked on the disk, in the tools and at the server");
  for (const { sentence, findings } of checks) {
    const right = findings.length === 0;
    paper.line(
      `  ${right ? paper.paint("green", "✔") : paper.paint("red", "✖ not so:")} ${sentence}`,
    );
    for (const finding of findings) paper.entry("", finding, "red");
  }
  paper.line();
  paper.line(
    ok
      ? paper.paint("green", "✔ Nothing ran that must not, and the task is finished.")
      : paper.paint("red", "✖ Broken: see above."),
  );
  paper.line(
    paper.paint(
      "dim",
      `  ${replies} replies, ${ran} calls ran, ${heldBack.length} replies held back, ${seconds.toFixed(1)} s`,
    ),
  );
}

function heldBackLine({ reply, input, stopReason, why, story }: HeldBack, paper: Paper): string {
  const head = `  #${String(reply).padEnd(2)} ${input.padEnd(16)} `;
  const reason = `${stopReason}: ${why}`;
  return `${head}${paper.paint("red", reason.padEnd(27))} ${paper.paint("yellow", story)}`;
}

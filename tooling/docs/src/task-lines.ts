import { textTable } from "./markdown.ts";

/** One task in both libraries, in lines of code. */
export interface TaskLines {
  readonly task: string;
  readonly theirs: number;
  readonly ours: number;
}

/** Lines without imports, comments and blank lines. */
export const countLines = (code: string): number =>
  code
    .replaceAll(/^import [\s\S]*?;\n/gm, "")
    .split("\n")
    .filter((line) => !/^\s*(?:$|\/\/|\/\*\*|\*)/.test(line)).length;

/** The sections of a page that have a block of `library` and one of Fullstop. */
export function taskLinesOf(page: string, library: string): readonly TaskLines[] {
  return page.split(/^### /m).flatMap((section) => {
    const blocks = [...section.matchAll(/^```(.+)\n([\s\S]*?)^```/gm)];
    const codeOf = (fence: string): string | undefined =>
      blocks.find(([, word]) => word === fence)?.[2];
    const [theirs, ours] = [codeOf(`ts ${library}`), codeOf("typescript")];
    if (theirs === undefined || ours === undefined) return [];
    const [task = ""] = section.split("\n");
    return [{ task, theirs: countLines(theirs), ours: countLines(ours) }];
  });
}

export function taskLinesTable(tasks: readonly TaskLines[], name: string): string {
  const notLonger = tasks.filter(({ theirs, ours }) => ours <= theirs).length;
  const rows = tasks.map(({ task, theirs, ours }) => [task, String(theirs), String(ours)]);
  return `${textTable(["task", name, "Fullstop"], rows)}

In ${notLonger} of ${tasks.length} tasks Fullstop needs no more lines. A tool has one line more here: its \`name\`. A run has one line less: it goes on without \`stopWhen\`.`;
}

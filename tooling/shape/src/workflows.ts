import type { Rule } from "./files.ts";

const isWorkflow = (path: string): boolean =>
  path.startsWith(".github/workflows/") || path.endsWith("/action.yml");

/** Workflows and actions pin all versions, and a job that may write or publish uses no action. */
export const workflows: Rule = (files) =>
  [...files]
    .filter(([path]) => isWorkflow(path))
    .flatMap(([path, text]) =>
      [...unpinned(text), ...jobsOf(text).flatMap(tooFree)].map((finding) => `${path}: ${finding}`),
    );

function unpinned(text: string): readonly string[] {
  const actions = [...text.matchAll(/uses: (\S+)/g)]
    .map(([, action = ""]) => action)
    .filter((action) => !/@[0-9a-f]{40}$/.test(action));
  const tools = [...text.matchAll(/(?<=\s)(?:pnpm|npm|node)@\S+/g)]
    .map(([tool]) => tool)
    .filter((tool) => !/@\d+\.\d+\.\d+$/.test(tool));
  return [...actions, ...tools].map((name) => `${name} is not pinned`);
}

interface Job {
  readonly name: string;
  readonly text: string;
}
/** The text after `jobs:`, split into jobs. */
const jobsOf = (text: string): readonly Job[] =>
  (text.split(/^jobs:$/m)[1] ?? "")
    .split(/^(?= {2}\w+:$)/m)
    .map((job) => ({ name: /^ {2}(\w+):$/m.exec(job)?.[1] ?? "", text: job }))
    .filter(({ name }) => name !== "");

function tooFree({ name, text }: Job): readonly string[] {
  const findings: string[] = [];
  if (/^ +[\w-]+: write$/m.test(text) && text.includes("uses:"))
    findings.push(`job ${name} may write, and runs an action`);
  if (text.includes("actions/checkout@") && !text.includes("persist-credentials: false"))
    findings.push(`job ${name} keeps git's credentials`);
  return findings;
}

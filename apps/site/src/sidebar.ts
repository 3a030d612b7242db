import type { DefaultTheme } from "vitepress";
import type { Document } from "./documents.ts";

/** A part of the sidebar: documents of the repository, in the order in which they are read. */
export interface Part {
  readonly title: string;
  readonly files: readonly string[];
}

const guides = "packages/loop/guides";

/** All documents that the site shows. `*` stands for a part of a name. */
export const parts: readonly Part[] = [
  {
    title: "Start",
    files: [
      "README.md",
      "packages/README.md",
      "docs/recipes/README.md",
      "docs/ways-to-reach-a-model.md",
      "docs/local-models.md",
      "docs/from-*.md",
    ],
  },
  {
    title: "Tools",
    files: [
      "packages/loop/README.md",
      `${guides}/turns.md`,
      `${guides}/sub-agents.md`,
      "packages/mcp/README.md",
    ],
  },
  { title: "People", files: [`${guides}/people.md`, "packages/ui/README.md"] },
  { title: "Limits and recovery", files: [`${guides}/recovery.md`, "packages/loop/DEFECTS.md"] },
  { title: "Typed output", files: [`${guides}/typed-output.md`] },
  {
    title: "Durable runs",
    files: [
      "docs/durable-runs.md",
      `${guides}/crashes.md`,
      "packages/journal-*/README.md",
      "packages/restate/README.md",
      "apps/worker/README.md",
      "docs/durable-table.md",
    ],
  },
  {
    title: "Watch a run",
    files: [
      `${guides}/watch.md`,
      "packages/inspect/README.md",
      "packages/otel/README.md",
      "apps/playground/README.md",
    ],
  },
  {
    title: "Guard",
    files: [
      "packages/guard/README.md",
      "packages/{ai-sdk,langchain}/README.md",
      "packages/core/README.md",
    ],
  },
  { title: "Gateway", files: ["apps/gateway/README.md", "docs/coding-agents.md"] },
  {
    title: "Judge your agent",
    files: [
      "packages/conformance-cli/README.md",
      "docs/agents-in-*.md",
      "packages/lint/README.md",
      "docs/corpus.md",
      "packages/conformance/README.md",
      "packages/conformance/fixtures/README.md",
    ],
  },
  { title: "Providers", files: ["packages/provider-*/README.md"] },
  {
    title: "Write a provider",
    files: ["CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "CODE_OF_CONDUCT.md"],
  },
  {
    title: "Reference",
    files: [
      "docs/stop-reasons.md",
      "docs/errors.md",
      "docs/providers.md",
      "packages/conformance/CLAUSES.md",
      "packages/conformance/MUTANTS.md",
      "docs/runtimes.md",
      "docs/speed.md",
      "apps/cli/README.md",
    ],
  },
  { title: "API", files: ["packages/*/API.md", "apps/*/API.md"] },
  { title: "Field report", files: ["docs/field-report.md", "tooling/field/evidence/README.md"] },
];

const itemOf = ({ title, page }: Document): DefaultTheme.SidebarItem => ({
  text: title,
  link: `/${page.replace(/(?:^|(?<=\/))index\.md$/, "").replace(/\.md$/, ".html")}`,
});

/** A part with its documents. */
export interface Section {
  readonly title: string;
  readonly documents: readonly Document[];
}

/** The sidebar of each part of the site. `measured` are the pages that the field report leads to. */
export function sidebarOf(
  sections: readonly Section[],
  measured: readonly Section[],
): DefaultTheme.SidebarMulti {
  const groups = sections.map(({ title, documents }) => {
    const items = documents.map(itemOf);
    // With a link of its own a heading is not a button around the button that opens it.
    return { text: title, link: items[0]?.link ?? "", collapsed: true, items };
  });
  const open = measured.map(({ title, documents }) => ({
    text: title,
    items: documents.map(itemOf),
  }));
  return { "/": groups, "/docs/field": [...groups.slice(-1), ...open] };
}

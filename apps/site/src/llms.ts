import { firstSentence } from "./documents.ts";
import type { Section } from "./sidebar.ts";

/** The name, a summary, and a list of links for each part: https://llmstxt.org */
export const llmsText = (sections: readonly Section[]): string => `# Fullstop

> A tool call runs only when the model finished its reply. Fullstop is a set of TypeScript packages: an agent loop, a guard for agents that exist, and a suite that judges agents and gateways.

Each page of the site is also a Markdown file, at the same address with \`.md\`.

${sections
  .map(
    ({ title, documents }) =>
      `## ${title}\n\n${documents
        .map((one) =>
          `- [${one.title}](${one.page}): ${firstSentence(one.text)}`.replace(/: $/, ""),
        )
        .join("\n")}`,
  )
  .join("\n\n")}
`;

import type { ClauseText } from "@fullstop/conformance";
import type { VNode } from "preact";

/** The address of a source: a page, or `owner/repository#1`. */
export function sourceAddress(source: string): string | undefined {
  if (source.startsWith("https://")) return source;
  const [, repository, issue] = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(source) ?? [];
  return repository === undefined ? undefined : `https://github.com/${repository}/issues/${issue}`;
}

/** A clause of the suite, with its public sources. */
export function Clause({ clause }: { readonly clause: ClauseText }): VNode {
  return (
    <div class="clause">
      <p>
        <code>{clause.id}</code> <span class="tag">{clause.level}</span>
      </p>
      <p class="clause-rule">{clause.rule}</p>
      <ul>
        {clause.references.map((reference) => {
          const source = "issue" in reference ? reference.issue : reference.url;
          const address = sourceAddress(source);
          return (
            <li key={source}>
              {address === undefined ? (
                source
              ) : (
                <a href={address}>{source.replace(/^https:\/\//, "")}</a>
              )}
              {reference.note !== undefined && `: ${reference.note}`}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

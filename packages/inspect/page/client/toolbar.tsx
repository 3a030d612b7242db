import type { VNode } from "preact";
import type { Row } from "./rows.ts";
import { type Filter, filterWords, passesFilter } from "./search.ts";

interface ToolbarProps {
  readonly rows: readonly Row[];
  readonly shown: number;
  readonly query: string;
  readonly filter: Filter;
  readonly onQuery: (query: string) => void;
  readonly onFilter: (filter: Filter) => void;
  readonly onEnter: () => void;
}

/** Search and filters of the list. */
export function Toolbar(props: ToolbarProps): VNode {
  const { rows, shown, query, filter, onQuery, onFilter, onEnter } = props;
  return (
    <search class="toolbar">
      <label class="search">
        <span class="sr">Search texts, names and ids</span>
        <input
          id="search"
          type="search"
          placeholder="Search texts, names, ids"
          value={query}
          onInput={(event) => onQuery(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && onEnter()}
        />
        <span class="key-cap" aria-hidden="true">
          /
        </span>
      </label>
      <fieldset class="filters">
        <legend class="sr">Filter</legend>
        {filterNames.map((name) => (
          <button
            key={name}
            type="button"
            class={`chip ${name}`}
            aria-pressed={name === filter}
            onClick={() => onFilter(name)}
          >
            {filterWords[name]}
            <span class="count">{rows.filter((row) => passesFilter(row, name)).length}</span>
          </button>
        ))}
      </fieldset>
      <p class="sr" role="status">
        {query === "" && filter === "all" ? "" : `${shown} of ${rows.length} lines`}
      </p>
    </search>
  );
}

const filterNames = Object.keys(filterWords) as readonly Filter[];

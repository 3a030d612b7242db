import { withBase } from "vitepress";
import { computed, defineComponent, reactive } from "vue";
import { data, type FieldRow } from "./field.data.ts";

const facts = ["system", "language", "version", "measured"] as const;
const columns: readonly string[] = [...facts, ...data.columns];

const distinct = (values: readonly (string | undefined)[]): readonly string[] =>
  [...new Set(values.filter((value) => value !== undefined))].toSorted();
const languages = distinct(data.systems.map(({ language }) => language));
const protocols = distinct(data.configurations.map(({ protocol }) => protocol)).filter(
  (protocol) => protocol !== "–",
);

/** What a column is sorted by: a text, or how often something happened. */
function keyOf(row: FieldRow, column: number): string | number {
  const harm = row.harms[column - facts.length];
  if (harm === undefined) {
    const { name, language, version, measured } = row;
    return [name, language, version, measured][column] ?? "";
  }
  const [count, of] = harm.text.split(" of ").map(Number);
  return count === undefined || of === undefined ? -1 : count / of;
}

const compare = (one: string | number, other: string | number): number =>
  typeof one === "number" && typeof other === "number"
    ? one - other
    : String(one).localeCompare(String(other), "en", { numeric: true });

const textOf = (event: Event): string =>
  (event.target as HTMLInputElement | HTMLSelectElement).value;

/** A field of the form, with the values that it offers. */
const choice = (label: string, options: readonly string[], choose: (value: string) => void) => (
  <label>
    {label}
    <select onChange={(event: Event) => choose(textOf(event))}>
      <option value="">all</option>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  </label>
);

const rowOf = (row: FieldRow) => (
  <tr key={row.name}>
    <th scope="row">
      <a href={withBase(`/${row.page}`)}>{row.name}</a>
    </th>
    <td>{row.language}</td>
    <td>{row.version}</td>
    <td>{row.measured}</td>
    {row.harms.map(({ text, anchor }, index) => (
      <td key={index} class={/^[1-9]/.test(text) ? "harm" : ""}>
        {text.includes(" of ") ? <a href={withBase(`/${row.page}#${anchor}`)}>{text}</a> : text}
      </td>
    ))}
  </tr>
);

/** The systems of the field report. Each count leads to its evidence. */
export const FieldTable = defineComponent({
  name: "FieldTable",
  setup() {
    const asked = reactive({ text: "", language: "", protocol: "" });
    const sorted = reactive({ column: -1, direction: 1 });
    const rows = computed(() => {
      const { text, language, protocol } = asked;
      const all = protocol === "" ? data.systems : data.configurations;
      const found = all.filter(
        (row) =>
          row.name.toLowerCase().includes(text.toLowerCase()) &&
          (language === "" || row.language === language) &&
          (protocol === "" || row.protocol === protocol),
      );
      const { column, direction } = sorted;
      return column < 0
        ? found
        : found.toSorted(
            (one, other) => direction * compare(keyOf(one, column), keyOf(other, column)),
          );
    });
    const sortBy = (column: number): void => {
      const first = column < facts.length ? 1 : -1;
      sorted.direction = sorted.column === column ? -sorted.direction : first;
      sorted.column = column;
    };
    const ariaSort = (column: number) => {
      if (sorted.column !== column) return "none";
      return sorted.direction === 1 ? "ascending" : "descending";
    };
    return () => (
      <div class="field">
        <form onSubmit={(event: Event) => event.preventDefault()}>
          <label>
            Name
            <input type="search" onInput={(event: Event) => (asked.text = textOf(event))} />
          </label>
          {choice("Language", languages, (value) => (asked.language = value))}
          {choice("Protocol", protocols, (value) => (asked.protocol = value))}
          <p role="status">
            {rows.value.length} {asked.protocol === "" ? "systems" : "configurations"}
          </p>
        </form>
        <section class="scroll" aria-label="Results by system" tabindex="0">
          <table>
            <thead>
              <tr>
                {columns.map((name, column) => (
                  <th key={name} scope="col" aria-sort={ariaSort(column)}>
                    <button type="button" onClick={() => sortBy(column)}>
                      {name}
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{rows.value.map(rowOf)}</tbody>
          </table>
        </section>
      </div>
    );
  },
});

type Segment = string | number;

/** An object or a list that is still open. */
interface Container {
  readonly at: Segment;
  readonly isList: boolean;
  /** Members that were begun. A second visit to one would hide the first. */
  readonly members: Set<Segment>;
}

/** The way through a JSON text that is written from front to back. */
export interface Places {
  /** What stands between the value written last and the one at `path`. */
  goTo(path: readonly Segment[]): string;
  close(): string;
}

export function createPlaces(): Places {
  const open: Container[] = [];
  const closeTo = (depth: number): string =>
    open
      .splice(depth)
      .reverse()
      .map(({ isList }) => (isList ? "]" : "}"))
      .join("");
  const enter = (at: Segment, isList: boolean): string => {
    open.push({ at, isList, members: new Set() });
    return isList ? "[" : "{";
  };
  return {
    goTo(path) {
      let text = open.length === 0 ? enter("$", false) : "";
      const parting = path.slice(0, -1).findIndex((segment, n) => open[n + 1]?.at !== segment);
      const from = parting < 0 ? path.length - 1 : parting;
      text += closeTo(from + 1);
      for (const [n, segment] of path.entries()) {
        if (n < from) continue;
        const next = path[n + 1];
        text +=
          begin(open.at(-1), segment) +
          (next === undefined ? "" : enter(segment, typeof next === "number"));
      }
      return text;
    },
    close: () => closeTo(0),
  };
}

function begin(container: Container | undefined, at: Segment): string {
  if (container === undefined || container.isList !== (typeof at === "number")) {
    throw new Error(`The reply mixes a list and an object at ${at}.`);
  }
  const { members, isList } = container;
  if (isList ? at !== members.size : members.has(at))
    throw new Error(`The reply sends its arguments out of order, at ${at}.`);
  members.add(at);
  return (members.size > 1 ? "," : "") + (isList ? "" : `${JSON.stringify(at)}:`);
}

const step = /\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** The part of RFC 9535 that names one place: `$.a.b[0]['c d']`. A list without members is `$.a[]`. */
export function readPath(jsonPath: string): {
  readonly path: readonly Segment[];
  readonly isEmptyList: boolean;
} {
  const isEmptyList = jsonPath.endsWith("[]");
  const end = isEmptyList ? jsonPath.length - 2 : jsonPath.length;
  const path: Segment[] = [];
  let at = jsonPath.startsWith("$") ? 1 : end;
  while (at < end) {
    step.lastIndex = at;
    const [whole, name, index, single, double] = step.exec(jsonPath) ?? [];
    if (whole === undefined) break;
    path.push(
      index === undefined
        ? (name ?? (single ?? double ?? "").replaceAll(/\\(.)/g, "$1"))
        : Number(index),
    );
    at += whole.length;
  }
  if (path.length === 0 || at !== end)
    throw new Error(`The reply holds an argument at a place that cannot be read: ${jsonPath}`);
  return { path, isEmptyList };
}

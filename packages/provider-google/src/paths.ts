type Segment = string | number;

interface Container {
  readonly segment: Segment;
  readonly isList: boolean;
  /** The members that were started. A second value for one would hide the first. */
  readonly members: Set<Segment>;
}

/** Writes the structure of a JSON text whose values arrive in order, each with its path. */
export interface PathWriter {
  /** Returns the text between the last value and the value at `path`. */
  moveTo(path: readonly Segment[]): string;
  /** Returns the text that closes all open objects and lists. */
  close(): string;
}

export function createPathWriter(): PathWriter {
  const open: Container[] = [];
  const closeTo = (depth: number): string =>
    open
      .splice(depth)
      .reverse()
      .map(({ isList }) => (isList ? "]" : "}"))
      .join("");
  const enter = (segment: Segment, isList: boolean): string => {
    open.push({ segment, isList, members: new Set() });
    return isList ? "[" : "{";
  };
  return {
    moveTo(path) {
      let text = open.length === 0 ? enter("$", false) : "";
      const firstNew = path
        .slice(0, -1)
        .findIndex((segment, depth) => open[depth + 1]?.segment !== segment);
      const from = firstNew < 0 ? path.length - 1 : firstNew;
      text += closeTo(from + 1);
      for (const [depth, segment] of path.entries()) {
        if (depth < from) continue;
        const next = path[depth + 1];
        text +=
          startMember(open.at(-1), segment) +
          (next === undefined ? "" : enter(segment, typeof next === "number"));
      }
      return text;
    },
    close: () => closeTo(0),
  };
}

function startMember(container: Container | undefined, segment: Segment): string {
  if (container === undefined || container.isList !== (typeof segment === "number"))
    throw new Error(`The reply mixes a list and an object at ${segment}.`);
  const { members, isList } = container;
  if (isList ? segment !== members.size : members.has(segment))
    throw new Error(`The reply sends its arguments out of order, at ${segment}.`);
  members.add(segment);
  return (members.size > 1 ? "," : "") + (isList ? "" : `${JSON.stringify(segment)}:`);
}

const segmentPattern = /\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** A path of RFC 9535 for one value, such as `$.a.b[0]['c d']`. `$.a[]` is an empty list. */
export function parsePath(jsonPath: string): {
  readonly path: readonly Segment[];
  readonly isEmptyList: boolean;
} {
  const isEmptyList = jsonPath.endsWith("[]");
  const end = isEmptyList ? jsonPath.length - 2 : jsonPath.length;
  const path: Segment[] = [];
  let position = jsonPath.startsWith("$") ? 1 : end;
  while (position < end) {
    segmentPattern.lastIndex = position;
    const [match, name, index, single, double] = segmentPattern.exec(jsonPath) ?? [];
    if (match === undefined) break;
    path.push(
      index === undefined
        ? (name ?? (single ?? double ?? "").replaceAll(/\\(.)/g, "$1"))
        : Number(index),
    );
    position += match.length;
  }
  if (path.length === 0 || position !== end)
    throw new Error(`The reply sends an argument with an invalid path: ${jsonPath}`);
  return { path, isEmptyList };
}

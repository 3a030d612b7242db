import { escapeXml, type Theme, type ThemeName, themes } from "./picture.ts";

/** A box with a title and lines below it. Lengths are those of the drawing, which is 420 wide. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly title: string;
  readonly lines?: readonly string[];
  readonly tone?: Tone;
}
/** What a box means: its edge has the colour. */
type Tone = "plain" | "gate" | "granted" | "withheld" | "doubt";

/** An arrow from one point to another, with a word beside it. */
export interface Arrow {
  readonly from: readonly [left: number, top: number];
  readonly to: readonly [left: number, top: number];
  readonly label?: string;
}

/** A drawing: it is as narrow as a phone, so its text is not smaller there. */
export interface Diagram {
  /** The name of its files: `docs/NAME-light.svg`. */
  readonly name: string;
  /** What it shows, for readers who do not see it. */
  readonly title: string;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

const width = 420;
const titleHeight = 34;
const boxLineHeight = 19;
const textFonts = "system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif";
const edges: Readonly<Record<Tone, keyof Theme>> = {
  plain: "border",
  gate: "cyan",
  granted: "green",
  withheld: "red",
  doubt: "yellow",
};

/** The height of a box. */
export const heightOf = ({ lines = [] }: Pick<Box, "lines">): number =>
  titleHeight + (lines.length === 0 ? 0 : lines.length * boxLineHeight + 4);

function drawBox(box: Box, theme: Theme): string {
  const { left, top, width: boxWidth, title, lines = [], tone = "plain" } = box;
  const edge = theme[edges[tone]];
  const color = tone === "plain" ? theme.text : edge;
  const text = lines.map(
    (line, index) =>
      `<text x="${left + 12}" y="${top + titleHeight + 9 + index * boxLineHeight}" fill="${theme.dim}">${escapeXml(line)}</text>`,
  );
  return [
    `<rect x="${left}" y="${top}" width="${boxWidth}" height="${heightOf(box)}" rx="7" fill="${theme.background}" stroke="${edge}" stroke-width="${tone === "plain" ? 1 : 1.5}"/>`,
    `<text x="${left + 12}" y="${top + 22}" font-weight="600" fill="${color}">${escapeXml(title)}</text>`,
    ...text,
  ].join("\n    ");
}

function drawArrow({ from, to, label }: Arrow, theme: Theme): string {
  const [left, top] = to;
  const tip = `M${left} ${top}l-4 -7h8z`;
  const line = `<path d="M${from[0]} ${from[1]}L${left} ${top - 6}" stroke="${theme.dim}" stroke-width="1.3"/>`;
  const words =
    label === undefined
      ? ""
      : `\n    <text x="${(from[0] + left) / 2 + 8}" y="${(from[1] + top) / 2 + 4}" font-size="13" fill="${theme.dim}">${escapeXml(label)}</text>`;
  return `${line}\n    <path d="${tip}" fill="${theme.dim}"/>${words}`;
}

/** A diagram as an SVG. */
export function drawDiagram({ title, height, boxes, arrows }: Diagram, name: ThemeName): string {
  const theme = themes[name];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
  <title>${escapeXml(title)}</title>
  <g font-family="${textFonts}" font-size="14">
    ${[...arrows.map((arrow) => drawArrow(arrow, theme)), ...boxes.map((box) => drawBox(box, theme))].join("\n    ")}
  </g>
</svg>
`;
}

/** Boxes below each other, each with an arrow to the next one. */
export function column(
  boxes: readonly Omit<Box, "left" | "top" | "width">[],
  { top = 1, gap = 26 } = {},
): Pick<Diagram, "boxes" | "arrows" | "height"> {
  let next = top;
  const placed = boxes.map((box): Box => {
    const at = next;
    next += heightOf(box) + gap;
    return { ...box, left: 1, top: at, width: width - 2 };
  });
  const middle = 24;
  const arrows = placed
    .slice(1)
    .map(({ top: to }): Arrow => ({ from: [middle, to - gap], to: [middle, to] }));
  return { boxes: placed, arrows, height: next - gap + 1 };
}

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./blocks.ts";

export interface Theme {
  readonly background: string;
  readonly border: string;
  readonly text: string;
  readonly dim: string;
  readonly red: string;
  readonly green: string;
  readonly yellow: string;
  readonly cyan: string;
}

export const themes = {
  light: {
    background: "#f6f8fa",
    border: "#d1d9e0",
    text: "#1f2328",
    dim: "#59636e",
    red: "#cf222e",
    green: "#1a7f37",
    yellow: "#7d4e00",
    cyan: "#0550ae",
  },
  dark: {
    background: "#151b23",
    border: "#3d444d",
    text: "#f0f6fc",
    dim: "#9198a1",
    red: "#ff7b72",
    green: "#3fb950",
    yellow: "#e3b341",
    cyan: "#79c0ff",
  },
} satisfies Readonly<Record<string, Theme>>;
export type ThemeName = keyof typeof themes;
export const themeNames = Object.keys(themes) as readonly ThemeName[];

/** The narrowest output in which the input of this reply fits. */
const pictureColumns = 60;

/** The lines that the demo prints about one reply, with their colour codes. */
export function demoReply(number: number): readonly string[] {
  const { NO_COLOR: _, ...env } = process.env;
  const output = execFileSync(
    process.execPath,
    ["--conditions=@fullstop/source", join(root, "apps/cli/src/main.ts"), "demo", "--all"],
    {
      encoding: "utf8",
      env: { ...env, COLUMNS: String(pictureColumns), FORCE_COLOR: "1" },
    },
  );
  const lines = output.split("\n");
  const begin = lines.findIndex((line) => plain(line).startsWith(`── reply ${number} ─`));
  const end = lines.indexOf("", begin);
  if (begin < 0 || end < 0) throw new Error(`The demo prints no reply ${number}.`);
  return lines.slice(begin, end);
}

/** The sequences that set colours and weights. */
const codes = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`);

/** A line without its colour codes. */
export const plain = (line: string): string =>
  line
    .split(codes)
    .filter((_, index) => index % 2 === 0)
    .join("");

/** A text of one style, without two spaces in a row. */
interface Segment {
  readonly column: number;
  readonly text: string;
  readonly color: keyof Theme;
  readonly bold: boolean;
}

const colorCodes: Readonly<Record<string, keyof Theme>> = {
  2: "dim",
  22: "text",
  31: "red",
  32: "green",
  33: "yellow",
  36: "cyan",
  39: "text",
};

function segmentsOf(line: string): readonly Segment[] {
  const segments: Segment[] = [];
  let color: keyof Theme = "text";
  let bold = false;
  let column = 0;
  for (const [index, part] of line.split(codes).entries()) {
    if (index % 2 === 1) {
      bold = part === "1";
      color = colorCodes[part] ?? "text";
      continue;
    }
    for (const { 0: text, index: at } of part.matchAll(/\S+(?: \S+)*/g))
      segments.push({ column: column + at, text, color, bold });
    column += part.length;
  }
  return segments;
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
export const escapeXml = (text: string): string =>
  text.replace(/[&<>]/g, (found) => escapes[found] ?? "");

const fontSize = 15;
const charWidth = 9;
const lineHeight = 22;
const padding = 20;
const fonts =
  "ui-monospace, SFMono-Regular, Menlo, Consolas, Liberation Mono, DejaVu Sans Mono, monospace";

/** Lines with colour codes as an SVG. Each segment has a fixed width, so that any font fits. */
export function drawSvg(lines: readonly string[], themeName: ThemeName): string {
  const theme: Theme = themes[themeName];
  const width = pictureColumns * charWidth + 2 * padding;
  const height = lines.length * lineHeight + 2 * padding;
  const texts = lines.flatMap((line, row) =>
    segmentsOf(line).map(({ column, text, color, bold }) => {
      const left = padding + column * charWidth;
      const baseline = padding + row * lineHeight + fontSize;
      const length = `textLength="${text.length * charWidth}" lengthAdjust="spacingAndGlyphs"`;
      const style = `fill="${theme[color]}"${bold ? ' font-weight="bold"' : ""}`;
      return `    <text x="${left}" y="${baseline}" ${length} ${style}>${escapeXml(text)}</text>`;
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
  <title>What the demo prints about a reply that was cut and relabelled</title>
  <rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${theme.background}" stroke="${theme.border}"/>
  <g font-family="${fonts}" font-size="${fontSize}">
${texts.join("\n")}
  </g>
</svg>
`;
}

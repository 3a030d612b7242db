import { styleText } from "node:util";

export type Color = "green" | "red" | "yellow" | "cyan" | "dim" | "bold";
/** Where the demo writes: a terminal, a pipe, a file. */
export type Stream = NodeJS.WritableStream & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

/** Lines on a stream, as wide as it allows. */
export interface Paper {
  readonly width: number;
  /** Coloured where the stream and the environment (`NO_COLOR`, `FORCE_COLOR`) want it. */
  paint(color: Color, text: string): string;
  line(text?: string): void;
  /** A line that is still being written. Only a terminal shows it; the next one takes its place. */
  live(text: string): void;
  /** A label, and a text that is wrapped beside it. */
  entry(name: string, text: string, color?: Color): void;
  /** A heading across the page. */
  rule(
    title: string,
    beside?: { readonly note?: string | undefined; readonly right?: string | undefined },
  ): void;
}

const widest = 100;
const usual = 80;
const labelWidth = 10;
export const label = (name: string): string => `  ${name}`.padEnd(labelWidth);

export function createPaper(stream: Stream): Paper {
  const lines = createLines(stream);
  // A terminal that does not know its size says 0.
  const width = (): number => Math.min(stream.columns || usual, widest);
  const paint = (color: Color, text: string): string =>
    text === "" ? "" : styleText(color, text, { stream });
  return {
    get width() {
      return width();
    },
    paint,
    line: (text = "") => lines.line(text),
    live: (text) => lines.live(fit(text, width() - 1)),
    entry(name, text, color) {
      for (const [n, line] of wrap(text, width() - labelWidth).entries()) {
        lines.line(
          paint("dim", label(n === 0 ? name : "")) +
            (color === undefined ? line : paint(color, line)),
        );
      }
    },
    rule(title, { note = "", right = "" } = {}) {
      const parts = [`── ${title} `, note && `── ${note} `, right && ` ${right}`];
      const fill = "─".repeat(Math.max(2, width() - parts.join("").length));
      const noted = note && `${paint("dim", "──")} ${paint("yellow", note)} `;
      lines.line(
        `${paint("dim", "──")} ${paint("bold", title)} ${noted}${paint("dim", fill + (right && ` ${right}`))}`,
      );
    },
  };
}

function createLines(stream: Stream): Pick<Paper, "live"> & { line(text: string): void } {
  let shown = 0;
  return {
    line(text) {
      // Blanks wipe the live line, not an escape code: without colour there is none.
      if (shown > 0) stream.write(`\r${" ".repeat(shown)}\r`);
      shown = 0;
      stream.write(`${text}\n`);
    },
    live(text) {
      if (!stream.isTTY) return;
      stream.write(`\r${text.padEnd(shown)}`);
      shown = text.length;
    },
  };
}

/** At most `width` characters, from the beginning. */
export const fit = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;

/** At most `width` characters, up to the end. */
export const fitEnd = (text: string, width: number): string =>
  text.length <= width ? text : `…${text.slice(text.length - width + 1)}`;

/** Lines of at most `width` characters, broken at spaces; a longer word has a line of its own. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

import { stripVTControlCharacters, styleText } from "node:util";

export type Color = "green" | "red" | "yellow" | "cyan" | "dim" | "bold";
/** A terminal, a pipe or a file. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
};

/**
 * Begins at the top of the screen, in a terminal only. What stood there, such as the log of an
 * installation, can be scrolled back to.
 */
export function beginScreen(stream: OutputStream): void {
  if (stream.isTTY && stream.rows && process.env["TERM"] !== "dumb")
    stream.write(`${"\n".repeat(stream.rows - 1)}\u001b[H`);
}

/** Writes lines to a stream, within its width. */
export interface Terminal {
  /** Columns, 100 at most. */
  readonly width: number;
  /** Colours a text if the stream and the environment (`NO_COLOR`, `FORCE_COLOR`) allow it. */
  paint(color: Color, text: string): string;
  line(text?: string): void;
  /** Shows an unfinished line, in a terminal only. The next line replaces it. */
  live(text: string): void;
  /** A label, and a text that is wrapped beside it. */
  entry(name: string, text: string, color?: Color): void;
  /** A text, wrapped at the width of a terminal or at `COLUMNS`. In other places it is one line. */
  paragraph(indent: string, text: string): void;
  /** A heading across the page. */
  rule(
    title: string,
    beside?: { readonly note?: string | undefined; readonly right?: string | undefined },
  ): void;
}

const maxWidth = 100;
const defaultWidth = 80;
export const labelWidth = 10;
/** Stands before each line of a paragraph but the first. */
const hanging = "  ";
export const formatLabel = (name: string): string => `  ${name}`.padEnd(labelWidth);

/** The width is the stream's, or else that of the environment variable `COLUMNS`, or else 80. */
export function createTerminal(stream: OutputStream): Terminal {
  const lines = createLineWriter(stream);
  // A terminal that does not know its size reports 0.
  const known = (): number => stream.columns || Number(process.env["COLUMNS"]) || 0;
  const width = (): number => Math.min(known() || defaultWidth, maxWidth);
  const paint = (color: Color, text: string): string =>
    text === "" ? "" : styleText(color, text, { stream });
  return {
    get width() {
      return width();
    },
    paint,
    line: (text = "") => lines.line(text),
    live: (text) => lines.live(truncate(text, width() - 1)),
    entry(name, text, color) {
      for (const [index, line] of wrap(text, width() - labelWidth).entries()) {
        const label = paint("dim", formatLabel(index === 0 ? name : ""));
        lines.line(label + (color === undefined ? line : paint(color, line)));
      }
    },
    paragraph(indent, text) {
      const wrapped = known() > 0 ? wrap(text, width() - indent.length - hanging.length) : [text];
      for (const [index, line] of wrapped.entries())
        lines.line(indent + (index === 0 ? "" : hanging) + line);
    },
    rule(title, { note = "", right = "" } = {}) {
      const parts = [`── ${title} `, note && `── ${note} `, right && ` ${right}`];
      const room = width() - parts.join("").length;
      if (note !== "" && room < 2) {
        this.rule(title, { right });
        return this.entry("", note, "yellow");
      }
      const fill = "─".repeat(Math.max(2, room));
      const noted = note && `${paint("dim", "──")} ${paint("yellow", note)} `;
      lines.line(
        `${paint("dim", "──")} ${paint("bold", title)} ${noted}${paint("dim", fill + (right && ` ${right}`))}`,
      );
    },
  };
}

function createLineWriter(stream: OutputStream): Pick<Terminal, "live"> & {
  line(text: string): void;
} {
  let liveLength = 0;
  return {
    line(text) {
      // Spaces erase the live line: without colour, escape codes are not wanted either.
      if (liveLength > 0) stream.write(`\r${" ".repeat(liveLength)}\r`);
      liveLength = 0;
      stream.write(`${text}\n`);
    },
    live(text) {
      if (!stream.isTTY) return;
      stream.write(`\r${text.padEnd(liveLength)}`);
      liveLength = text.length;
    },
  };
}

/** The beginning of a text, at most `width` characters with the ellipsis. */
export const truncate = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;

/** The end of a text, at most `width` characters with the ellipsis. */
export const truncateStart = (text: string, width: number): string =>
  text.length <= width ? text : `…${text.slice(text.length - width + 1)}`;

/** How many characters are seen: colours are not. */
const shown = (text: string): number => stripVTControlCharacters(text).length;

/** Breaks a text at spaces into lines of at most `width` characters. A longer word stays whole. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || shown(last) + 1 + shown(word) > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

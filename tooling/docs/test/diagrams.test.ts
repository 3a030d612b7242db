import { expect, test } from "vitest";
import { drawDiagram, heightOf } from "../src/diagram.ts";
import { diagrams } from "../src/diagrams.ts";
import { themeNames } from "../src/picture.ts";

/** The mean width of a character at 14 pixels, in the widest of the usual fonts. */
const charWidth = 7.1;

test.each(diagrams)(
  "$name: each text fits in its box, and no two boxes overlap",
  ({ boxes, height }) => {
    for (const box of boxes) {
      const longest = Math.max(...[box.title, ...(box.lines ?? [])].map(({ length }) => length));
      expect(longest * charWidth, box.title).toBeLessThanOrEqual(box.width - 24);
      expect(box.top + heightOf(box)).toBeLessThan(height);
      expect(box.left + box.width).toBeLessThan(420);
    }
    const overlaps = boxes.flatMap((one, index) =>
      boxes
        .slice(index + 1)
        .filter(
          (other) =>
            one.top + heightOf(one) > other.top &&
            other.top + heightOf(other) > one.top &&
            one.left + one.width > other.left &&
            other.left + other.width > one.left,
        )
        .map((other) => `${one.title} and ${other.title}`),
    );
    expect(overlaps).toEqual([]);
  },
);

test.each(themeNames)("in %s a diagram has a title for readers who do not see it", (theme) => {
  for (const diagram of diagrams)
    expect(drawDiagram(diagram, theme)).toContain(`<title>${diagram.title}</title>`);
});

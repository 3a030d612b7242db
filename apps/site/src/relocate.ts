import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { movableBase } from "./base.ts";

/** The path of the site, as a global variable that the first script of each page sets. */
const variable = "siteBase";

/** A page finds the site from its own address. */
const findsBase = (up: string): string =>
  `<script>${variable}=new URL("${up}",location.href).pathname</script>`;

/** A link stays right when another page is shown in the same document. */
const fixesLinks =
  '<script>for(const a of document.querySelectorAll("a[href]"))if(!a.getAttribute("href").startsWith("#"))a.href=a.href</script>';

function relocatePage(html: string, file: string): string {
  const up = "../".repeat(file.split("/").length - 1) || "./";
  return html
    .replaceAll(`\\"${movableBase}\\"`, `\\""+${variable}+"\\"`)
    .replaceAll(movableBase, up)
    .replace("<head>", `<head>${findsBase(up)}`)
    .replace("</body>", `${fixesLinks}</body>`);
}

/** Puts the variable into each literal of a script that contains the path. */
function relocateScript(code: string, file: string): string {
  const found: { readonly start: number; readonly end: number; readonly by: string }[] = [];
  const look = (
    { start, end }: { start: number; end: number },
    toParts: (raw: string) => string,
  ) => {
    const raw = code.slice(start, end);
    if (raw.includes(movableBase)) found.push({ start, end, by: toParts(raw) });
  };
  new Visitor({
    Literal: (node) =>
      look(node, (raw) => {
        const quote = raw[0] ?? "";
        return `(${raw.replaceAll(movableBase, `${quote}+${variable}+${quote}`)})`;
      }),
    TemplateElement: (node) => look(node, (raw) => raw.replaceAll(movableBase, `\${${variable}}`)),
  }).visit(parseSync(file, code).program);
  return found
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { start, end, by }) => text.slice(0, start) + by + text.slice(end), code);
}

/** Makes the built site work under any path of a host. VitePress itself builds for one path. */
export function relocate(folder: string): void {
  // A host shows it under any address, so it cannot find its scripts.
  rmSync(join(folder, "404.html"));
  for (const file of globSync("**/*.{html,js}", { cwd: folder })) {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    if (!text.includes(movableBase)) continue;
    const change = file.endsWith(".js") ? relocateScript : relocatePage;
    writeFileSync(path, change(text, file));
  }
}

import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** The script of the page, with React and `@ai-sdk/react`. */
export async function bundlePage(): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL("./page.ts", import.meta.url)),
    platform: "browser",
    onLog: () => {}, // Directives such as "use client" mean nothing here.
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
  });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  return output[0].code;
}

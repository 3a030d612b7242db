import { gzipSync } from "node:zlib";
import { type OutputChunk, rolldown } from "rolldown";

export interface Measured {
  /** Minified and gzipped. */
  readonly bytes: number;
  /** The files and their share of the minified code in percent, the largest first. */
  readonly files: readonly { readonly file: string; readonly percent: number }[];
  /** The external modules that are loaded at run time, at once or later. */
  readonly imports: readonly string[];
}

interface MeasureOptions {
  readonly only?: string | undefined;
  readonly external: readonly string[];
  readonly core?: string;
}

const entry = "entry";
const exportFrom = (module: string, name: string): string =>
  `export ${name === "*" ? name : `{ ${name} }`} from ${JSON.stringify(module)};\n`;

/**
 * Measures `only` of a module (or all of it) as an app bundles it, without the packages in
 * `external` and without what is loaded later. `core` is the file of core if `createGate` is measured with it.
 */
export async function measure(
  module: string,
  { only = "*", external, core }: MeasureOptions,
): Promise<Measured> {
  const bundle = await rolldown({
    input: entry,
    plugins: [
      {
        name: entry,
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) =>
          id === entry
            ? exportFrom(module, only) + (core === undefined ? "" : exportFrom(core, "createGate"))
            : undefined,
      },
    ],
    external: (id) =>
      id.startsWith("node:") || external.some((name) => id === name || id.startsWith(`${name}/`)),
  });
  try {
    const { output } = await bundle.generate({ minify: true });
    const chunks = loadedAtOnce(output.filter((one): one is OutputChunk => one.type === "chunk"));
    return {
      bytes: gzipSync(chunks.map(({ code }) => code).join("")).length,
      files: sharesOf(chunks),
      imports: [...new Set(chunks.flatMap(allImports).filter(isExternal(output)))],
    };
  } finally {
    await bundle.close();
  }
}

const allImports = ({ imports, dynamicImports }: OutputChunk): readonly string[] => [
  ...imports,
  ...dynamicImports,
];

const isExternal =
  (files: readonly { readonly fileName: string }[]) =>
  (name: string): boolean =>
    !files.some(({ fileName }) => fileName === name);

/** Without what the program loads later, with `import()`. */
function loadedAtOnce(chunks: readonly OutputChunk[]): readonly OutputChunk[] {
  const names = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  for (const name of names)
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      names.add(imported);
  return chunks.filter(({ fileName }) => names.has(fileName));
}

function sharesOf(chunks: readonly OutputChunk[]): Measured["files"] {
  const files = chunks.flatMap(({ modules }) =>
    Object.entries(modules).map(([id, { code }]) => ({ file: id, length: code?.length ?? 0 })),
  );
  const whole = files.reduce((sum, { length }) => sum + length, 0);
  return files
    .toSorted((a, b) => b.length - a.length)
    .map(({ file, length }) => ({
      file: file.split(/[\\/]/).at(-1) ?? file,
      percent: Math.round((100 * length) / whole),
    }));
}

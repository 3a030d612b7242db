import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Class, type Comment, parseSync } from "oxc-parser";

/** An export of a package, as its source declares it. */
export interface Declaration {
  readonly name: string;
  readonly file: string;
  /** The docstring, without the stars. */
  readonly doc: string;
  /** The declaration, without function bodies. */
  readonly code: string;
  /** All types of its file by name, each with its docstring. */
  readonly types: ReadonlyMap<string, string>;
}
export interface Exports {
  readonly declarations: readonly Declaration[];
  /** Re-exported names of other packages, by package. */
  readonly reexports: ReadonlyMap<string, readonly string[]>;
}

type Program = ReturnType<typeof parseSync>["program"];
type Statement = Program["body"][number];
type Declared = NonNullable<Extract<Statement, { type: "ExportNamedDeclaration" }>["declaration"]>;

interface Source {
  readonly file: string;
  readonly text: string;
  readonly body: readonly Statement[];
  readonly comments: readonly Comment[];
  readonly types: ReadonlyMap<string, string>;
}

function parse(file: string): Source {
  const text = readFileSync(file, "utf8");
  const { program, comments, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const source = { file, text, body: program.body, comments, types: new Map<string, string>() };
  for (const statement of program.body) {
    const declaration =
      (statement.type === "ExportNamedDeclaration" && statement.declaration) || statement;
    if (
      declaration.type !== "TSInterfaceDeclaration" &&
      declaration.type !== "TSTypeAliasDeclaration"
    )
      continue;
    const doc = docBefore(source, statement.start);
    source.types.set(
      declaration.id.name,
      `${doc && `/** ${doc} */\n`}${text.slice(declaration.start, declaration.end)}`,
    );
  }
  return source;
}

type Export = Extract<Statement, { type: "ExportNamedDeclaration" | "ExportAllDeclaration" }>;
const isExport = (statement: Statement): statement is Export =>
  statement.type === "ExportNamedDeclaration" || statement.type === "ExportAllDeclaration";

/** The exported name of each local name of a re-export. `undefined` for `export *`. */
const namesOf = (statement: Export): ReadonlyMap<string, string> | undefined =>
  statement.type === "ExportAllDeclaration"
    ? undefined
    : new Map(statement.specifiers.map(({ local, exported }) => [nameOf(local), nameOf(exported)]));

/** The names of a re-export that the entry point exports: all of them if `wanted` is undefined. */
function wantedNames(
  names: ReadonlyMap<string, string> | undefined,
  wanted: ReadonlyMap<string, string> | undefined,
): ReadonlyMap<string, string> | undefined {
  if (names === undefined || wanted === undefined) return names ?? wanted;
  return new Map(
    [...names].flatMap(([local, name]) => {
      const exported = wanted.get(name);
      return exported === undefined ? [] : [[local, exported] as const];
    }),
  );
}

const renamed = (one: Declaration, name: string): Declaration => ({
  ...one,
  name,
  code: one.code.replace(one.name, name),
});

/** The exports of an entry point, in the order of its lines. */
export function exportsOf(entry: string): Exports {
  const declarations: Declaration[] = [];
  const reexports = new Map<string, string[]>();
  const collect = (file: string, wanted?: ReadonlyMap<string, string>): void => {
    const source = parse(file);
    for (const statement of source.body.filter(isExport)) {
      const from = statement.source?.value;
      const names = wantedNames(namesOf(statement), wanted);
      if (from === undefined) declarations.push(...only(declared(source, statement), wanted));
      else if (from.startsWith(".")) collect(resolve(file, "..", from), names);
      else if (names?.size !== 0) addTo(reexports, from, names?.values() ?? ["*"]);
    }
  };
  collect(entry);
  return { declarations, reexports };
}

function addTo(lists: Map<string, string[]>, key: string, values: Iterable<string>): void {
  lists.set(key, [...(lists.get(key) ?? []), ...values]);
}

/** The wanted declarations under their exported names. */
const only = (
  declarations: readonly Declaration[],
  wanted: ReadonlyMap<string, string> | undefined,
): readonly Declaration[] =>
  declarations.flatMap((one) => {
    const name = wanted === undefined ? one.name : wanted.get(one.name);
    return name === undefined ? [] : [renamed(one, name)];
  });

const nameOf = (node: { readonly type: string; readonly name?: string }): string => node.name ?? "";

function declared(source: Source, statement: Export): readonly Declaration[] {
  if (statement.type === "ExportAllDeclaration" || statement.declaration === null) return [];
  const { declaration } = statement;
  const about = { file: source.file, types: source.types, doc: docBefore(source, statement.start) };
  if (declaration.type !== "VariableDeclaration")
    return "id" in declaration
      ? [{ ...about, name: nameOf(declaration.id as never), code: codeOf(source, declaration) }]
      : [];
  return declaration.declarations.map((one) => ({
    ...about,
    name: nameOf(one.id as never),
    code: constant(source, one),
  }));
}

type Constant = Extract<Declared, { type: "VariableDeclaration" }>["declarations"][number];

/**
 * Shows a constant by its type, a function by its signature, and any other constant by its value.
 */
function constant({ text }: Source, { start, end, id, init }: Constant): string {
  if ("typeAnnotation" in id && id.typeAnnotation) return `const ${text.slice(start, id.end)};`;
  if (init?.type === "ArrowFunctionExpression")
    return `const ${text.slice(start, init.body.start).trimEnd()} …`;
  return `const ${text.slice(start, end)};`;
}

function codeOf(source: Source, declaration: Declared): string {
  if (declaration.type === "ClassDeclaration") return classOf(source, declaration);
  const end =
    declaration.type === "FunctionDeclaration" && declaration.body
      ? declaration.body.start
      : declaration.end;
  const code = source.text.slice(declaration.start, end).trimEnd();
  return declaration.type === "FunctionDeclaration" ? `${code};` : code;
}

/** A class with its public members, without method bodies. */
function classOf(source: Source, { start, body }: Class): string {
  const lines = body.body.flatMap((member) => {
    if ("accessibility" in member && member.accessibility === "private") return [];
    const body = member.type === "MethodDefinition" ? member.value.body : null;
    const doc = docBefore(source, member.start);
    const code = source.text.slice(member.start, body?.start ?? member.end).trimEnd();
    return [...(doc === "" ? [] : [`  /** ${doc} */`]), `  ${code.replace(/;?$/, ";")}`];
  });
  return `${source.text.slice(start, body.start)}{\n${lines.join("\n")}\n}`;
}

/** The docstring that ends directly before `start`. */
function docBefore({ text, comments }: Pick<Source, "text" | "comments">, start: number): string {
  const comment = comments.find(
    ({ end, value }) =>
      value.startsWith("*") && end < start && text.slice(end, start).trim() === "",
  );
  return (comment?.value ?? "")
    .split("\n")
    .map((line) => line.trim().replace(/^\*+ ?/, ""))
    .join("\n")
    .trim();
}

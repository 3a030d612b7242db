import {
  type BindingPattern,
  type ParamPattern,
  type Program,
  parseSync,
  type Statement,
  Visitor,
} from "oxc-parser";
import type { Files, Rule } from "./files.ts";

/**
 * Two files of one package do not declare the same top-level name. A re-export declares nothing.
 */
export const uniqueNames: Rule = (files) => {
  const places = new Map<string, string[]>();
  for (const [path, folder, text] of sources(files))
    for (const name of topLevelNames(parse(path, text))) {
      const key = `${folder}: ${name}`;
      places.set(key, [...(places.get(key) ?? []), path.slice(folder.length + 1)]);
    }
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([key, paths]) => `${key} is declared in ${paths.join(" and ")}`);
};

/** A name of one letter is allowed only in an arrow function of at most two lines. */
export const longNames: Rule = (files) =>
  sources(files).flatMap(([path, , text]) =>
    shortNames(parse(path, text), text).map(({ name, line }) => `${path}:${line} names a ${name}`),
  );

type Source = readonly [path: string, folder: string, text: string];

/** The sources of each package, app and tooling folder. */
const sources = (files: Files): readonly Source[] =>
  [...files].flatMap(([path, text]) => {
    const folder = /^((?:packages|apps|tests|tooling)\/[^/]+)(?:\/template)?\/src\/.*\.m?ts$/.exec(
      path,
    );
    return folder?.[1] === undefined ? [] : [[path, folder[1], text] as const];
  });

/** The programs of texts that were parsed: both rules read all sources. */
const programs = new Map<string, Program>();

function parse(path: string, text: string): Program {
  const program = programs.get(text) ?? parseSync(path, text).program;
  programs.set(text, program);
  return program;
}

const topLevelNames = (program: Program): ReadonlySet<string> =>
  new Set(program.body.flatMap(declaredNames));

function declaredNames(statement: Statement): readonly string[] {
  switch (statement.type) {
    case "ExportNamedDeclaration":
      return statement.declaration === null ? [] : declaredNames(statement.declaration);
    case "VariableDeclaration":
      return statement.declarations.flatMap(({ id }) => bindings(id)).map(({ name }) => name);
    case "FunctionDeclaration":
    case "TSDeclareFunction":
    case "ClassDeclaration":
      return statement.id === null ? [] : [statement.id.name];
    case "TSTypeAliasDeclaration":
    case "TSInterfaceDeclaration":
    case "TSEnumDeclaration":
      return [statement.id.name];
    default:
      return [];
  }
}

interface Binding {
  readonly name: string;
  readonly start: number;
}

/** The variables that a pattern declares. */
function bindings(pattern: BindingPattern | ParamPattern | null): readonly Binding[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern];
    case "ObjectPattern":
      return pattern.properties.flatMap((part) =>
        bindings(part.type === "RestElement" ? part.argument : part.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((part) =>
        bindings(part?.type === "RestElement" ? part.argument : part),
      );
    case "AssignmentPattern":
      return bindings(pattern.left);
    case "RestElement":
      return bindings(pattern.argument);
    case "TSParameterProperty":
      return bindings(pattern.parameter);
    default:
      return [];
  }
}

interface ShortName {
  readonly name: string;
  readonly line: number;
}

function shortNames(program: Program, text: string): readonly ShortName[] {
  const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length;
  const found: ShortName[] = [];
  let briefArrows = 0;
  const add = (...patterns: readonly (BindingPattern | ParamPattern | null)[]): void => {
    if (briefArrows > 0) return;
    for (const { name, start } of patterns.flatMap(bindings))
      if (name.length === 1 && name !== "_") found.push({ name, line: lineOf(start) });
  };
  const isBrief = ({ start, end }: { readonly start: number; readonly end: number }): boolean =>
    text.slice(start, end).split("\n").length <= 2;
  new Visitor({
    ArrowFunctionExpression(arrow) {
      if (isBrief(arrow)) briefArrows++;
      add(...arrow.params);
    },
    "ArrowFunctionExpression:exit"(arrow) {
      if (isBrief(arrow)) briefArrows--;
    },
    FunctionDeclaration: ({ id, params }) => add(id, ...params),
    FunctionExpression: ({ id, params }) => add(id, ...params),
    VariableDeclarator: ({ id }) => add(id),
    CatchClause: ({ param }) => add(param),
  }).visit(program);
  return found;
}

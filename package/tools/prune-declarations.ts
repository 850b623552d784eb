import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";
import { leadToDocs } from "./lead-to-docs.ts";

/**
 * Leaves of a package's declarations what its doors lead to: who imports one needs no types of what lies behind it, such as
 * those of Lambda, and nobody can name the rest.
 */
export function pruneDeclarations(dist: string): void {
  const modules = new Map<string, Module>();
  const open = (path: string): Module => {
    const known = modules.get(path) ?? readModule(path);
    modules.set(path, known);
    return known;
  };
  const needExport = (path: string, name: string): boolean => {
    const module = open(path);
    for (const found of module.exported.get(name) ?? []) {
      if (typeof found === "string") needLocal(path, found);
      else {
        module.kept.add(found.element);
        needExport(found.from, found.name);
      }
      return true;
    }
    return module.everythingOf.some(({ from, statement }) => {
      if (!needExport(from, name)) return false;
      module.kept.add(statement);
      return true;
    });
  };
  const needLocal = (path: string, name: string): void => {
    const module = open(path);
    for (const element of module.exportLists.get(name) ?? []) module.kept.add(element);
    for (const statement of module.declared.get(name) ?? []) {
      if (module.kept.has(statement)) continue;
      module.kept.add(statement);
      for (const used of namesIn(statement)) needLocal(path, used);
      for (const { from, name: used } of importTypesIn(statement, path)) needAll(from, used);
    }
    const imported = module.imported.get(name);
    if (imported === undefined || module.kept.has(imported.element)) return;
    module.kept.add(imported.element);
    if (imported.from !== undefined) needAll(imported.from, imported.name);
  };
  const needAll = (path: string, name: string | undefined): void => {
    if (name !== undefined) needExport(path, name);
    else for (const each of allExports(path)) needExport(path, each);
  };
  const allExports = (path: string): string[] => {
    const { exported, everythingOf } = open(path);
    return [...exported.keys(), ...everythingOf.flatMap(({ from }) => allExports(from))];
  };

  for (const door of globSync("package/*.d.ts", { cwd: dist })) needAll(join(dist, door), undefined);
  for (const file of globSync("**/*.d.ts", { cwd: dist })) {
    const path = join(dist, file);
    const module = modules.get(path);
    if (module === undefined || module.kept.size === 0) rmSync(path);
    else writeFileSync(path, writeModule(module));
  }
}

/** Of a declaration file, what leads from it to others. Paths are those of declaration files. */
interface Module {
  readonly source: ts.SourceFile;
  /** By the name outside: a name inside, or what another module exports. */
  readonly exported: Map<string, (string | (Place & { element: ts.Node }))[]>;
  /** By the name inside: where it stands in a list of what is exported. */
  readonly exportLists: Map<string, ts.Node[]>;
  readonly everythingOf: { from: string; statement: ts.Statement }[];
  readonly declared: Map<string, ts.Statement[]>;
  /** `from` is undefined for another package, `name` for all of a module. */
  readonly imported: Map<string, { from: string | undefined; name: string | undefined; element: ts.Node }>;
  readonly kept: Set<ts.Node>;
}

interface Place {
  readonly from: string;
  readonly name: string;
}

function readModule(path: string): Module {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const module: Module = {
    source,
    exported: new Map(),
    exportLists: new Map(),
    everythingOf: [],
    declared: new Map(),
    imported: new Map(),
    kept: new Set(),
  };
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) readImport(module, statement, path);
    else if (ts.isExportDeclaration(statement)) readExport(module, statement, path);
    else {
      const isExported =
        ts.canHaveModifiers(statement) &&
        ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      for (const name of declaredBy(statement)) {
        module.declared.set(name, [...(module.declared.get(name) ?? []), statement]);
        if (isExported) module.exported.set(name, [name]);
      }
    }
  }
  return module;
}

function readImport(module: Module, statement: ts.ImportDeclaration, path: string): void {
  const from = pathOf(statement.moduleSpecifier, path);
  const { name, namedBindings } = statement.importClause ?? {};
  if (name !== undefined) module.imported.set(name.text, { from, name: "default", element: name });
  if (namedBindings === undefined) return;
  if (ts.isNamespaceImport(namedBindings)) {
    module.imported.set(namedBindings.name.text, { from, name: undefined, element: namedBindings });
    return;
  }
  for (const element of namedBindings.elements) {
    const imported = (element.propertyName ?? element.name).text;
    module.imported.set(element.name.text, { from, name: imported, element });
  }
}

function readExport(module: Module, statement: ts.ExportDeclaration, path: string): void {
  const from = statement.moduleSpecifier && pathOf(statement.moduleSpecifier, path);
  const { exportClause } = statement;
  if (exportClause === undefined) {
    if (from !== undefined) module.everythingOf.push({ from, statement });
    return;
  }
  if (!ts.isNamedExports(exportClause)) {
    throw new Error(`${path} exports a module as one name: name what is exported of it.`);
  }
  for (const element of exportClause.elements) {
    const inside = (element.propertyName ?? element.name).text;
    if (from === undefined) {
      module.exported.set(element.name.text, [inside]);
      module.exportLists.set(inside, [...(module.exportLists.get(inside) ?? []), element]);
    } else module.exported.set(element.name.text, [{ from, name: inside, element }]);
  }
}

function pathOf(specifier: ts.Expression, path: string): string | undefined {
  if (!ts.isStringLiteral(specifier) || !specifier.text.startsWith(".")) return undefined;
  return resolve(dirname(path), specifier.text.replace(/\.(?:js|ts)$/, ".d.ts"));
}

function declaredBy(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  }
  const isNamed =
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isEnumDeclaration(statement) ||
    ts.isModuleDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

/** Gives the names that a declaration needs to be understood. */
function namesIn(statement: ts.Statement): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (name: ts.Node): void => {
    if (ts.isIdentifier(name)) names.add(name.text);
    else if (ts.isQualifiedName(name)) add(name.left);
    else if (ts.isPropertyAccessExpression(name)) add(name.expression);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node)) add(node.typeName);
    else if (ts.isTypeQueryNode(node)) add(node.exprName);
    else if (ts.isExpressionWithTypeArguments(node)) add(node.expression);
    else if (ts.isComputedPropertyName(node)) add(node.expression);
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return names;
}

function importTypesIn(statement: ts.Statement, path: string): { from: string; name: string | undefined }[] {
  const found: { from: string; name: string | undefined }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const { literal } = node.argument;
      const from = ts.isStringLiteral(literal) ? pathOf(literal, path) : undefined;
      const { qualifier } = node;
      const name = qualifier !== undefined && ts.isIdentifier(qualifier) ? qualifier.text : undefined;
      if (from !== undefined) found.push({ from, name });
    }
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return found;
}

function writeModule({ source, kept }: Module): string {
  const parts = source.statements.map((statement) => {
    if (ts.isImportDeclaration(statement)) return writeImport(statement, kept);
    if (ts.isExportDeclaration(statement)) return writeExport(statement, kept);
    return kept.has(statement) ? statement.getFullText(source) : "";
  });
  const text = leadToDocs(`${parts.join("").trim()}\n`);
  return `${needs.map(([found, reference]) => (found.test(text) ? `${reference}\n` : "")).join("")}${text}`;
}

/** What a compiler is told to look at where a file says more than every compiler knows without being told. */
const needs = [
  [/\b(?:Async)?Disposable\b/, '/// <reference lib="esnext.disposable" />'],
  [/from "node:|\bBuffer\b|\bNodeJS\./, '/// <reference types="node" />'],
] as const;

function writeImport(statement: ts.ImportDeclaration, kept: ReadonlySet<ts.Node>): string {
  const { importClause, moduleSpecifier } = statement;
  const { name, namedBindings } = importClause ?? {};
  const usual = name !== undefined && kept.has(name) ? [name.text] : [];
  const others =
    namedBindings === undefined
      ? []
      : ts.isNamespaceImport(namedBindings)
        ? [namedBindings].filter((all) => kept.has(all)).map((all) => all.getText())
        : listOf(namedBindings.elements, kept);
  const clause = [...usual, ...others].join(", ");
  if (clause === "") return "";
  const kind = statement.getText().startsWith("import type") ? "import type" : "import";
  return `\n${kind} ${clause} from ${moduleSpecifier.getText()};`;
}

function writeExport(statement: ts.ExportDeclaration, kept: ReadonlySet<ts.Node>): string {
  const { exportClause, moduleSpecifier } = statement;
  if (exportClause === undefined) return kept.has(statement) ? statement.getFullText() : "";
  if (!ts.isNamedExports(exportClause) || exportClause.elements.length === 0) return statement.getFullText();
  const [list] = listOf(exportClause.elements, kept);
  if (list === undefined) return "";
  const from = moduleSpecifier === undefined ? "" : ` from ${moduleSpecifier.getText()}`;
  return `\n${statement.isTypeOnly ? "export type" : "export"} ${list}${from};`;
}

function listOf(elements: readonly ts.Node[], kept: ReadonlySet<ts.Node>): string[] {
  const list = elements.filter((element) => kept.has(element)).map((element) => element.getText());
  return list.length === 0 ? [] : [`{ ${list.join(", ")} }`];
}

import { globSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** An app with one entry point needs no types of other packages, such as Lambda's. */
export function pruneDeclarations(dist: string): void {
  const entries = globSync("package/*.d.ts", { cwd: dist }).map((file) => join(dist, file));
  const program = ts.createProgram(entries, {
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    types: [],
  });
  const kept = findKept(program, dist, entries);
  for (const file of globSync("**/*.d.ts", { cwd: dist })) {
    const path = join(dist, file);
    const source = program.getSourceFile(path);
    const text = source === undefined ? "" : writeModule(source, kept);
    if (text === "") rmSync(path);
    else writeFileSync(path, addReferences(leadToDocs(text)));
  }
}

function findKept(program: ts.Program, dist: string, entries: readonly string[]): ReadonlySet<ts.Node> {
  const checker = program.getTypeChecker();
  const kept = new Set<ts.Node>();
  const keep = (symbol: ts.Symbol | undefined): void => {
    for (const node of symbol?.declarations ?? []) {
      const part = isListed(node) ? node : statementOf(node);
      if (part === undefined || kept.has(part) || !part.getSourceFile().fileName.startsWith(`${dist}/`))
        continue;
      kept.add(part);
      if (part === node && symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias)
        keep(checker.getImmediateAliasedSymbol(symbol));
      else keepNamed(part);
    }
  };
  const keepNamed = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) keep(checker.getSymbolAtLocation(node));
    else ts.forEachChild(node, keepNamed);
  };
  for (const entry of entries) {
    const source = program.getSourceFile(entry);
    const module = source && checker.getSymbolAtLocation(source);
    for (const symbol of module ? checker.getExportsOfModule(module) : []) keep(symbol);
  }
  return kept;
}

function isListed(node: ts.Node): boolean {
  return (
    ts.isImportSpecifier(node) ||
    ts.isExportSpecifier(node) ||
    ts.isNamespaceImport(node) ||
    ts.isImportClause(node)
  );
}

function statementOf(node: ts.Node): ts.Node | undefined {
  return ts.findAncestor(node, ({ parent }) => parent !== undefined && ts.isSourceFile(parent));
}

function writeModule(source: ts.SourceFile, kept: ReadonlySet<ts.Node>): string {
  const parts = source.statements.map((statement) => {
    if (ts.isImportDeclaration(statement)) return writeImport(statement, kept);
    if (ts.isExportDeclaration(statement)) return writeExport(statement, kept);
    return kept.has(statement) ? statement.getFullText() : "";
  });
  const text = parts.join("").trim();
  return text === "" || text === "export {};" ? "" : `${text}\n`;
}

function writeImport(statement: ts.ImportDeclaration, kept: ReadonlySet<ts.Node>): string {
  const bindings = statement.importClause?.namedBindings;
  if (bindings === undefined) return "";
  const elements = ts.isNamespaceImport(bindings) ? [bindings] : [...bindings.elements];
  const names = namesOf(elements, kept);
  if (names.length === 0) return "";
  const clause = ts.isNamespaceImport(bindings) ? names.join() : `{ ${names.join(", ")} }`;
  const kind = statement.importClause?.isTypeOnly ? "import type" : "import";
  return `\n${kind} ${clause} from ${statement.moduleSpecifier.getText()};`;
}

function writeExport(statement: ts.ExportDeclaration, kept: ReadonlySet<ts.Node>): string {
  const { exportClause, moduleSpecifier, isTypeOnly } = statement;
  if (exportClause === undefined || !ts.isNamedExports(exportClause) || exportClause.elements.length === 0)
    return statement.getFullText();
  const names = namesOf(exportClause.elements, kept);
  if (names.length === 0) return "";
  const from = moduleSpecifier === undefined ? "" : ` from ${moduleSpecifier.getText()}`;
  return `\n${isTypeOnly ? "export type" : "export"} { ${names.join(", ")} }${from};`;
}

function namesOf(elements: readonly ts.Node[], kept: ReadonlySet<ts.Node>): readonly string[] {
  return elements.filter((element) => kept.has(element)).map((element) => element.getText());
}

/** Adds backticks: TypeScript reads the first word after a tag such as `@see` as a name. */
function leadToDocs(declarations: string): string {
  const cited = /(?<![\w/.`"'])(docs\/(?:[\w-]+\/)*[\w-]+\.md(?:#[\w-]+)?)(?![`"'])/g;
  return declarations.replace(cited, "`cometchat-functions/$1`");
}

/** Not every project has these types. */
function addReferences(text: string): string {
  const disposable = /\b(?:Async)?Disposable\b/.test(text)
    ? '/// <reference lib="esnext.disposable" />\n'
    : "";
  const node = /from "node:|\bBuffer\b|\bNodeJS\./.test(text) ? '/// <reference types="node" />\n' : "";
  return `${disposable}${node}${text}`;
}

import { resolve } from "node:path";
import ts from "../../tools/reference/node_modules/typescript/lib/typescript.js";
import { createShapeReader, type ShapeReader } from "./read-shape.ts";
import type { Shape } from "./shape.ts";

export interface FamilyFacts {
  readonly name: string;
  readonly doc: string;
  readonly operations: readonly OperationFacts[];
}

export interface OperationFacts {
  readonly family: string;
  readonly method: string;
  readonly doc: string;
  readonly id: string;
  readonly request: string;
  readonly onBehalfOf: string | undefined;
  readonly isPaged: boolean;
  readonly input: Shape | undefined;
  /** For a list: one item. */
  readonly answer: Shape;
}

export interface FamilySource {
  readonly file: string;
  readonly variable: string;
}

/**
 * With the compiler, in their listed order.
 * @throws Error if the source does not compile to families
 */
export function readFamilies(
  root: string,
  sources: readonly FamilySource[],
): readonly (readonly FamilyFacts[])[] {
  const program = openProgram(
    root,
    sources.map(({ file }) => resolve(root, file)),
  );
  const checker = program.getTypeChecker();
  const reader = createShapeReader(checker, (file) => file.startsWith(resolve(root, "lib/chat")));
  return sources.map(({ file, variable }) => {
    const families = symbolOf(program, checker, resolve(root, file), variable);
    return checker
      .getPropertiesOfType(checker.getTypeOfSymbol(families))
      .map((family) => readFamily(checker, reader, family));
  });
}

function openProgram(root: string, rootNames: readonly string[]): ts.Program {
  const { config } = ts.readConfigFile(resolve(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return ts.createProgram({ rootNames, options });
}

function symbolOf(program: ts.Program, checker: ts.TypeChecker, file: string, variable: string): ts.Symbol {
  const source = program.getSourceFile(file);
  const found = source?.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .find(({ name }) => ts.isIdentifier(name) && name.text === variable);
  const symbol = found && checker.getSymbolAtLocation(found.name);
  if (symbol === undefined) throw new Error(`${file} has no variable ${variable}.`);
  return symbol;
}

function readFamily(checker: ts.TypeChecker, reader: ShapeReader, family: ts.Symbol): FamilyFacts {
  const operations = checker.getPropertiesOfType(checker.getTypeOfSymbol(family));
  return {
    name: family.name,
    doc: docOf(checker, declared(checker, family)),
    operations: operations.map((operation) => readOperation(checker, reader, family.name, operation)),
  };
}

/** `{ messages }` refers to the variable, which has the docs. */
function declared(checker: ts.TypeChecker, family: ts.Symbol): ts.Symbol {
  const written = family.valueDeclaration;
  const value =
    written !== undefined && ts.isShorthandPropertyAssignment(written)
      ? checker.getShorthandAssignmentValueSymbol(written)
      : undefined;
  if (value === undefined) return family;
  return value.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(value) : value;
}

function readOperation(
  checker: ts.TypeChecker,
  reader: ShapeReader,
  family: string,
  operation: ts.Symbol,
): OperationFacts {
  const type = checker.getTypeOfSymbol(operation);
  const textOf = (name: string) => {
    const property = checker.getPropertyOfType(type, name);
    const value = property && checker.getTypeOfSymbol(property);
    return value?.isStringLiteral() ? value.value : undefined;
  };
  const side = (name: "input" | "answer", part: "input" | "output") => {
    const schema = checker.getPropertyOfType(type, name);
    const made = schema && checker.getTypeOfSymbol(schema).getCallSignatures()[0]?.getReturnType();
    return made && reader.read(typeIn(checker, typeIn(checker, made, "_zod"), part));
  };
  const [id, request, read] = [textOf("id"), textOf("request"), side("answer", "output")];
  const answer = read && nameAnswer(checker, checker.getPropertyOfType(type, "answer"), read);
  if (id === undefined || request === undefined || answer === undefined) {
    throw new Error(`${family}.${operation.name} is no operation.`);
  }
  return {
    family,
    method: operation.name,
    doc: docOf(checker, operation),
    id,
    request,
    onBehalfOf: textOf("onBehalfOf"),
    isPaged: textOf("paged") !== undefined,
    input: asChange(request, side("input", "input")),
    answer,
  };
}

/** As ChangeInput in lib/chat/needs.ts. */
function asChange(request: string, input: Shape | undefined): Shape | undefined {
  const isChange = /^(PUT|PATCH) /.test(request) && input?.kind === "object" && input.forms === undefined;
  if (!isChange || input.others !== undefined || !input.fields.every(({ optional }) => optional))
    return input;
  return { ...input, forms: input.fields.map(({ name }) => [name]) };
}

/** After the function that makes its schema: `apiKeyAnswer` makes an `ApiKey`. */
function nameAnswer(checker: ts.TypeChecker, property: ts.Symbol | undefined, answer: Shape): Shape {
  const written = property?.valueDeclaration;
  const isNamed = written && ts.isPropertyAssignment(written) && ts.isIdentifier(written.initializer);
  if (!isNamed || answer.kind !== "object" || answer.name !== undefined) return answer;
  const local = checker.getSymbolAtLocation(written.initializer);
  const made = local && local.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(local) : local;
  const [, noun] = /^(\w+)Answer$/.exec(made?.name ?? "") ?? [];
  if (made === undefined || noun === undefined) return answer;
  return {
    ...answer,
    name: noun.charAt(0).toUpperCase() + noun.slice(1),
    doc: ts.displayPartsToString(made.getDocumentationComment(checker)),
  };
}

function typeIn(checker: ts.TypeChecker, type: ts.Type, name: string): ts.Type {
  const property = checker.getPropertyOfType(type, name);
  if (property === undefined) throw new Error(`${checker.typeToString(type)} has no ${name}.`);
  return checker.getTypeOfSymbol(property);
}

/** The sentence, `@see`, whose path the compiler splits into a name and a rest, and examples. */
function docOf(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  const tags = symbol
    .getJsDocTags(checker)
    .map(({ name, text }) => ({ name, text: ts.displayPartsToString(text) }));
  const pages = tags.flatMap(({ name, text }) =>
    name === "see" ? [`See ${text.replace(/^docs \//, "docs/")}.`] : [],
  );
  const examples = tags.flatMap(({ name, text }) => (name === "example" ? [`@example\n${text}`] : []));
  const summary = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  return [[summary, ...pages].join(" "), ...examples].join("\n");
}

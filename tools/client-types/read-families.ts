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
  /** One item of a list, or the answer. */
  readonly answer: Shape;
}

export class FamilyReader {
  readonly #root: string;
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  readonly #shapes: ShapeReader;

  constructor(root: string, files: readonly string[]) {
    const { config } = ts.readConfigFile(resolve(root, "tsconfig.json"), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    this.#root = root;
    this.#program = ts.createProgram({ rootNames: files.map((file) => resolve(root, file)), options });
    this.#checker = this.#program.getTypeChecker();
    this.#shapes = createShapeReader(this.#checker, (file) => file.startsWith(resolve(root, "lib/chat")));
  }

  read(file: string, variable: string): readonly FamilyFacts[] {
    const source = this.#program.getSourceFile(resolve(this.#root, file));
    const found = source?.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .find(({ name }) => ts.isIdentifier(name) && name.text === variable);
    const families = found && this.#checker.getSymbolAtLocation(found.name);
    if (families === undefined) throw new Error(`${file} has no variable ${variable}.`);
    return this.#propertiesOf(families).map((family) => ({
      name: family.name,
      doc: this.#docOf(this.#declared(family)),
      operations: this.#propertiesOf(family).map((operation) => this.#readOperation(family.name, operation)),
    }));
  }

  #propertiesOf(symbol: ts.Symbol): readonly ts.Symbol[] {
    return this.#checker.getPropertiesOfType(this.#checker.getTypeOfSymbol(symbol));
  }

  /** Finds the variable in `{ messages }`, which has the docs. */
  #declared(family: ts.Symbol): ts.Symbol {
    const written = family.valueDeclaration;
    const isShort = written !== undefined && ts.isShorthandPropertyAssignment(written);
    const value = isShort ? this.#checker.getShorthandAssignmentValueSymbol(written) : undefined;
    return value === undefined ? family : this.#withoutAlias(value);
  }

  #withoutAlias(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #readOperation(family: string, operation: ts.Symbol): OperationFacts {
    const type = this.#checker.getTypeOfSymbol(operation);
    const textOf = (name: string) => {
      const value = this.#typeIn(type, name);
      return value?.isStringLiteral() ? value.value : undefined;
    };
    const shapeOf = (name: "input" | "answer", part: "input" | "output") => {
      const made = this.#typeIn(type, name)?.getCallSignatures()[0]?.getReturnType();
      const inside = made && this.#typeIn(made, "_zod");
      const read = inside && this.#typeIn(inside, part);
      return read && this.#shapes.read(read);
    };
    const [id, request, answer] = [textOf("id"), textOf("request"), shapeOf("answer", "output")];
    if (id === undefined || request === undefined || answer === undefined)
      throw new Error(`${family}.${operation.name} is no operation.`);
    return {
      family,
      method: operation.name,
      id,
      request,
      doc: this.#docOf(operation),
      onBehalfOf: textOf("onBehalfOf"),
      isPaged: textOf("paged") !== undefined,
      input: asChange(request, shapeOf("input", "input")),
      answer: this.#nameAnswer(this.#checker.getPropertyOfType(type, "answer"), answer),
    };
  }

  /** Names an answer after the function that makes its schema: `apiKeyAnswer` makes an `ApiKey`. */
  #nameAnswer(property: ts.Symbol | undefined, answer: Shape): Shape {
    const written = property?.valueDeclaration;
    const isNamed = written && ts.isPropertyAssignment(written) && ts.isIdentifier(written.initializer);
    if (!isNamed || answer.kind !== "object" || answer.name !== undefined) return answer;
    const local = this.#checker.getSymbolAtLocation(written.initializer);
    const made = local && this.#withoutAlias(local);
    const [, noun] = /^(\w+)Answer$/.exec(made?.name ?? "") ?? [];
    if (made === undefined || noun === undefined) return answer;
    const doc = ts.displayPartsToString(made.getDocumentationComment(this.#checker));
    return { ...answer, name: noun.charAt(0).toUpperCase() + noun.slice(1), doc };
  }

  #typeIn(type: ts.Type, name: string) {
    const property = this.#checker.getPropertyOfType(type, name);
    return property && this.#checker.getTypeOfSymbol(property);
  }

  /** Returns the sentence, `@see`, whose path the compiler splits into a name and a rest, and examples. */
  #docOf(symbol: ts.Symbol) {
    const summary = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker));
    const tags = symbol.getJsDocTags(this.#checker);
    const textsOf = (name: string) =>
      tags.flatMap((tag) => (tag.name === name ? [ts.displayPartsToString(tag.text)] : []));
    const pages = textsOf("see").map((text) => `See ${text.replace(/^docs \//, "docs/")}.`);
    const examples = textsOf("example").map((text) => `@example\n${text}`);
    return [[summary, ...pages].join(" "), ...examples].join("\n");
  }
}

function asChange(request: string, input: Shape | undefined) {
  const isChange = /^(PUT|PATCH) /.test(request) && input?.kind === "object" && input.forms === undefined;
  if (!isChange || input.others !== undefined || !input.fields.every(({ optional }) => optional))
    return input;
  return { ...input, forms: input.fields.map(({ name }) => [name]) };
}

import ts from "../../tools/reference/node_modules/typescript/lib/typescript.js";
import { type Field, keyOf, type ObjectShape, type Shape } from "./shape.ts";

export interface ShapeReader {
  read(type: ts.Type): Shape;
}

/** @throws Error for a type without a plain form, such as a function */
export function createShapeReader(checker: ts.TypeChecker, isOwn: (file: string) => boolean): ShapeReader {
  function read(type: ts.Type): Shape {
    if (type.isUnion()) return readUnion(type);
    if (checker.isArrayType(type)) return readList(type);
    if (type.flags & plainFlags) return { kind: "text", text: checker.typeToString(type) };
    const foreign = type.symbol?.declarations?.[0]?.getSourceFile().fileName;
    if (type.isClassOrInterface() && foreign !== undefined && !isOwn(foreign)) {
      return { kind: "text", text: type.symbol.name };
    }
    if (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return readObject(type);
    throw new Error(`The type ${checker.typeToString(type)} has no plain form.`);
  }

  function readUnion(type: ts.UnionType): Shape {
    const isFlag = type.types.filter((part) => part.flags & ts.TypeFlags.BooleanLiteral).length === 2;
    const parts = type.types
      .filter((part) => !(part.flags & ts.TypeFlags.Undefined))
      .filter((part) => !(isFlag && part.flags & ts.TypeFlags.BooleanLiteral))
      .map(read);
    const of = isFlag ? [...parts, { kind: "text", text: "boolean" } as const] : parts;
    const [only, ...more] = of.toSorted(byReading);
    const formed = readForms(of);
    if (formed !== undefined) return formed;
    return only !== undefined && more.length === 0 ? only : { kind: "union", of: of.toSorted(byReading) };
  }

  function readList(type: ts.Type): Shape {
    const of = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (of === undefined) throw new Error(`The list ${checker.typeToString(type)} holds nothing.`);
    return { kind: "list", of: read(of) };
  }

  function readObject(type: ts.Type): ObjectShape {
    const others = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    return {
      kind: "object",
      name: type.isClassOrInterface() ? type.symbol.name : undefined,
      doc: type.isClassOrInterface() ? docOf(type.symbol) : "",
      fields: checker.getPropertiesOfType(type).map(readField),
      others: others && read(others),
    };
  }

  function readField(property: ts.Symbol): Field {
    return {
      name: property.name,
      doc: docOf(property),
      optional: Boolean(property.flags & ts.SymbolFlags.Optional),
      shape: read(checker.getTypeOfSymbol(property)),
    };
  }

  function docOf(symbol: ts.Symbol) {
    return ts.displayPartsToString(symbol.getDocumentationComment(checker));
  }

  return { read };
}

function readForms(of: readonly Shape[]): ObjectShape | undefined {
  const objects = of.filter((shape) => shape.kind === "object");
  const [first, ...others] = objects;
  if (first === undefined || others.length === 0 || objects.length < of.length) return undefined;
  const namesOf = ({ fields }: ObjectShape) =>
    fields
      .map(({ name }) => name)
      .toSorted()
      .join();
  if (others.some((other) => namesOf(other) !== namesOf(first))) return undefined;
  const isOptional = (name: string, { fields }: ObjectShape) =>
    fields.some((field) => field.name === name && field.optional);
  const fields = first.fields.map((field) => ({
    ...field,
    optional: objects.some((object) => isOptional(field.name, object)),
  }));
  const forms = objects.map((object) =>
    fields
      .filter(({ name, optional }) => optional && !isOptional(name, object))
      .map(({ name }) => name)
      .toSorted(),
  );
  return { ...first, fields, forms: forms.toSorted((a, b) => compare(a.join(), b.join())) };
}

const plainFlags =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.Unknown |
  ts.TypeFlags.Null |
  ts.TypeFlags.Undefined;

/** Sorts: the compiler's order depends on what it reads first. */
function byReading(a: Shape, b: Shape) {
  return rank(a) - rank(b) || compare(textOf(a), textOf(b));
}

function rank(shape: Shape): number {
  if (shape.kind !== "text") return shape.kind === "list" ? 1 : 2;
  return shape.text === "null" ? 3 : 0;
}

function textOf(shape: Shape): string | number {
  if (shape.kind !== "text") return keyOf(shape);
  return Number.isNaN(Number(shape.text)) ? shape.text : Number(shape.text);
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

import { shapeNames } from "./nouns.ts";
import { capital, operationName, singular } from "./operation-name.ts";
import type { FamilyFacts, OperationFacts } from "./read-families.ts";
import { keyOf, type ObjectShape, type Shape, type UnionShape } from "./shape.ts";

/** A type with a name, to be declared once. */
export interface NamedType {
  readonly name: string;
  readonly doc: string;
  readonly shape: ObjectShape | UnionShape;
  /** The type whose fields it has, all and no others; undefined where it has its own. */
  readonly same: string | undefined;
  /** The family that met it first. */
  readonly family: string;
}

/** Every type that is declared, and how to write each shape. */
export interface Names {
  readonly types: readonly NamedType[];
  /** The name a shape is declared under; undefined for one that is written out where it stands. */
  nameOf(shape: Shape): string | undefined;
  /** What an operation's input is called; undefined where it takes none. */
  inputOf(operation: OperationFacts): string | undefined;
}

/**
 * Names all shapes: a declared one keeps its name, what an operation takes or answers is called after it, a shape within
 * after its field; equal shapes have one name.
 * @throws Error where two different shapes would have one name
 */
export function nameShapes(families: readonly FamilyFacts[]): Names {
  const types = new Map<string, NamedType>();
  const byKey = new Map<string, string>();
  const inputs = new Map<string, string>();

  for (const operation of families.flatMap((family) => family.operations)) {
    const { family, method, request, input, answer } = operation;
    const call = `${family}.${method}`;
    const base = operationName(operation);
    if (input !== undefined) {
      const suffix = request.startsWith("GET ") ? "Query" : "Input";
      inputs.set(call, nameInput(input, { base, suffix, family, doc: `What \`${call}\` takes.` }));
    }
    visit(answer, { base, suffix: "Answer", family, doc: `What \`${call}\` answers.` });
  }

  /** Each operation has an input of its own name; a long one that another has too is declared by it. */
  function nameInput(input: Shape, place: Place): string {
    if (input.kind !== "object" && input.kind !== "union") throw new Error(`${place.base} takes no object.`);
    const key = keyOf(input);
    const isLong = input.kind === "union" || input.fields.length > 3;
    const same = isLong ? byKey.get(key) : undefined;
    const name = declare(input, place, same);
    if (isLong && same === undefined) byKey.set(key, name);
    if (same === undefined) visitParts(input, place);
    return name;
  }

  function visit(shape: Shape, place: Place): void {
    switch (shape.kind) {
      case "text":
        break;
      case "list":
        visit(shape.of, place);
        break;
      case "union":
        if (shape.of.length > longestUnion) share(shape, place);
        else for (const part of shape.of) visit(part, place);
        break;
      case "object":
        if (isMap(shape)) visitParts(shape, place);
        else share(shape, place);
    }
  }

  function share(shape: ObjectShape | UnionShape, place: Place): void {
    const key = keyOf(shape);
    if (byKey.has(key)) return;
    byKey.set(key, declare(shape, place, undefined));
    visitParts(shape, place);
  }

  function visitParts(shape: ObjectShape | UnionShape, { base, suffix, family }: Place): void {
    const isDeclared = shape.kind === "object" && shape.name !== undefined && suffix === "Answer";
    const whole = isDeclared ? (shape.name ?? base) : base;
    const place = { suffix: isDeclared ? "" : suffix, family };
    const called = rename(`${whole}${place.suffix}`);
    if (shape.kind === "union") {
      for (const [index, part] of shape.of.entries()) {
        visit(part, { ...place, base: `${base}Variant${index + 1}`, doc: `One form of ${called}.` });
      }
      return;
    }
    for (const field of shape.fields) {
      const isMany = field.shape.kind === "list" || isMap(field.shape);
      const part = capital(isMany ? singular(field.name) : field.name);
      visit(field.shape, { ...place, base: `${whole}${part}`, doc: `\`${field.name}\` of ${called}.` });
    }
    if (shape.others !== undefined) visit(shape.others, { ...place, base: whole, doc: `One of ${called}.` });
  }

  function declare(shape: ObjectShape | UnionShape, place: Place, same: string | undefined): string {
    const declared = shape.kind === "object" && place.suffix !== "Input" ? shape.name : undefined;
    const name = declared ?? rename(`${place.base}${place.suffix}`);
    if (types.has(name)) throw new Error(`Two different shapes would be called ${name}.`);
    const doc = shape.kind === "object" && shape.doc !== "" ? shape.doc : place.doc;
    types.set(name, { name, doc, shape, same, family: place.family });
    return name;
  }

  return {
    types: [...types.values()],
    nameOf: (shape) => byKey.get(keyOf(shape)),
    inputOf: ({ family, method }) => inputs.get(`${family}.${method}`),
  };
}

/** Where a shape was met, which is what it is called after. */
interface Place {
  readonly base: string;
  readonly suffix: string;
  readonly family: string;
  /** What to say of it where it says nothing itself. */
  readonly doc: string;
}

/** Of more members than these a union is declared apart. */
const longestUnion = 8;

function rename(name: string): string {
  return shapeNames[name] ?? name;
}

/** An object that has nothing but values of one kind under any names. */
function isMap(shape: Shape): shape is ObjectShape {
  return shape.kind === "object" && shape.fields.length === 0;
}

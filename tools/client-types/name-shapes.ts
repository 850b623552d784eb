import { shapeNames } from "./nouns.ts";
import { capital, operationName, singular } from "./operation-name.ts";
import type { FamilyFacts, OperationFacts } from "./read-families.ts";
import { keyOf, type ObjectShape, type Shape, type UnionShape } from "./shape.ts";

export interface NamedType {
  readonly name: string;
  readonly doc: string;
  readonly shape: ObjectShape | UnionShape;
  /** With exactly the same fields. */
  readonly same: string | undefined;
  /** The first that uses it. */
  readonly family: string;
  /** Its fields have a name of their own. */
  readonly fieldsName?: string | undefined;
}

type Aliases = Partial<Pick<NamedType, "same" | "fieldsName">>;

export interface Names {
  readonly types: readonly NamedType[];
  /** Undefined for an inline shape. */
  nameOf(shape: Shape): string | undefined;
  /** Undefined without an input. */
  inputOf(operation: OperationFacts): string | undefined;
}

/**
 * A declared shape keeps its name, an input or answer is named after its operation, a nested shape after its
 * field; equal shapes share a name.
 * @throws Error if two different shapes would have one name
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

  /** Each operation has an input of its own name; a long one that equals another's is declared by it. */
  function nameInput(input: Shape, place: Place): string {
    if (input.kind !== "object" && input.kind !== "union") throw new Error(`${place.base} takes no object.`);
    if (input.kind === "object" && input.forms !== undefined) return nameForms(input, place);
    const key = keyOf(input);
    const isLong = input.kind === "union" || input.fields.length > 3;
    const same = isLong ? byKey.get(key) : undefined;
    const name = declare(input, place, { same });
    if (isLong && same === undefined) byKey.set(key, name);
    if (same === undefined) visitParts(input, place);
    return name;
  }

  function nameForms(input: ObjectShape, place: Place): string {
    const fields = { ...input, forms: undefined };
    const known = byKey.get(keyOf(fields));
    const doc = `Fields of ${place.base}${place.suffix}.`;
    const fieldsName = known ?? declare(fields, { ...place, suffix: "Fields", doc });
    if (known === undefined) visitParts(fields, place);
    byKey.set(keyOf(fields), fieldsName);
    return declare(input, place, { fieldsName });
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
    if (shape.kind === "object" && shape.forms !== undefined)
      return void byKey.set(key, nameForms(shape, place));
    byKey.set(key, declare(shape, place));
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

  function declare(shape: ObjectShape | UnionShape, place: Place, more: Aliases = {}): string {
    const declared = shape.kind === "object" && place.suffix !== "Input" ? shape.name : undefined;
    const name = declared ?? rename(`${place.base}${place.suffix}`);
    if (types.has(name)) throw new Error(`Two different shapes would be called ${name}.`);
    const doc = shape.kind === "object" && shape.doc !== "" ? shape.doc : place.doc;
    types.set(name, { name, doc, shape, same: undefined, family: place.family, ...more });
    return name;
  }

  return {
    types: [...types.values()],
    nameOf: (shape) => byKey.get(keyOf(shape)),
    inputOf: ({ family, method }) => inputs.get(`${family}.${method}`),
  };
}

interface Place {
  readonly base: string;
  readonly suffix: string;
  readonly family: string;
  /** If the shape has none. */
  readonly doc: string;
}

/** More members get their own declaration. */
const longestUnion = 8;

function rename(name: string): string {
  return shapeNames[name] ?? name;
}

function isMap(shape: Shape): shape is ObjectShape {
  return shape.kind === "object" && shape.fields.length === 0;
}

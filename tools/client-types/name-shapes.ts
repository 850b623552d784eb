import { shapeNames } from "./nouns.ts";
import { capital, operationName, singular } from "./operation-name.ts";
import type { FamilyFacts, OperationFacts } from "./read-families.ts";
import { keyOf, type ObjectShape, type Shape, type UnionShape } from "./shape.ts";

export interface NamedType {
  readonly name: string;
  readonly doc: string;
  readonly family: string;
  readonly shape: ObjectShape | UnionShape;
  readonly alias: string | undefined;
}

interface Place {
  readonly base: string;
  readonly suffix: string;
  readonly family: string;
  readonly doc: string;
}

/** A union with more members gets its own declaration. */
const longestUnion = 8;

/**
 * Names an input or answer after its operation, a nested shape after its field; declared shapes keep their
 * names.
 */
export class ShapeNames {
  readonly types = new Map<string, NamedType>();
  readonly #byKey = new Map<string, string>();
  readonly #inputs = new Map<OperationFacts, string>();

  /** @throws Error if two different shapes would have one name */
  constructor(families: readonly FamilyFacts[]) {
    for (const operation of families.flatMap(({ operations }) => operations)) {
      const { family, method, request, input, answer } = operation;
      const call = `\`${family}.${method}\``;
      const place = { base: operationName(operation), family };
      if (input !== undefined) {
        const suffix = request.startsWith("GET ") ? "Query" : "Input";
        this.#inputs.set(operation, this.#nameInput(input, { ...place, suffix, doc: `What ${call} takes.` }));
      }
      this.#visit(answer, { ...place, suffix: "Answer", doc: `What ${call} answers.` });
    }
  }

  /** @returns undefined for an inline shape */
  nameOf(shape: Shape): string | undefined {
    return this.#byKey.get(keyOf(shape));
  }

  inputOf(operation: OperationFacts): string | undefined {
    return this.#inputs.get(operation);
  }

  /** Gives each operation an input of its own name; long equal ones stand for each other. */
  #nameInput(input: Shape, place: Place): string {
    if (input.kind !== "object" && input.kind !== "union") throw new Error(`${place.base} takes no object.`);
    if (input.kind === "object" && input.forms !== undefined) return this.#nameForms(input, place);
    const key = keyOf(input);
    const isLong = input.kind === "union" || input.fields.length > 3;
    const same = isLong ? this.#byKey.get(key) : undefined;
    const name = this.#declare(input, place, same);
    if (isLong && same === undefined) this.#byKey.set(key, name);
    if (same === undefined) this.#visitParts(input, place);
    return name;
  }

  #nameForms({ forms = [], ...fields }: ObjectShape, place: Place): string {
    const doc = `Fields of ${place.base}${place.suffix}.`;
    const base = this.#share(fields, { ...place, suffix: "Fields", doc }, place);
    const isAnyOne = forms.length === fields.fields.length && forms.every(({ length }) => length === 1);
    const needs = forms.map(
      (form) => `Needs<${base}, ${form.map((one) => JSON.stringify(one)).join(" | ")}>`,
    );
    return this.#declare(fields, place, isAnyOne ? `AtLeastOne<${base}>` : needs.join(" | "));
  }

  #visit(shape: Shape, place: Place) {
    if (shape.kind === "list") this.#visit(shape.of, place);
    else if (shape.kind === "union" && shape.of.length <= longestUnion)
      for (const part of shape.of) this.#visit(part, place);
    else if (shape.kind !== "text" && isMap(shape)) this.#visitParts(shape, place);
    else if (shape.kind !== "text") this.#share(shape, place);
  }

  #share(shape: ObjectShape | UnionShape, place: Place, ofParts = place): string {
    const key = keyOf(shape);
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const hasForms = shape.kind === "object" && shape.forms !== undefined;
    const name = hasForms ? this.#nameForms(shape, place) : this.#declare(shape, place);
    this.#byKey.set(key, name);
    if (!hasForms) this.#visitParts(shape, ofParts);
    return name;
  }

  #visitParts(shape: ObjectShape | UnionShape, { base, suffix, family }: Place) {
    const declared = shape.kind === "object" && suffix === "Answer" ? shape.name : undefined;
    const whole = declared ?? base;
    const place = { suffix: declared === undefined ? suffix : "", family };
    const called = rename(`${whole}${place.suffix}`);
    if (shape.kind === "union") {
      for (const [index, part] of shape.of.entries())
        this.#visit(part, { ...place, base: `${base}Variant${index + 1}`, doc: `One form of ${called}.` });
      return;
    }
    for (const field of shape.fields) {
      const isMany = field.shape.kind === "list" || isMap(field.shape);
      const part = capital(isMany ? singular(field.name) : field.name);
      this.#visit(field.shape, { ...place, base: `${whole}${part}`, doc: `\`${field.name}\` of ${called}.` });
    }
    if (shape.others !== undefined)
      this.#visit(shape.others, { ...place, base: whole, doc: `One of ${called}.` });
  }

  #declare(shape: ObjectShape | UnionShape, place: Place, alias?: string) {
    const declared = shape.kind === "object" && place.suffix !== "Input" ? shape.name : undefined;
    const name = declared ?? rename(`${place.base}${place.suffix}`);
    if (this.types.has(name)) throw new Error(`Two different shapes would be called ${name}.`);
    const doc = (shape.kind === "object" && shape.doc) || place.doc;
    this.types.set(name, { name, doc, family: place.family, shape, alias });
    return name;
  }
}

function rename(name: string) {
  return shapeNames[name] ?? name;
}

function isMap(shape: Shape) {
  return shape.kind === "object" && shape.fields.length === 0;
}

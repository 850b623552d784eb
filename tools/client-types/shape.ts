/** A type as plain data, ready to be named and printed. */
export type Shape = TextShape | ListShape | UnionShape | ObjectShape;

/** A type that prints as it is: `string`, `"user"`, `unknown`, `Blob`. */
export interface TextShape {
  readonly kind: "text";
  readonly text: string;
}

/** A list of one kind of thing. */
export interface ListShape {
  readonly kind: "list";
  readonly of: Shape;
}

/** One of several. */
export interface UnionShape {
  readonly kind: "union";
  readonly of: readonly Shape[];
}

/** An object with known fields, or a map of one kind of value, or both. */
export interface ObjectShape {
  readonly kind: "object";
  /** The name it is declared under; undefined for an anonymous one. */
  readonly name: string | undefined;
  readonly doc: string;
  readonly fields: readonly Field[];
  /** What fields without a name of their own hold. */
  readonly others: Shape | undefined;
}

/** One field of an object. */
export interface Field {
  readonly name: string;
  readonly doc: string;
  readonly optional: boolean;
  readonly shape: Shape;
}

/** Writes a shape as one line that is equal for equal shapes, docs included: what tells whether two are the same. */
export function keyOf(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return shape.text;
    case "list":
      return `${keyOf(shape.of)}[]`;
    case "union":
      return `(${shape.of.map(keyOf).join("|")})`;
    case "object":
      return `{${[...shape.fields.map(fieldKey), ...(shape.others ? [`[]:${keyOf(shape.others)}`] : [])].join(";")}}`;
  }
}

function fieldKey({ name, doc, optional, shape }: Field): string {
  return `${JSON.stringify(doc)}${name}${optional ? "?" : ""}:${keyOf(shape)}`;
}

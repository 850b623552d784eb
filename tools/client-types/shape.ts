export type Shape = TextShape | ListShape | UnionShape | ObjectShape;

export interface TextShape {
  readonly kind: "text";
  readonly text: string;
}

export interface ListShape {
  readonly kind: "list";
  readonly of: Shape;
}

export interface UnionShape {
  readonly kind: "union";
  readonly of: readonly Shape[];
}

export interface ObjectShape {
  readonly kind: "object";
  readonly name: string | undefined;
  readonly doc: string;
  readonly fields: readonly Field[];
  readonly others: Shape | undefined;
  /** Lists of names, of which all of one list must be given. */
  readonly forms?: readonly (readonly string[])[] | undefined;
}

export interface Field {
  readonly name: string;
  readonly doc: string;
  readonly optional: boolean;
  readonly shape: Shape;
}

export function keyOf(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return shape.text;
    case "list":
      return `${keyOf(shape.of)}[]`;
    case "union":
      return `(${shape.of.map(keyOf).join("|")})`;
    case "object":
      return `{${[...shape.fields.map(fieldKey), ...(shape.others ? [`[]:${keyOf(shape.others)}`] : [])].join(";")}}${shape.forms?.join("|") ?? ""}`;
  }
}

function fieldKey({ name, doc, optional, shape }: Field) {
  return `${JSON.stringify(doc)}${name}${optional ? "?" : ""}:${keyOf(shape)}`;
}

import type { Field, Shape } from "./shape.ts";

/**
 * What a field means wherever it has no words of its own, by its name and its type.
 * @see docs/platform/ids-and-limits.md#timestamps, which names the exceptions, docs/platform/ids-and-limits.md#conversation-ids
 * and docs/platform/answers-and-errors.md#lists-by-cursor
 */
const words: readonly { readonly name: RegExp; readonly type: string; readonly doc: string }[] = [
  { name: /At$/, type: "number", doc: "Unix seconds." },
  { name: /^conversationId$/, type: "string", doc: "`group_<guid>`, or the two uids around `_user_`." },
  { name: /^withTags$/, type: "boolean", doc: "Answers tags, too." },
  {
    name: /^affix$/,
    type: '"append" | "prepend"',
    doc: "`append`: what comes after the cursor. `prepend`: what comes before it.",
  },
];

/** Gives the fields that have no docs what is said of their name everywhere, however deep they stand. */
export function addFieldWords(shape: Shape): Shape {
  switch (shape.kind) {
    case "text":
      return shape;
    case "list":
      return { ...shape, of: addFieldWords(shape.of) };
    case "union":
      return { ...shape, of: shape.of.map(addFieldWords) };
    case "object":
      return {
        ...shape,
        fields: shape.fields.map(sayField),
        others: shape.others && addFieldWords(shape.others),
      };
  }
}

function sayField({ name, doc, optional, shape }: Field): Field {
  const said = words.find((one) => one.name.test(name) && one.type === typeOf(shape))?.doc ?? "";
  return { name, doc: doc === "" ? said : doc, optional, shape: addFieldWords(shape) };
}

function typeOf(shape: Shape): string {
  if (shape.kind === "union") return shape.of.map(typeOf).join(" | ");
  return shape.kind === "text" ? shape.text : "";
}

import { describe, expect, it } from "vitest";
import { addFieldWords } from "../../../../scripts/client-types/field-words.ts";
import type { Field, ObjectShape, Shape } from "../../../../scripts/client-types/shape.ts";

const plain = (text: string): Shape => ({ kind: "text", text });
const field = (name: string, shape: Shape, doc = ""): Field => ({ name, doc, optional: true, shape });
const object = (...fields: Field[]): ObjectShape => ({
  kind: "object",
  name: undefined,
  doc: "",
  fields,
  others: undefined,
});
const affix: Shape = { kind: "union", of: [plain('"append"'), plain('"prepend"')] };

describe("addFieldWords", () => {
  it("gives a time its unit, where it is a number and nothing is said of it", () => {
    const shape = object(
      field("sentAt", plain("number")),
      field("updatedAt", plain("string")),
      field("readAt", plain("number"), "Milliseconds."),
      field("chat", plain("number")),
    );

    expect(addFieldWords(shape)).toEqual(
      object(
        field("sentAt", plain("number"), "Unix seconds."),
        field("updatedAt", plain("string")),
        field("readAt", plain("number"), "Milliseconds."),
        field("chat", plain("number")),
      ),
    );
  });

  it("says of a cursor which way it reads", () => {
    const said = addFieldWords(object(field("affix", affix), field("affix", plain("string"))));

    expect(said).toEqual(
      object(
        field("affix", affix, "`append`: what comes after the cursor. `prepend`: what comes before it."),
        field("affix", plain("string")),
      ),
    );
  });

  it("goes into lists, alternatives and maps", () => {
    const bare = object(field("withTags", plain("boolean")));
    const said = object(field("withTags", plain("boolean"), "Answers tags, too."));
    const around = (inner: Shape): ObjectShape => ({
      ...object(field("list", { kind: "list", of: inner }), field("either", { kind: "union", of: [inner] })),
      others: inner,
    });

    expect(addFieldWords(around(bare))).toEqual(around(said));
  });
});

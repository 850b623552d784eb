import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { ids, int, opt, range, tags, words } from "../../../../lib/chat/fields.ts";
import { describeFields } from "../../../../tools/client-types/describe-fields.ts";
import type { Field, ObjectShape, Shape } from "../../../../tools/client-types/shape.ts";

const plain = (text: string): Shape => ({ kind: "text", text });
const text = plain("string");
const field = (name: string, shape: Shape = text, doc = ""): Field => ({ name, doc, optional: true, shape });
const object = (...fields: Field[]): ObjectShape => ({
  kind: "object",
  name: undefined,
  doc: "",
  fields,
  others: undefined,
});

describe("describeFields, of an input", () => {
  it("says in a field's docs what its schema checks beyond the type", () => {
    const list: Shape = { kind: "list", of: text };
    const shape = object(
      field("name", text, "Shown."),
      field("tags", list),
      field("uids", list),
      field("page"),
      field("free"),
    );
    const schema = z.strictObject({
      name: opt(words(100)),
      tags: opt(tags()),
      uids: ids().check(z.minLength(1)),
      page: opt(int(1, 50)),
      free: z.string(),
    });

    expect(docsOf(describeFields(shape, schema))).toEqual([
      "Shown. 1 to 100 characters.",
      "At most 25 items, each 1 to 100 characters.",
      "At least 1 item, each 1 to 100 of the characters a-z 0-9 - _.",
      "A whole number from 1 to 50.",
      "",
    ]);
  });

  it("says nothing twice", () => {
    const shape = object(
      field("password", text, "At most 100 characters; needed for a group of type password."),
    );

    const limited = describeFields(shape, z.strictObject({ password: opt(words(100)) }));

    expect(limited).toEqual(shape);
  });

  it("goes into a union's object and puts alternatives into the schema's order", () => {
    const texts = ["1", "10", "5"].map((value): Shape => ({ kind: "text", text: value }));
    const either: Shape = {
      kind: "union",
      of: [{ kind: "text", text: "number" }, object(field("from"), field("to"))],
    };
    const shape = object(field("wait", { kind: "union", of: texts }), field("at", either));
    const schema = z.strictObject({ wait: z.literal([5, 10, 1]), at: opt(z.union([z.number(), range()])) });

    const limited = describeFields(shape, schema);

    expect(JSON.stringify(limited)).toContain(
      '"text":"5"},{"kind":"text","text":"10"},{"kind":"text","text":"1"}',
    );
    expect(JSON.stringify(limited)).toContain('"doc":"Unix seconds."');
  });
});

const affix: Shape = { kind: "union", of: [plain('"append"'), plain('"prepend"')] };

describe("describeFields, of an answer", () => {
  it("gives a time its unit, where it is a number and nothing is said of it", () => {
    const shape = object(
      field("sentAt", plain("number")),
      field("updatedAt", plain("string")),
      field("readAt", plain("number"), "Milliseconds."),
      field("chat", plain("number")),
    );

    expect(describeFields(shape)).toEqual(
      object(
        field("sentAt", plain("number"), "Unix seconds."),
        field("updatedAt", plain("string")),
        field("readAt", plain("number"), "Milliseconds."),
        field("chat", plain("number")),
      ),
    );
  });

  it("says of a cursor which way it reads", () => {
    const said = describeFields(object(field("affix", affix), field("affix", plain("string"))));

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

    expect(describeFields(around(bare))).toEqual(around(said));
  });
});

function docsOf(shape: Shape): readonly string[] {
  return shape.kind === "object" ? shape.fields.map(({ doc }) => doc) : [];
}

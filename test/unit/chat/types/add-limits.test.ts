import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { ids, int, opt, range, tags, words } from "../../../../lib/chat/fields.ts";
import { addLimits } from "../../../../scripts/client-types/add-limits.ts";
import type { Field, Shape } from "../../../../scripts/client-types/shape.ts";

const text: Shape = { kind: "text", text: "string" };
const field = (name: string, shape: Shape = text, doc = ""): Field => ({ name, doc, optional: true, shape });
const object = (...fields: Field[]): Shape => ({
  kind: "object",
  name: undefined,
  doc: "",
  fields,
  others: undefined,
});

describe("addLimits", () => {
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

    expect(docsOf(addLimits(shape, schema))).toEqual([
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

    const limited = addLimits(shape, z.strictObject({ password: opt(words(100)) }));

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

    const limited = addLimits(shape, schema);

    expect(JSON.stringify(limited)).toContain(
      '"text":"5"},{"kind":"text","text":"10"},{"kind":"text","text":"1"}',
    );
    expect(JSON.stringify(limited)).toContain('"doc":"Unix seconds."');
  });
});

function docsOf(shape: Shape): readonly string[] {
  return shape.kind === "object" ? shape.fields.map(({ doc }) => doc) : [];
}

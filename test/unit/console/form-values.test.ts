import { describe, expect, it } from "vitest";
import { AskError } from "../../../local/console/page/parts/ask.ts";
import {
  type FormField,
  placeErrors,
  readChanges,
  readNew,
  toFormValues,
} from "../../../local/console/page/parts/form-values.ts";

const fields: readonly FormField[] = [
  { name: "uid", label: "UID", isRequired: true, codes: ["ERR_UID_ALREADY_EXISTS"] },
  { name: "tags", label: "Tags", kind: "words" },
  { name: "metadata", label: "Metadata", kind: "json" },
  { name: "filters", label: "Filters", kind: "list" },
  { name: "count", label: "Count", kind: "number" },
  { name: "enabled", label: "Enabled", kind: "check" },
  { name: "link", label: "Link" },
];

describe("readNew", () => {
  it("leaves out what is empty, and reads each kind as the body has it", () => {
    const values = {
      ...toFormValues(fields),
      uid: "zoe",
      tags: "a, b,\nc",
      metadata: '{"x":1}',
      filters: "[]",
      count: "3",
      enabled: true,
    };

    expect(readNew(fields, values)).toEqual({
      body: { uid: "zoe", tags: ["a", "b", "c"], metadata: { x: 1 }, filters: [], count: 3, enabled: true },
      errors: {},
    });
  });

  it("names the fields that are missing or cannot be read", () => {
    const values = { ...toFormValues(fields), metadata: "[1]", filters: "{}", count: "many" };

    expect(Object.keys(readNew(fields, values).errors)).toEqual(["uid", "metadata", "filters", "count"]);
  });
});

describe("readChanges", () => {
  const before = toFormValues(fields, {
    uid: "zoe",
    tags: ["a"],
    metadata: { x: 1 },
    link: "https://example.com",
    enabled: true,
  });

  it("sends nothing when nothing differs", () => {
    expect(readChanges(fields, before, before)).toEqual({ body: {}, errors: {} });
  });

  it("names emptied fields in unset where the platform takes that, and sends others empty", () => {
    const values = { ...before, metadata: "", link: "", tags: "", enabled: false };

    expect(readChanges(fields, before, values, ["metadata"]).body).toEqual({
      tags: [],
      enabled: false,
      link: "",
      unset: ["metadata"],
    });
  });

  it("does not let a required field be emptied", () => {
    expect(readChanges(fields, before, { ...before, uid: "" }).errors).toEqual({ uid: "UID is required." });
  });
});

describe("placeErrors", () => {
  it("tells the platform's details at their fields, also those of a path into one", () => {
    const error = new AskError("Failed.", 400, "ERR_BAD_REQUEST", {
      tags: "Too many.",
      "metadata.@private.email": "No text.",
    });

    expect(placeErrors(fields, error)).toEqual({
      errors: { tags: "Too many.", metadata: "No text." },
      rest: undefined,
    });
  });

  it("tells a code at the field that it is about", () => {
    const error = new AskError("The UID zoe already exists.", 409, "ERR_UID_ALREADY_EXISTS");

    expect(placeErrors(fields, error).errors).toEqual({ uid: "The UID zoe already exists." });
  });

  it("keeps what belongs to no field", () => {
    expect(placeErrors(fields, new AskError("Failed.", 400, undefined, { owner: "Who?" })).rest).toBe("Who?");
    expect(placeErrors(fields, new Error("Gone.")).rest).toBe("Gone.");
  });
});

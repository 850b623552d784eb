import { describe, expect, it } from "vitest";
import {
  declaredUsersSchema,
  InvalidCsvError,
  readCsv,
} from "../../../../lib/operate/user-seeding/declared-users.ts";

describe("readCsv", () => {
  it("reads quotes, commas, line breaks and other alphabets as RFC 4180 has them", () => {
    const text = '\ufeffuid,name,note\r\nann,"Berger, Ann","says ""hi""\nand leaves"\r\n\r\nbo, Bö 李 ,\r\n';

    expect(readCsv(text)).toEqual([
      { uid: "ann", name: "Berger, Ann", note: 'says "hi"\nand leaves' },
      { uid: "bo", name: "Bö 李" },
    ]);
  });

  it.each(["", "uid,name", "uid,name\n", "uid,name\r\n\r\n"])("returns no user for %j", (text) => {
    expect(readCsv(text)).toEqual([]);
  });

  it.each([
    ["uid,name\nann", "Row 1 has 1 fields instead of 2."],
    ["uid,name\nann,Ann\nbo,Bo,x", "Row 2 has 3 fields instead of 2."],
    ["uid,uid\nann,bo", "The first line must name each column once."],
    ["uid,\nann,bo", "The first line must name each column once."],
    ['uid,name\nann,"Ann', "Row 1 has a quote where none can be."],
    ['uid,name\nann,A"nn', "Row 1 has a quote where none can be."],
    ['uid,name\nann,"Ann"x', "Row 1 has a quote where none can be."],
  ])("refuses %j", (text, message) => {
    expect(() => readCsv(text)).toThrow(new InvalidCsvError(message));
  });
});

describe("config/users.yml", () => {
  it("accepts users as a list and as a table, whose other columns are metadata", () => {
    const file = {
      users: [{ uid: "support", name: "Support", metadata: { team: [1, { a: null }] } }],
      table: "uid,name,department\nAnn,Ann Berger,Sales\n",
    };

    expect(declaredUsersSchema.parse(file)).toEqual({
      users: [
        { uid: "support", name: "Support", metadata: { team: [1, { a: null }] } },
        { uid: "ann", name: "Ann Berger", metadata: { department: "Sales" } },
      ],
    });
  });

  it("accepts its own output", () => {
    const once = declaredUsersSchema.parse({ table: "uid,name\nann,Ann" });

    expect(declaredUsersSchema.parse(once)).toEqual(once);
  });

  it.each([
    ["a uid twice", { users: [{ uid: "ann", name: "A" }], table: "uid,name\nANN,B" }, "the same uid"],
    ["an invalid uid", { users: [{ uid: "ann b", name: "A" }] }, "1 to 100 of a-z"],
    [
      "an invalid uid in the table",
      { table: "uid,name\nann,Ann\na/b,Bo" },
      "row 2, column uid: must be 1 to 100",
    ],
    ["no name", { table: "uid,name\nann," }, "row 1, column name"],
    ["a plain address", { users: [{ uid: "a", name: "A", avatar: "http://example.com" }] }, "https address"],
    ["an unknown field", { users: [{ uid: "a", name: "A", nick: "a" }] }, "unrecognized_keys"],
    ["6 KB of metadata", { users: [{ uid: "a", name: "A", metadata: { x: "y".repeat(6_000) } }] }, "5 KB"],
  ])("refuses %s", (_case, file, expected) => {
    const result = declaredUsersSchema.safeParse(file);

    expect(result.success).toBe(false);
    expect(JSON.stringify(result.error?.issues)).toContain(expected);
  });
});

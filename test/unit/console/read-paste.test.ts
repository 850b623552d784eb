import { describe, expect, it } from "vitest";
import { readPaste } from "../../../local/console/page/views/world/seed/read-paste.ts";

describe("readPaste", () => {
  it("cuts users into requests of at most fifty", () => {
    const users = Array.from({ length: 120 }, (_, index) => ({ uid: `u${index}`, name: "N" }));

    const requests = readPaste(JSON.stringify({ users }));

    expect(requests.map(({ kind, entities }) => [kind, Object.keys(entities).length])).toEqual([
      ["users", 50],
      ["users", 50],
      ["users", 20],
    ]);
  });

  it("brings in groups after users and members after groups", () => {
    const pasted = {
      groups: [{ guid: "den", name: "Den", members: { ann: "admin" } }],
      users: [{ uid: "ann", name: "Ann" }],
    };

    expect(readPaste(JSON.stringify(pasted))).toEqual([
      { kind: "users", entities: { ann: { uid: "ann", name: "Ann" } } },
      { kind: "groups", entities: { den: { type: "public", guid: "den", name: "Den" } } },
      {
        kind: "members",
        entities: { den_member_ann: { memberId: "den_member_ann", guid: "den", uid: "ann", scope: "admin" } },
      },
    ]);
  });

  it.each([
    ["{", "This is not JSON."],
    ["[]", "The JSON must be an object."],
    ["{}", 'The JSON needs "users" or "groups"'],
    ['{"users": {}}', '"users" must be a list.'],
    ['{"users": [1]}', "users[0] must be an object."],
    ['{"users": [{"name": "A"}]}', "users[0] needs a uid."],
    ['{"groups": [{"guid": "g", "members": ["ann"]}]}', "The members of group g must be scopes by uid."],
  ])("says of %s what is wrong", (text, message) => {
    expect(() => readPaste(text)).toThrow(message);
  });
});

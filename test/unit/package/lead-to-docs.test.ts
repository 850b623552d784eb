import { describe, expect, it } from "vitest";
import { leadToDocs } from "../../../tools/reference/lead-to-docs.ts";

describe("a page that a declaration cites", () => {
  it.each([
    [
      "@see docs/internals/platform/users-and-groups.md#users",
      "@see `cometchat-functions/docs/internals/platform/users-and-groups.md#users`",
    ],
    ["(docs/internals/reading.md).", "(`cometchat-functions/docs/internals/reading.md`)."],
    [
      "UNVERIFIED: docs/a.md, docs/b.md",
      "UNVERIFIED: `cometchat-functions/docs/a.md`, `cometchat-functions/docs/b.md`",
    ],
  ])("stands in %j with the package's name", (text, told) => {
    expect(leadToDocs(text)).toBe(told);
  });

  it.each(["https://example.org/docs/a.md", "`docs/a.md`", 'import "docs/a.md"', "docs/ and a.md"])(
    "is none in %j",
    (text) => {
      expect(leadToDocs(text)).toBe(text);
    },
  );
});

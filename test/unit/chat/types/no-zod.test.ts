import { globSync } from "node:fs";
import { expect, it } from "vitest";
import { allImports } from "../../../helpers/all-imports.ts";

it("the named types import nothing of zod, nor does what they import", () => {
  const all = allImports(globSync("lib/chat/types/*.ts"));

  expect(all).toContain("../chat-request.ts");
  expect(all.filter((name) => name.startsWith("zod"))).toEqual([]);
});

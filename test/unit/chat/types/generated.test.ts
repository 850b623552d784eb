import { globSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { generateTypes } from "../../../../scripts/client-types/generate-types.ts";
import { allImports } from "../../../helpers/all-imports.ts";

it("lib/chat/types and the chat door are what npm run client-types writes now", () => {
  const folder = "lib/chat/types";
  const files = readdirSync(folder);

  const { types, door } = generateTypes(resolve("."));

  expect(files).toEqual([...types.keys()].toSorted());
  expect(files.filter((file) => readFileSync(join(folder, file), "utf8") !== types.get(file))).toEqual([]);
  expect(readFileSync("package/chat.ts", "utf8")).toBe(door);
});

it("the named types import nothing of zod, nor does what they import", () => {
  const all = allImports(globSync("lib/chat/types/*.ts"));

  expect(all).toContain("../chat-request.ts");
  expect(all.filter((name) => name.startsWith("zod"))).toEqual([]);
});

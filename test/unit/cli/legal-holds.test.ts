import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readLegalHolds } from "../../../cli/people/open-person.ts";

const folder = mkdtempSync(join(tmpdir(), "holds-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("holds whom any file that applies to the app lists", async () => {
  const files = {
    "users.yml": "legalHold: [Alice]",
    "stages/prod/users.yml": "legalHold: [ben]",
    "apps/shop/users.yml": "legalHold: [cleo]",
    "apps/school/users.yml": "users: []",
  };
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, "config", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${content}\n`);
  }
  const held = async (stage: string, app: string) => [...(await readLegalHolds(folder, stage, app))];

  expect(await held("prod", "shop")).toEqual(["alice", "ben", "cleo"]);
  expect(await held("dev", "school")).toEqual(["alice"]);
});

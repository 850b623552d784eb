import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { version } from "../../../lib/base/version.ts";

it("the version is the one of package.json", () => {
  const packageFile = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));

  expect(version).toBe(packageFile.version);
});

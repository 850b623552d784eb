import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

it.each(["deployer", "operator"])("lets the %s write the audit trail, and not delete it", (name) => {
  const file = join(import.meta.dirname, `../../../infrastructure/policies/${name}.json`);
  const { Statement }: { Statement: { Action: string[]; Resource: string[] }[] } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  const ofTrail = Statement.filter(({ Resource }) =>
    Resource.some((one) => one.includes(":/cometchat-functions/")),
  );
  const actions = ofTrail.flatMap(({ Action }) => Action);

  expect(actions).toContain("logs:PutLogEvents");
  expect(actions.filter((action) => /Delete|KmsKey/.test(action))).toEqual([]);
});

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { WorkContext } from "../../../cli/command.ts";
import { putAddress } from "../../../cli/setup/put-webhook.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const [ours, theirs, older] = ["a".repeat(24), "b".repeat(24), "c".repeat(24)];

it.each([
  ["forgotten", [""], [theirs], [theirs]],
  ["another than what a colleague deployed", [ours], [theirs, older], [theirs, older]],
  ["listed, and not deployed yet", [ours, older], [older], [ours, older]],
  ["without an older one that is deployed", [ours], [ours, older], [ours]],
])("keeps the deployed address if the listed one is %s", async (_case, addresses, deployed, expected) => {
  const text = `prod: { addresses: ${JSON.stringify(addresses)} }\n`;
  const projectFolder = temporaryFolder({ "config/stages.yml": text });
  const context: WorkContext = Object({
    edges: { projectFolder },
    target: { stage: "prod", settings: { addresses } },
  });

  expect(await putAddress(context, deployed, false)).toMatchObject({ list: expected });
  const written = await readFile(join(projectFolder, "config/stages.yml"), "utf8");
  expect(parse(written)).toEqual({ prod: { addresses: expected } });
});

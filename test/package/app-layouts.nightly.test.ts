import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Layout, makeApp, startApp } from "../helpers/made-app.ts";

describe("an app whose packages an installer put elsewhere", { timeout: 900_000 }, () => {
  it.each<[string, Layout, string]>([
    ["above it, as in a workspace", "workspace", "my-app"],
    [
      "into a store behind links, in a folder with spaces and other letters",
      "links",
      "My apps/caf\u00e9 \u{1f44b}",
    ],
  ])("is tested, packaged and started with the package %s", async (_where, layout, name) => {
    const app = await makeApp({ layout, name });
    onTestFinished(app.remove);

    const tested = await app.run("vitest", "run", "--testTimeout=180000");
    const packaged = await app.run("cometchat-functions", "package", "--stage", "prod");
    const told = await startApp(app).until("the reply appears");

    expect(tested, tested.output).toMatchObject({ code: 0 });
    expect(packaged, packaged.output).toMatchObject({ code: 0 });
    expect(handlersOf(app.folder)).toContain("node_modules/cometchat-functions/functions/webhook.handler");
    expect(told).toContain("message 2, sent on behalf of support");
  });
});

function handlersOf(folder: string): readonly string[] {
  const template = readFileSync(
    join(folder, ".serverless/cloudformation-template-update-stack.json"),
    "utf8",
  );
  return template.match(/(?<="Handler":\s*")[^"]+/g) ?? [];
}

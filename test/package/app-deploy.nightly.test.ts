import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Account, startAccount } from "../helpers/account/account.ts";
import { type Ended, type MadeApp, makeApp, runIn, unpack } from "../helpers/made-app.ts";
import { packNext } from "../helpers/next-version.ts";
import { packPackage } from "../helpers/packed-package.ts";

let app: MadeApp;
let account: Account;

beforeAll(async () => {
  app = await makeApp();
  account = await startAccount();
}, 900_000);
afterAll(async () => {
  app.remove();
  await account.close();
});

it("an app is deployed from its folder, again after an update, rolled back and removed", {
  timeout: 900_000,
}, async () => {
  const next = await packNext((await packPackage()).file);

  const forNobody = await npm("run", "deploy", "--", "--stage", "dev", "--yes");
  const apps = join(app.folder, "config/apps.yml");
  writeFileSync(apps, readFileSync(apps, "utf8").replace(/^dev:$/m, "dev:\n  - a-shop"));
  const first = await npm("run", "deploy", "--", "--stage", "dev", "--yes");
  const deployed = resources();
  update(next);
  const again = await npm("run", "deploy", "--", "--stage", "dev", "--yes");
  const updated = resources();
  const listed = await chat("rollback", "--stage", "dev", "--list");
  const refused = await chat("rollback", "--stage", "dev", "--yes");
  const back = await chat("rollback", "--stage", "dev", "--yes", "--allow-loss");
  const atLast = resources();
  const removed = await chat("remove", "--stage", "dev", "--yes", "--confirm", "dev");

  expect(forNobody).toEqual(endedWith(3, "npx cometchat-functions setup --app <appId> --stage dev"));
  expect(first).toEqual(endedWith(0, "Deployed for the first time."));
  expect(deployed.get("WebhookLambdaFunction")?.Handler).toBe(
    "node_modules/cometchat-functions/functions/webhook.handler",
  );
  expect(deployed.get("TellUserLambdaFunction")?.Handler).toBe("functions/own/tell-user.handler");
  expect([...deployed.values()]).toContainEqual(
    expect.objectContaining({ RouteKey: "POST /tell-user/{appId}" }),
  );
  expect(again).toEqual(endedWith(0, "Deployed."));
  expect([deployed.has("NewQueue"), updated.has("NewQueue"), atLast.has("NewQueue")]).toEqual([
    false,
    true,
    false,
  ]);
  expect(listed).toEqual(endedWith(0, "runs now"));
  expect(refused).toEqual(endedWith(3, "NewQueue"));
  expect(back).toEqual(endedWith(0, "is running."));
  expect(removed).toEqual(endedWith(0, "Removed."));
  expect(account.stacks.find("my-app-dev")).toBeUndefined();
});

/** As a user with an account types it. */
const typed = (...command: readonly string[]) =>
  runIn(app.folder, { ...app.environment, ...account.env }, command);
const npm = (...words: readonly string[]) => typed("npm", ...words);
const chat = (...words: readonly string[]) => typed("npx", "--no-install", "cometchat-functions", ...words);

/** Puts another version in place of the package, as npm update does. */
function update(packedFile: string) {
  const place = join(app.folder, "node_modules/cometchat-functions");
  rmSync(place, { recursive: true });
  unpack(packedFile, place);
  chmodSync(join(place, "cli/bin.mjs"), 0o755);
}

/** The deployed resources, by logical id. */
function resources(): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const stack = account.stacks.find("my-app-dev");
  return new Map(
    [...(stack?.resources ?? [])].map(([id, { definition }]) => [id, { ...definition.Properties }]),
  );
}

function endedWith(code: number, part: string): Ended {
  return { code, output: expect.stringContaining(part) };
}

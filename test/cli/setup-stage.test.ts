import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { createPlatform, type Platform } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { type Account, startAccount } from "../helpers/account/account.ts";
import { actionsOf } from "../helpers/account/iam-actions.ts";
import { onCloud } from "../helpers/account/on-cloud.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";
import { createRunChat } from "../helpers/run-chat.ts";
import { createSetAside } from "../helpers/set-aside.ts";

const [app] = defaultSeed.apps;
const stage = ["setup", "--stage", "prod", "--region", "eu-central-1", "--yes", "--json"];

describe("chat setup of a stage", { timeout: 900_000 }, () => {
  let project: string;
  let platform: Platform;
  let cloud: Cloud;
  let account: Account;

  beforeAll(async () => {
    project = copyProject({ "config/triggers.yml": triggersOfLocal().replace(/^local:/m, "prod:") });
    platform = await createPlatform({ port: 0, switches: { deliveryTimeoutMs: 60_000 } });
    cloud = await startCloud({ environment: { ...addresses(), SECRET_PREFIX: "cometchat-functions/prod" } });
    account = await startAccount({ ...(await onCloud(cloud)), region: "eu-central-1" });
  });
  afterAll(async () => {
    await account?.close();
    await cloud?.close();
    await platform?.close();
    removeCopy(project);
  });

  it("deploys what is not there, connects it, proves it, and leaves no secret in a file", async () => {
    const chat = createRunChat(project);
    const env = { ...process.env, ...addresses(), ...account.env };
    const given = ["--app", app.appId, "--app-region", "us", "--api-key-stdin", "--management-stdin"];
    const stdin = `${app.fullAccessKey}\n${JSON.stringify(defaultSeed.management)}`;

    const first = await chat([...stage, ...given], { stdin, edges: { env } });
    const second = await chat(stage, { edges: { env } });

    expect(first.exitCode, first.stderr + first.stdout).toBe(0);
    expect(first.json).toEqual([expect.objectContaining({ list: "added", deployment: "created" })]);
    expect(readFileSync(join(project, "config/apps.yml"), "utf8")).toContain(`- ${app.appId}`);
    expect(second.json).toEqual([
      expect.objectContaining({ list: "unchanged", deployment: "serves it already" }),
    ]);
    const secrets = [app.fullAccessKey, defaultSeed.management.secret];
    for (const file of filesWithin(project)) {
      const text = readFileSync(file, "latin1");
      expect(
        secrets.filter((secret) => text.includes(secret)),
        file,
      ).toEqual([]);
    }
  });

  it("operates a stage with the rights of the ready policy, and needs each of them", async () => {
    const chat = createRunChat(project);
    const env = { ...process.env, ...addresses(), ...account.env };
    const { bury, quarantine } = createSetAside(cloud);
    await bury("one");
    await bury("two");
    await quarantine("{}");
    await cloud.putSecret("cometchat-functions/prod/spare", { appId: "spare" });
    const rotation = join(project, "config/rotation.yml");
    writeFileSync(rotation, "rotate: [webhook-password]\neveryDays: 90\n");
    const ofSetup = [...account.everCalled].filter((call) => call.startsWith("secretsmanager"));
    account.everCalled.clear();
    const ends: string[] = [];
    for (const line of operated) {
      if (line === stops) writeFileSync(rotation, "rotate:\n");
      const answers = Array(9).fill(true);
      const typed = `${line} --stage prod --region eu-central-1`;
      const { exitCode, stderr } = await chat(typed, { answers, edges: { env } });
      if (![0, 1].includes(exitCode)) ends.push(`${line}: ${stderr}`);
    }

    const policy = readFileSync(join(project, "infrastructure/policies/operator.json"), "utf8");
    const statements: { Action: string[] }[] = JSON.parse(policy).Statement;
    const allowed = new Set(statements.flatMap(({ Action }) => Action));
    const called = actionsOf([...ofSetup, ...account.everCalled]);
    expect(ends).toEqual([]);
    expect(called.filter((action) => !allowed.has(action))).toEqual([]);
    expect([...allowed].filter((action) => !called.includes(action)).toSorted()).toEqual(notCalledHere);
  });

  function addresses(): Record<string, string> {
    return {
      CHAT_BASE_URL_TEMPLATE: `${platform.url}/{appId}.{service}-{region}/v3`,
      CHAT_MANAGEMENT_URL: platform.managementUrl,
    };
  }
});

/** After `rotate` is emptied. */
const stops = "rotate schedule --app local-app";

const operated = [
  ...["target", "doctor", "status", "logs --since 1h", "apps list", "apps remove spare"],
  ...["dead-letters list", "dead-letters replay --text TypeError", "quarantine drop --all"],
  ...["pause trigger:auto-reply", "paused", "resume trigger:auto-reply", "events wake --app local-app"],
  ...["rotate status --app local-app", "rotate webhook-password --app local-app", "rotate schedule", stops],
  ...["app plan --app local-app", "reconcile --since 2h --hand-over", "trigger message_sent --app local-app"],
  "trace local-app|message_sent|one",
];

const notCalledHere = [
  "dynamodb:BatchGetItem", // where lanes are parked
  ...["logs:CreateLogGroup", "logs:PutRetentionPolicy"], // the local logs need no group
  "secretsmanager:RestoreSecret", // of one that is being deleted
  "secretsmanager:TagResource", // AWS asks for it with CreateSecret
];

/** What runs is the local cloud, built for its own stage: the same is to be on in the other. */
function triggersOfLocal(): string {
  return readFileSync(join(import.meta.dirname, "../../config/triggers.yml"), "utf8");
}

function filesWithin(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return ["node_modules", "local", "test"].includes(entry.name) ? [] : filesWithin(path);
    return entry.isFile() ? [path] : [];
  });
}

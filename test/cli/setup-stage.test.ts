import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { ClientRequest } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { createPlatform, type Platform } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { type Account, startAccount } from "../helpers/account/account.ts";
import { type AddressFront, startAddressFront } from "../helpers/account/address-front.ts";
import { actionsOf, readsOfDrift } from "../helpers/account/iam-actions.ts";
import { onCloud } from "../helpers/account/on-cloud.ts";
import { isNight } from "../helpers/by-day.ts";
import { manageApp } from "../helpers/call-app.ts";
import { forgetSecret } from "../helpers/cloud-data.ts";
import { diesAtRequest } from "../helpers/dies-at-request.ts";
import { editFile } from "../helpers/edit-file.ts";
import { addressesOfChat, copyProject, removeCopy } from "../helpers/project-copy.ts";
import { createRunChat, expectEnd, type RunChatOptions } from "../helpers/run-chat.ts";
import { createSetAside } from "../helpers/set-aside.ts";

const [app] = defaultSeed.apps;
const stage = ["setup", "--stage", "prod", "--region", "eu-central-1", "--yes", "--json"];

describe("chat setup of a stage", { timeout: 900_000 }, () => {
  let project: string;
  let platform: Platform;
  let cloud: Cloud;
  let account: Account;
  let front: AddressFront;
  /** Instead of the front. */
  let distribution: string | undefined;

  beforeAll(async () => {
    project = copyProject({ "config/triggers.yml": triggersOfLocal().replace(/^local:/m, "prod:") });
    platform = await createPlatform({ port: 0, switches: { deliveryTimeoutMs: 60_000 } });
    cloud = await startCloud({
      environment: { ...addressesOfChat(platform), SECRET_PREFIX: "cometchat-functions/prod" },
    });
    front = await startAddressFront("cometchat-functions-prod", {
      account: () => account,
      target: () => cloud.httpUrl,
    });
    const outputs = {
      get HttpApiUrl() {
        return distribution ?? front.current();
      },
    };
    account = await startAccount({ ...(await onCloud(cloud)), region: "eu-central-1", outputs });
  });
  afterAll(async () => {
    await account?.close();
    await front?.close();
    await cloud?.close();
    await platform?.close();
    removeCopy(project);
  });

  it("deploys a missing stage, connects it, verifies it, and leaves no secret in a file", async () => {
    const given = ["--app", app.appId, "--app-region", "us", "--api-key-stdin", "--management-stdin"];
    const stdin = `${app.fullAccessKey}\n${JSON.stringify(defaultSeed.management)}`;

    const read = stage.filter((word) => word !== "--json");
    const withoutAll = await chat([...read, "--dry-run"]);
    const rehearsed = await chat([...read, ...given, "--dry-run"], { stdin });
    const untouched = [readFileSync(join(project, "config/apps.yml"), "utf8"), addressesInFile()];
    const calledBefore = [...account.everCalled].filter((call) =>
      /Create|Put|Update|Execute|Delete/.test(call),
    );
    const first = await chat([...stage, ...given], { stdin });
    const second = await chat(stage);

    expectEnd(
      withoutAll,
      0,
      /1\. Ask: The app's id.*2\. Ask: The app's region.*Ask: The app's REST API key.*Deploy this to.*Check the result/s,
    );
    expectEnd(
      rehearsed,
      0,
      /Make .* serve the app.*List a new address.*Deploy this to.*Register a webhook.*Check the result/s,
    );
    expect([calledBefore, ...untouched]).toEqual([[], expect.stringMatching(/^prod:\s*$/m), []]);

    expect(first.exitCode, first.stderr + first.stdout).toBe(0);
    expect(first.json).toEqual([expect.objectContaining({ list: "added", deployment: "created" })]);
    expect(readFileSync(join(project, "config/apps.yml"), "utf8")).toContain(`- ${app.appId}`);
    expect(second.json).toEqual([
      expect.objectContaining({ list: "unchanged", deployment: "serves it already" }),
    ]);
    expect(await destinations()).toEqual([expect.stringMatching(/\/[a-z0-9]{24}\/webhooks\/local-app$/)]);
    expect(first.json).toEqual([expect.objectContaining({ oldAddresses: [] })]);
    const secrets = [app.fullAccessKey, defaultSeed.management.secret];
    for (const file of filesWithin(project)) {
      const text = readFileSync(file, "latin1");
      expect(
        secrets.filter((secret) => text.includes(secret)),
        file,
      ).toEqual([]);
    }
  });

  it.runIf(isNight)(
    "ends an earlier address without management credentials only with consent, and names every app",
    async () => {
      const byHand = [...stage.filter((word) => word !== "--json"), "--by-hand"];
      const asking = byHand.filter((word) => word !== "--yes");
      const asked: string[] = [];
      const declines = (message: string) => asked.push(message) === 0;
      const [first] = addressesInFile();
      await forgetSecret(cloud, "cometchat-functions/prod/management");

      const begun = await chat([...byHand, "--new-address"]);
      const served = front.current();
      const noLongerOfTwo = alsoServe("another-app");
      const repeated = await chat([...byHand, "--new-address"]);
      const unasked = await chat(asking, { answers: [] });
      const kept = addressesInFile();
      const declined = await chat([...asking, "--end-old-address"], { answers: [declines] });
      noLongerOfTwo();
      const ended = await chat([...byHand, "--end-old-address", "--json"]);
      const left = addressesInFile();
      const stdin = JSON.stringify(defaultSeed.management);
      const connected = await chat([...stage, "--management-stdin"], { stdin });

      expect(kept).toEqual([served.split("/").at(-1), first]);
      expect([begun, repeated, unasked, ended].map(({ exitCode }) => exitCode)).toEqual([7, 7, 7, 7]);
      for (const appId of [app.appId, "another-app"]) {
        expect(repeated.stdout).toContain(`webhook              ${served}/webhooks/${appId}\n`);
        expect(asked).toEqual([expect.stringContaining(`${served}/webhooks/${appId}`)]);
      }
      expect(repeated.stdout).toMatch(/setup --stage prod .*--app local-app --end-old-address\n/);
      expectEnd(declined, 3, "Nothing was changed.");
      expect(ended.json).toEqual([expect.objectContaining({ oldAddresses: [], servedApps: [app.appId] })]);
      expect(left).toEqual([kept[0]]);
      expectEnd(connected, 0);
    },
  );

  it.runIf(isNight)(
    "never removes another user's app from the stage, and then lists no address",
    async () => {
      const listed = addressesInFile();
      const noLonger = alsoServe("of-a-colleague");

      const refused = await chat([...stage, "--new-address", "--allow-loss"]);

      noLonger();
      expectEnd(refused, 3, "does not serve of-a-colleague", "add them to config/apps.yml");
      expect(refused.stderr).toMatch(/deploy --stage prod .*--drop-app of-a-colleague\n/);
      expect(addressesInFile()).toEqual(listed);
    },
  );

  it("moves webhooks from the HTTP API's own host to the distribution in front of it", async () => {
    setEdge("https://d111111abcdef8.cloudfront.net");
    const api = account.stacks.find("cometchat-functions-prod")?.resources.get("HttpApi")?.physicalId;
    const ofApi = `https://${api}.execute-api.eu-central-1.amazonaws.com${new URL(front.current()).pathname}`;
    const asks = {
      id: "asks",
      name: "asks",
      webhookURL: `${ofApi}/before-message/${app.appId}`,
      enabled: false,
    };
    await manage("legacy", "POST /webhooks", asks);
    await manage("current", "PUT /webhooks/functions", { webhookURL: `${ofApi}/webhooks/${app.appId}` });

    const asked: string[] = [];
    const answer = (isAgreed: boolean) => (message: string) => asked.push(message) > 0 && isAgreed;
    const typed = stage.filter((word) => word !== "--yes" && word !== "--json");

    const led = await destinations();
    const declined = await chat(typed, { answers: [answer(false)] });
    const untouched = await destinations();
    const stopped = await chat(typed, { answers: [answer(true), answer(false)] });
    const moved = await destinations();
    const unmoved = await chat(typed, { answers: [answer(true)] });
    await manage("legacy", "DELETE /webhooks/asks");

    expectEnd(declined, 3, "Nothing was changed.");
    expectEnd(stopped, 7, "Finished steps stay");
    expectEnd(unmoved, 0);
    expect(asked).toEqual([
      ...Array(2).fill(
        `Change webhooks to the address ${front.current()}: functions of local-app, asks of local-app (legacy engine)?`,
      ),
      ...Array(2).fill(expect.stringContaining("Set the webhook functions of the app local-app")),
    ]);
    expect(untouched).toEqual(led);
    expect(moved).toEqual([
      `${front.current()}/before-message/${app.appId}`,
      `${front.current()}/webhooks/${app.appId}`,
    ]);
  });

  it("moves no webhook to a distribution if no receiver answers", async () => {
    setEdge("https://localhost:1");
    const led = await destinations();
    distribution = "http://127.0.0.1:1";

    const tried = await chat(stage);
    distribution = undefined;

    expectEnd(
      tried,
      5,
      "The receiver gives no answer, twice (7 s each): deliveries are lost after 40 s. No webhook was changed.",
    );
    expect(await destinations()).toEqual(led);
  });

  it.runIf(isNight)("lists no new address without consent", async () => {
    const before = readFileSync(join(project, "config/stages.yml"), "utf8");
    const line = "setup --stage prod --region eu-central-1 --new-address --skip-checks".split(" ");

    const stop = new AbortController();
    const confirm = async () => {
      stop.abort();
      return await Promise.reject(stop.signal.reason);
    };

    const ends = [
      await chat(line),
      await chat(line, { answers: [confirm], edges: { signal: stop.signal } }),
    ].map(({ exitCode }) => exitCode);

    expect([ends, readFileSync(join(project, "config/stages.yml"), "utf8")]).toEqual([[3, 130], before]);
  });

  it("reports what it has no right to read as unknown, and names the right", async () => {
    const status = () => chat("status --stage prod --region eu-central-1".split(" "));
    const { resources } = account.stacks.find("cometchat-functions-prod") ?? {};
    const uuid = resources?.get("ProcessEventsEventSourceMappingSQSEventsQueue")?.physicalId ?? "";
    account.mappings.set(uuid, { Enabled: false });
    let denied = "";
    account.deny((call) => denied !== "" && call.includes(denied));
    const blind: Record<string, unknown> = {};
    for (const right of ["GetTemplate", "event-source-mappings", "GetSecretValue", "Query"]) {
      denied = right;
      const { exitCode, stdout } = await status();
      blind[right] = [exitCode, /nothing needs/.test(stdout), stdout.match(/no right: \S+(?=\))/)?.[0]];
    }
    denied = "";
    const seen = await status();
    account.mappings.delete(uuid);

    expect(blind).toEqual({
      GetTemplate: [4, false, "no right: cloudformation:GetTemplate"],
      "event-source-mappings": [4, false, "no right: lambda:GetEventSourceMapping"],
      GetSecretValue: [1, false, "no right: secretsmanager:GetSecretValue"],
      Query: [1, false, "no right: dynamodb:Query"],
    });
    expect([seen.exitCode, seen.stdout]).toEqual([
      1,
      expect.stringContaining("ProcessEventsEventSourceMappingSQSEventsQueue is disabled"),
    ]);
  });

  it.runIf(isNight)(
    "operates a stage with the rights of the ready policy, and needs each of them",
    async () => {
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
        const { exitCode, stderr } = await chat(typed.split(" "), { answers });
        if (![0, 1].includes(exitCode)) ends.push(`${line}: ${stderr}`);
      }

      const policy = readFileSync(join(project, "infrastructure/policies/operator.json"), "utf8");
      const statements: { Action: string[] }[] = JSON.parse(policy).Statement;
      const allowed = new Set(statements.flatMap(({ Action }) => Action));
      const called = actionsOf([...ofSetup, ...account.everCalled]);
      expect(ends).toEqual([]);
      expect(called.filter((action) => !allowed.has(action))).toEqual([]);
      const needed = new Set([...called, ...Object.values(readsOfDrift).flat()]);
      expect([...allowed].filter((action) => !needed.has(action)).toSorted()).toEqual(notCalledHere);
    },
  );

  it.runIf(isNight)("moves a stage without an address to one, wherever it is interrupted", async () => {
    await cloud.settled();
    await cloud.reset();
    await toPlainPaths();
    const plain = front.current();
    const body = {
      id: "asks",
      name: "asks",
      webhookURL: `${plain}/before-message/${app.appId}`,
      enabled: false,
    };
    await manage("legacy", "POST /webhooks", body);
    let isDenied = () => true;
    account.deny((call) => /ChangeSet/.test(call) && isDenied());
    const isPut = ({ method }: ClientRequest) => method === "PUT";
    const declines = (message: string) => Promise.resolve(!message.startsWith("End the earlier"));

    const undeployed = await chat(stage);
    const unlisted = addressesInFile();
    isDenied = () => addressesInFile().length === 1;
    await diesAtRequest(0, () => chat(stage), isPut);
    await diesAtRequest(1, () => chat(stage), isPut);
    const declined = await chat(
      stage.filter((word) => word !== "--yes" && word !== "--json"),
      { answers: Array(9).fill(declines) },
    );
    const listed = addressesInFile();
    const served = front.current();
    const unfinished = await chat(stage);
    const kept = addressesInFile();
    isDenied = () => false;
    const last = await chat(stage);
    const moved = await destinations();

    expect([unlisted, kept]).toEqual([[], listed]);
    expect(listed).toEqual([expect.stringMatching(/^[a-z0-9]{24}$/), ""]);
    expect([undeployed, declined, unfinished].map(({ exitCode }) => exitCode)).not.toContain(0);
    expect(served).toBe(`${front.url}/${listed[0]}`);
    expectEnd(last, 0);
    expect(moved).toEqual([
      `${front.url}/${listed[0]}/before-message/${app.appId}`,
      `${front.url}/${listed[0]}/webhooks/${app.appId}`,
    ]);
    expect(addressesInFile()).toEqual([listed[0]]);
  });

  const setEdge = (url: string) =>
    editFile(join(project, "config/stages.yml"), (text) =>
      text.replace(/^prod:$/m, `prod:\n  edgeUrl: ${url}`),
    );

  /** The deployed package also lists this app, until the returned function is called. */
  function alsoServe(appId: string) {
    const deployed = account.stacks.find("cometchat-functions-prod");
    const body = deployed?.body ?? "";
    Object.assign(Object(deployed), { body: body.replace('"appIds":[', `"appIds":["${appId}",`) });
    return () => void Object.assign(Object(deployed), { body });
  }

  /** As a stage that was deployed before there were addresses. */
  async function toPlainPaths() {
    const file = join(project, "config/stages.yml");
    writeFileSync(file, readFileSync(file, "utf8").replace(/^ *addresses:.*\n/m, ""));
    const deploy = ["deploy", "--stage", "prod", "--region", "eu-central-1", "--yes", "--json"];
    const refused = await chat([...deploy, "--allow-loss"]);
    expect(refused.json).toEqual([{ error: expect.objectContaining({ code: "WOULD_LOSE" }) }]);
    delete Object(account.stacks.find("cometchat-functions-prod")?.template.Outputs).Addresses;
    expectEnd(await chat(deploy), 0);
    await manage("current", "PUT /webhooks/functions", {
      webhookURL: `${front.current()}/webhooks/${app.appId}`,
    });
  }

  function addressesInFile(): readonly string[] {
    return parse(readFileSync(join(project, "config/stages.yml"), "utf8")).prod?.addresses ?? [];
  }

  /** The URLs of the platform's webhooks of both engines. */
  async function destinations(): Promise<readonly string[]> {
    const lists = await Promise.all(
      (["legacy", "current"] as const).map((engine) => manage(engine, "GET /webhooks")),
    );
    return lists.flatMap(({ data }) =>
      Object(data).map(({ webhookURL }: { webhookURL: string }) => webhookURL),
    );
  }

  const manage = (engine: "legacy" | "current", call: string, body?: object) =>
    manageApp({ platform, app }, call, body, engine);

  const chat = (line: readonly string[], options: RunChatOptions = {}) =>
    createRunChat(project)(line, {
      ...options,
      edges: { env: { ...process.env, ...addressesOfChat(platform), ...account.env }, ...options.edges },
    });
});

/** After `rotate` is emptied. */
const stops = "rotate schedule --app local-app";

const operated = [
  ...["doctor", "status", "logs --since 1h", "remove --app spare"],
  ...["dead-letters list", "dead-letters replay --text TypeError", "dead-letters drop --quarantine --all"],
  ...["pause trigger:auto-reply", "resume trigger:auto-reply", "resume hosts --app local-app"],
  ...[
    "rotate finish --dry-run --app local-app",
    "rotate webhook-password --app local-app",
    "rotate schedule",
    stops,
    "rotate finish --abandon --app local-app",
  ],
  ...["app apply --dry-run --app local-app", "reconcile --since 2h", "trigger message_sent --app local-app"],
  ...["trace local-app|message_sent|one", "people export alice", "people erase alice"],
];

const notCalledHere = [
  "cloudformation:DetectStackResourceDrift", // AWS asks for it with DetectStackDrift
  "dynamodb:DeleteItem", // of a user whom a table holds
  "dynamodb:PutItem", // of a flow that is started again
  "lambda:DeleteDurableExecution", // of an ended flow that holds a user
  "lambda:GetDurableExecution", // of a flow that holds a user, as the next ones
  "lambda:GetDurableExecutionHistory",
  "lambda:GetFunctionConfiguration", // where a message did not arrive
  "lambda:ListDurableExecutionsByFunction", // of a published version
  "lambda:SendDurableExecutionCallbackSuccess",
  "lambda:StopDurableExecution",
  "secretsmanager:RestoreSecret", // of one that is being deleted
  "secretsmanager:TagResource", // AWS asks for it with CreateSecret
];

/** The local cloud runs, built for its own stage: the other stage must have the same settings. */
function triggersOfLocal() {
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

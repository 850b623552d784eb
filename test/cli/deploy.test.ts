import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { CreateSecretCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { findMissingRights } from "../../cli/deploy/check-before.ts";
import { endOfEvents } from "../../cli/deploy/make-ready.ts";
import { explainFailure, packageService } from "../../cli/deploy/package-service.ts";
import { checkResources } from "../../cli/doctor/check-aws.ts";
import { checkStack } from "../../cli/doctor/examine-target.ts";
import { readStack } from "../../cli/target/target.ts";
import { createAwsCaller } from "../../lib/aws/aws-call.ts";
import { remediesFor } from "../../lib/operate/doctor/remedies.ts";
import { type Account, startAccount } from "../helpers/account/account.ts";
import { actionsOf } from "../helpers/account/iam-actions.ts";
import { firstByDay, isNight } from "../helpers/by-day.ts";
import { clientTo } from "../helpers/client-to.ts";
import { editFile } from "../helpers/edit-file.ts";
import { startLoopbackServer } from "../helpers/loopback-server.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";
import { createRunChat, expectEnd, type Ran, type RunChatOptions } from "../helpers/run-chat.ts";

const stackName = "cometchat-functions-prod";
const mapping = "ProcessEventsEventSourceMappingSQSEventsQueue";

describe("chat deploy", () => {
  let project: string;
  let packages: string;
  let newer: string;
  let account: Account;
  let toEmpty: () => void;
  /** Deployed once, as the framework takes seconds. */
  let toDeployed: () => void;
  let first: Ran;
  /** A first deployment failed. */
  let toFailed: () => void;
  let failed: Ran;
  /** The newer package is deployed over the first, which served one more app. */
  let toNewer: () => void;
  let newest: Ran;
  let usedKeys: readonly string[];
  let nowMs = Date.now();

  const chat = (line: string, options: RunChatOptions = {}): Promise<Ran> =>
    createRunChat(project)(line.split(" ").filter(Boolean), {
      ...options,
      edges: {
        env: environment(),
        now: () => nowMs,
        sleep: async (ms) => {
          nowMs += ms;
        },
        ...options.edges,
      },
    });
  const environment = () => ({ ...process.env, ...account.env });
  const deploy = (more = "--yes", options?: RunChatOptions, folder = packages) =>
    chat(`deploy --stage prod --region eu-central-1 --package ${folder} ${more}`, options);
  const client = () => clientTo(account.url, 3)(CloudFormationClient);
  const stack = () => account.stacks.find(stackName);
  const physicalId = (logicalId: string) => stack()?.resources.get(logicalId)?.physicalId ?? "";
  const setStack = (fields: { status?: string; updatedAt?: Date }) =>
    void Object.assign(Object(stack()), fields);
  /** Another user changes the stack while the command asks for confirmation, which is given. */
  const changedMeanwhile: RunChatOptions = {
    answers: [
      () => {
        setStack({ updatedAt: new Date(nowMs + 1) });
        return true;
      },
    ],
  };

  beforeAll(async () => {
    project = copyProject({ "config/apps.yml": "local:\n  - local-app\nprod:\n  - an-app\n" });
    packages = mkdtempSync(join(tmpdir(), "package-"));
    account = await startAccount({
      now: () => nowMs,
      otherAccounts: { AKIAOTHER: "999999999999" },
    });
    toEmpty = account.save();
    await packageService(
      { stage: "prod", region: "eu-central-1", folder: packages },
      { projectFolder: project, env: environment(), signal: new AbortController().signal, onLine: () => {} },
    );
    greet(packages);
    newer = makeNewer(packages);
    account.stacks.mishaps.push({ when: "create", logicalId: "EventBus", reason: "It is tired" });
    failed = await deploy();
    toFailed = account.save();
    toEmpty();
    first = await deploy();
    toDeployed = account.save();
    serve("another-app", "an-app");
    // As after a deployment that was killed: no record says that the first package runs.
    for (const [key] of account.buckets
      .objectsOf(physicalId("ServerlessDeploymentBucket"))
      .filter(([key]) => key.includes("/live/"))) {
      account.buckets.buckets.get(physicalId("ServerlessDeploymentBucket"))?.delete(key);
    }
    nowMs += 1_000;
    newest = await deployAsMine();
    toNewer = account.save();
  });
  afterAll(async () => {
    await account.close();
    removeCopy(project);
    for (const folder of [packages, newer]) rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => toEmpty());

  it("creates a stage that does not exist, and prints the next steps", () => {
    toDeployed();

    expect(first.stderr).toContain(
      "acts on stage prod (eu-central-1, account 123456789012, by AWS_ACCESS_KEY_ID)",
    );
    expect(first.stderr).toMatch(/adds \d+: .*5 SQS Queue/);
    expect(first.stdout).toContain("Deployed for the first time.");
    expect(first.stdout).toMatch(/webhooks go to https:.*\/webhooks\/<appId>/);
    expect(first.exitCode).toBe(0);
    expect(stack()?.status).toBe("UPDATE_COMPLETE");
  });

  it("shows what would change, and changes nothing, in a dry run", async () => {
    toDeployed();
    const before = stack()?.updatedAt;
    stack()?.resources.delete("CallsQueue");

    const { json } = await deploy("--dry-run --json");

    expect(json).toEqual([
      expect.objectContaining({
        outcome: "rehearsed",
        changes: [{ action: "add", logicalId: "CallsQueue", type: "AWS::SQS::Queue", isKept: false }],
      }),
    ]);
    expect(stack()?.updatedAt).toEqual(before);
    expect(stack()?.changeSets.size).toBe(0);
    expect(
      account.buckets
        .objectsOf(physicalId("ServerlessDeploymentBucket"))
        .filter(([key]) => key.includes("preview")),
    ).toEqual([]);
  });

  it("warns before and after that alarms have no subscriber, and of a new account's concurrency limit", () => {
    toDeployed();

    const nobody = "No alarm notifies anyone: the topic of alarms has no subscriber.";
    expect(first.stderr.split(nobody)).toHaveLength(3);
    expect(first.stderr).toContain(
      "The account may run 10 functions at once, and the consumer takes up to 6 (consumerConcurrency). Flows, logins, custom functions and other stages in the account and region share the rest with the receiver: ask AWS for 1,000 (Service Quotas, AWS Lambda, Concurrent executions) before you use them in production.\n",
    );
  });

  it("names every missing right before it changes anything", async () => {
    account.deniedActions = ["sqs:CreateQueue", "iam:PassRole"];

    const refused = await deploy();
    const rehearsed = await deploy("--dry-run");

    expectEnd(
      refused,
      4,
      "what a deployment needs: iam:PassRole, sqs:CreateQueue.",
      "Attach infrastructure/policies/deployer.json",
    );
    expect(account.stacks.stacks).toEqual([]);
    expectEnd(rehearsed, 4, "iam:PassRole, sqs:CreateQueue");
  });

  it("checks the rights of the role behind a session", async () => {
    account.deniedActions = ["sqs:CreateQueue"];
    const statement = { Action: ["sqs:CreateQueue", "sqs:TagQueue"], Resource: ["arn:of:*"] };
    const missing = await findMissingRights(
      { client: clientTo(account.url), identity },
      { Statement: [statement] },
    );

    expect(missing).toEqual(["sqs:CreateQueue"]);
    expect(account.calls).toEqual(["iam GetRole", "iam SimulatePrincipalPolicy"]);
  });

  it("refuses a region without durable functions, unless the checks are skipped", async () => {
    account.runningFlows = undefined;

    const refused = await deploy();
    const skipped = await deploy("--dry-run --skip-checks");

    expectEnd(
      refused,
      3,
      "Lambda has no durable functions in eu-central-1",
      "add `flows: off` to prod in config/stages.yml",
    );
    expect(account.stacks.stacks).toEqual([]);
    expect(skipped.exitCode, skipped.stderr).toBe(0);
  });

  it("refuses to delete the function of flows while flows run, unless --allow-loss is given", async () => {
    toDeployed();
    const without = withoutFlows(packages);
    account.runningFlows = 2;

    const refused = await deploy("--yes", {}, without);
    const rehearsed = await deploy("--dry-run", {}, without);
    const allowed = await deploy("--allow-loss", { answers: [false] }, without);
    account.runningFlows = 0;
    const over = await deploy("", { answers: [false] }, without);
    rmSync(without, { recursive: true, force: true });

    for (const ran of [refused, rehearsed]) expectEnd(ran, 3, "and 2 of them run");
    for (const { stderr } of [allowed, over]) expect(stderr).toContain("Nothing was changed.");
    expect(allowed.stderr).toContain("! This would delete the function of flows, and 2 of them run.\n");
    expect(over.stderr).not.toContain("of them run");
  });

  it("refuses a package that lacks an event running flows wait for, unless --allow-loss is given", async () => {
    toNewer();
    say({ FlowEvents: { f: ["message_edited"] } });
    account.runningFlows = 2;

    const refused = await deploy("--dry-run");
    const back = await rollback("--yes");
    const allowed = await rollback("--allow-loss");

    expectEnd(refused, 3, "before the running one");
    const hint = "pause --stage prod --region eu-central-1 app:an-app\n";
    for (const ran of [refused, back])
      expectEnd(ran, 3, "Running flows (2)", "in waitsFor: message_edited.", "--allow-loss", hint);
    expect(allowed.stderr).toContain("Go back to the package of");
  });

  it.runIf(isNight)("refuses to stop serving another user's app without --drop-app", async () => {
    toDeployed();
    serve("another-app", "an-app");

    const refused = await deploy();
    const rehearsed = await deploy("--dry-run");
    const other = await deploy("--drop-app an-app");
    const lossy = await deploy("--yes --allow-loss");
    const { stderr } = await deploy("--drop-app another-app");
    serve("another-app", "a-third", "an-app");
    const typed = printedBy(await deploy("--drop-app a-third"), "deploy").at(-1) ?? "";
    const both = await chat(`${typed.replaceAll("'", "")} --dry-run`);

    for (const ran of [refused, rehearsed, other, lossy])
      expectEnd(ran, 3, "does not serve another-app", "config/apps.yml", "--drop-app another-app");
    expect(stderr).toContain("no longer serves: another-app");
    expect(stderr).toContain("Deploy this to stage prod");
    expect(typed).toMatch(/ --drop-app another-app --drop-app a-third$/);
    expectEnd(both, 0, "no longer serves: another-app, a-third");
  });

  it("deploys no functions that could not read an app's webhook credentials", async () => {
    toDeployed();
    onTestFinished(() => account.secrets.putBack([]));
    account.secrets.put("cometchat-functions/prod/an-app", { apiKey: "without-a-webhook-secret" });

    const refused = await deploy();
    const calls = account.calls.join();
    account.secrets.put("cometchat-functions/prod/an-app/webhook", {});
    const made = await deploy("--dry-run");

    const command = "npx cometchat-functions setup --stage prod --region eu-central-1 --app an-app\n";
    expectEnd(refused, 3, "without cometchat-functions/prod/an-app/webhook. Nothing was deployed.", command);
    expect(calls).not.toMatch(/ExecuteChangeSet|UpdateStack/);
    expect(made.exitCode, made.stderr).toBe(0);
  });

  it.runIf(isNight)("deploys if only a tag is new", async () => {
    toDeployed();
    editFile(join(packages, "serverless-state.json"), (text) => {
      const state = JSON.parse(text);
      state.service.provider.stackTags = { owner: "chat" };
      return JSON.stringify(state);
    });
    nowMs += 60_000;

    const { exitCode, stderr, json } = await deploy("--yes --json");

    expect(exitCode, stderr).toBe(0);
    expect(json).toEqual([expect.objectContaining({ outcome: "updated" })]);
    expect(stack()?.tags).toBe("STAGE prod owner chat");
  });

  it("deploys nothing if it is interrupted while it waits for names to be released", async () => {
    toFailed();
    const interruption = new AbortController();

    expectEnd(
      await deploy("--yes", {
        edges: { signal: interruption.signal, sleep: async () => interruption.abort() },
      }),
      130,
      "AWS releases their names in",
    );
    expect(account.calls).not.toContain("cloudformation ExecuteChangeSet");
  });

  it.each([
    ["UPDATE_IN_PROGRESS", 3, "repeat it when it is over"],
    ["UPDATE_ROLLBACK_FAILED", 3, "npx cometchat-functions deploy --stage prod"],
    ["DELETE_FAILED", 3, "npx cometchat-functions remove --stage prod"],
    ["ROLLBACK_COMPLETE", 0, "would be deleted first"],
  ])("dry-runs on a stack that is %s without changing it", async (status, code, message) => {
    toDeployed();
    setStack({ status });

    expectEnd(await deploy("--dry-run --yes"), code, message);
    expect(stack()?.status).toBe(status);
    expect(account.calls.join()).not.toMatch(/DeleteStack|ContinueUpdateRollback|CreateChangeSet/);
  });

  it("uses one identity, even if the framework prefers another, and names the apps that are no longer served", () => {
    const { exitCode, stderr, json } = newest;

    expect(exitCode, stderr).toBe(0);
    expect(usedKeys).toEqual(["AKIAMINE"]);
    expect(stderr).toContain("(eu-central-1, account 123456789012, by AWS_PROFILE=mine)");
    expect(stderr).toContain("no longer serves: another-app, whose deliveries are refused from then on");
    expect(json).toEqual([expect.objectContaining({ outcome: "updated", servesNoMore: ["another-app"] })]);
  });

  it.runIf(isNight)(
    "deploys with credentials that their source renews, however soon they expire",
    async () => {
      toDeployed();
      let issued = 0;
      const { url } = await startLoopbackServer((_request, response) => {
        issued += 1;
        response.writeHead(200, { "content-type": "application/json" }).end(
          JSON.stringify({
            AccessKeyId: `AKIAISSUED${issued}`,
            SecretAccessKey: "secret",
            Token: "token",
            Expiration: new Date(nowMs + 10 * 60_000).toISOString(),
          }),
        );
      });
      const source = {
        AWS_ACCESS_KEY_ID: "",
        AWS_SECRET_ACCESS_KEY: "",
        AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/issue`,
      };
      // The SDK's provider reads these from its process.
      for (const [name, value] of Object.entries(source)) vi.stubEnv(name, value);
      onTestFinished(() => void vi.unstubAllEnvs());
      account.accessKeys.clear();

      const ran = await deploy("--yes", { edges: { env: { ...environment(), ...source } } }, newer);

      expectEnd(ran, 0, "by the role of this machine");
      expect(stack()?.template.Resources.WebhookLambdaFunction?.Properties).toMatchObject({
        Environment: { Variables: { LOG_LEVEL: "DEBUG" } },
      });
      expect([...account.accessKeys].filter((key) => !key.startsWith("AKIAISSUED"))).toEqual([]);
    },
  );

  it.runIf(isNight)(
    "deploys with a profile that renews its credentials while the framework runs",
    async () => {
      toDeployed();
      account.accessKeys.clear();
      const count = join(project, "issued");
      const program = join(project, "issue.cjs");
      const config = join(project, "aws-config");
      writeFileSync(
        program,
        `const { appendFileSync, readFileSync } = require("node:fs");
       appendFileSync(${JSON.stringify(count)}, "1");
       console.log(JSON.stringify({
         Version: 1,
         AccessKeyId: "AKIAISSUED" + readFileSync(${JSON.stringify(count)}, "utf8").length,
         SecretAccessKey: "secret",
         SessionToken: "token",
         Expiration: new Date(Date.now() + 4 * 60_000).toISOString(),
       }));`,
      );
      writeFileSync(config, `[profile issued]\ncredential_process = "${process.execPath}" "${program}"\n`);
      const source = { AWS_CONFIG_FILE: config, AWS_PROFILE: "issued" };
      // The command finds 14 minutes, and 4 once the framework has begun, whose own clock is right.
      let behindMs = 10 * 60_000;
      let keysBefore = 0;
      const stderr = {
        isTerminal: true,
        write: (text: string) => {
          if (behindMs === 0 || !text.includes("Deploying ")) return;
          behindMs = 0;
          keysBefore = account.accessKeys.size;
        },
      };
      const now = () => Date.now() - behindMs;

      const ran = await deploy(
        "--yes",
        { edges: { env: { ...environment(), ...source }, now, stderr } },
        newer,
      );

      expect(ran.exitCode).toBe(0);
      expect(keysBefore).toBeGreaterThan(0);
      expect(account.accessKeys.size).toBeGreaterThan(keysBefore + 1);
      expect([...account.accessKeys].filter((key) => !key.startsWith("AKIAISSUED"))).toEqual([]);
    },
  );

  const repair = (more: string) => chat(`deploy --stage prod --region eu-central-1 --repair ${more}`);
  const look = async () => {
    const resources = new Map(stack()?.resources);
    const callAws = createAwsCaller(account.env);
    const target = { kind: "stage", callAws, cloudFormation: client() } as const;
    const edges = { sleep: async () => {}, signal: new AbortController().signal };
    return checkResources(target, { name: stackName, resources }, edges, remediesFor("--stage prod"));
  };

  const seen = async () =>
    checkStack(
      await readStack({ stackName, title: "it", stage: "prod", cloudFormation: client() }),
      remediesFor("--stage prod"),
    );

  it("finds and undoes changes outside of deployments, which a deployment does not", async () => {
    toDeployed();
    nowMs += 60_000;
    account.mappings.set(physicalId(mapping), { Enabled: false });
    account.reserved.set(physicalId("WebhookLambdaFunction"), 0);
    account.stacks.drift.set("WebhookRole", ["/Policies/0/PolicyDocument/Statement/1"]);

    const found = await look();
    const deployed = await deploy();
    const rehearsed = await repair("--dry-run");
    const stillThere = await look();
    const repaired = await repair("--yes --json");
    const again = await repair("--yes");

    const remedy = "npx cometchat-functions deploy --repair --stage prod";
    const outside = "changed outside of deployments";
    expect(found).toEqual([
      ...[
        "WebhookLambdaFunction has a reserved concurrency of 0, not none: it never runs",
        `${mapping} is disabled`,
      ].map((says) => ({ status: "wrong", says: `${says}: it was ${outside}.`, remedy })),
      {
        status: "wrong",
        says: `WebhookRole was ${outside}: /Policies/0/PolicyDocument/Statement/1.`,
        remedy,
      },
    ]);
    expect(deployed.stdout).toContain("nothing differs");
    expect([rehearsed.exitCode, rehearsed.stderr]).toEqual([
      0,
      expect.stringMatching(/changes 3: [\s\S]*EventsQueue is disabled\n +WebhookRole\n/),
    ]);
    expect([stillThere, stack()?.changeSets.size]).toEqual([found, 0]);
    expect(repaired.json, repaired.stderr).toMatchObject([{ outcome: "updated" }]);
    expect([again.stdout, await look()]).toEqual([
      expect.stringContaining("nothing differs"),
      [expect.objectContaining({ status: "ok" })],
    ]);
  });

  it("reports resources that CloudFormation could not compare as unknown", async () => {
    toDeployed();
    account.stacks.unreadable = "Failed to detect drift on resource [WebhookRole]";
    account.stacks.drift.set("DoctorRole", ["/Policies"]);
    account.stacks.drift.set("DoctorEventsRuleSchedule1", ["/State"]);
    account.stacks.drift.set("ReconcileEventsRuleSchedule1", ["/Targets"]); // CloudFormation's own form

    const found = await look();
    account.stacks.drift.clear();
    const without = await look();

    const unread = {
      status: "unknown",
      says: "CloudFormation could not compare everything: Failed to detect drift on resource [WebhookRole].",
      remedy: expect.stringContaining("infrastructure/policies/operator.json"),
      because: "no answer",
    };
    const changed = (what: string) => expect.objectContaining({ status: "wrong", says: `${what}.` });
    expect(found).toEqual([
      changed("DoctorRole was changed outside of deployments: /Policies"),
      changed("DoctorEventsRuleSchedule1 was changed outside of deployments: /State"),
      unread,
    ]);
    expect(without).toEqual([unread]);
  });

  it("recreates resources that were deleted outside of deployments, including a mapping", async () => {
    toDeployed();
    nowMs += 60_000;
    account.mappings.set(physicalId(mapping), "deleted");
    account.reserved.set(physicalId("WebhookLambdaFunction"), 0);
    account.stacks.drift.set("EventsQueue", []);
    account.stacks.drift.set("StateTable", ["/BillingMode"]);
    const before = physicalId(mapping);

    const found = await look();
    account.stacks.isLate = true;
    const repaired = await repair("--yes");
    account.stacks.isLate = false;
    account.stacks.drift.delete("StateTable");

    expect(found.map(({ says }) => says)).toEqual([
      expect.stringContaining("WebhookLambdaFunction has a reserved concurrency of 0"),
      `${mapping} is deleted: it was changed outside of deployments.`,
      "EventsQueue was deleted outside of deployments.",
    ]);
    expectEnd(repaired, 0, "Repaired: it is as it was deployed.");
    expect(physicalId(mapping)).not.toBe(before);
    expect(stack()?.template.Resources.WebhookLambdaFunction?.Properties).toMatchObject({
      Environment: { Variables: { GREETING: "Grüß Gott" } },
    });
    expect(await look()).toEqual([expect.objectContaining({ status: "ok" })]);
  });

  it.each(firstByDay(["deploy --repair", "deploy"]))(
    "completes an interrupted repair with: %s",
    async (command) => {
      toDeployed();
      nowMs += 60_000;
      account.mappings.set(physicalId(mapping), "deleted");
      account.stacks.mishaps.push({ when: "create", logicalId: mapping, reason: "It is tired" });

      const stopped = await repair("--yes");
      const found = await seen();
      const continued = await (command === "deploy" ? deploy() : repair("--yes"));

      expectEnd(stopped, 7, "Fix the cause, and run this again.");
      expect(stopped.stderr).toContain(`${mapping} (AWS::Lambda::EventSourceMapping): It is tired`);
      expect(found).toEqual({
        status: "wrong",
        says: `A repair of ${stackName} stopped midway: ${mapping} must be made again.`,
        remedy: "npx cometchat-functions deploy --repair --stage prod",
      });
      expectEnd(continued, 0, "adds 1: 1 Lambda EventSourceMapping");
      expect([stack()?.resources.has(mapping), (await seen()).status]).toEqual([true, "ok"]);
      expect(await look()).toEqual([expect.objectContaining({ status: "ok" })]);
    },
  );

  it("reports what failed, and continues from there the next time", async () => {
    toFailed();
    const afterFailure = stack()?.status;
    const again = await deploy();

    expect(failed.exitCode).toBe(7);
    expect(failed.stderr).toContain("EventBus (AWS::Events::EventBus): It is tired");
    expect(afterFailure).toBe("UPDATE_ROLLBACK_COMPLETE");
    expectEnd(again, 0, "adopts 4: 4 DynamoDB Table");
    expect(stack()?.status).toBe("UPDATE_COMPLETE");
  });

  it.runIf(isNight)(
    "repeats a failed deployment that had already published the flows' version, which stays",
    async () => {
      const tire = () =>
        account.stacks.mishaps.push({
          when: "update",
          logicalId: "FlowsDurableLambdaAlias",
          reason: "Tired",
        });
      toDeployed();

      tire();
      const exitCodes = [(await deploy("--yes", {}, newer)).exitCode];
      const again = await deploy("--yes", {}, newer);
      tire();
      exitCodes.push((await rollback("--yes")).exitCode);
      const backAgain = await rollback("--yes");

      expect(again.exitCode, again.stderr).toBe(0);
      expect(exitCodes).toEqual([7, 7]);
      expect(backAgain.exitCode, backAgain.stderr).toBe(0);
    },
  );

  it.each([
    ["User: operator is not authorized to perform: s3:CreateBucket", 4, "lacks a right"],
    ["prod-events.fifo already exists", 7, "Another resource of this account has the name"],
    ["It is tired.", 7, "Fix the cause, and run this again"],
  ])("explains a failure with the reason %j", async (reason, code, message) => {
    failFirst(reason);

    const error = await explainFailure([], 0, { stackName, title: "stage prod", cloudFormation: client() });

    expect(error.exitCode).toBe(code);
    expect(`${error.message} ${error.hint}`).toContain(message);
    expect(error.message).toContain(`Bucket (AWS::S3::Bucket): ${reason.replace(/\.$/, "")}. `);
  });

  it.runIf(isNight)("does not claim to have ended an operation that CloudFormation continues", async () => {
    const interruption = new AbortController();
    toFailed();
    account.deny((call) => {
      if (call.startsWith("cloudformation ExecuteChangeSet")) interruption.abort();
      return false;
    });

    const ended = await deploy("--yes", { edges: { signal: interruption.signal } });
    account.deny(() => false);

    expectEnd(
      ended,
      130,
      "CloudFormation continues what had begun.\nSee when it is over: npx cometchat-functions status",
    );
  });

  it("reports the state of a stack that it cannot read as unknown", async () => {
    const cloudFormation = client();
    const expired = Object.assign(new Error("The security token included in the request is expired"), {
      name: "ExpiredTokenException",
    });
    cloudFormation.send = async () => Promise.reject(expired);

    const error = await explainFailure(["Error:", "Expired"], 0, { stackName, title: "it", cloudFormation });

    expect(error.message).toMatch(
      /^The deployment to it failed \(Expired\), and its state is unknown: .*expired/,
    );
    expect(error.hint).toMatch(/^Check which credentials .* npx cometchat-functions deploy$/);
  });

  it("does not report an earlier failure as the reason of this one", async () => {
    toFailed();
    const sinceMs = await endOfEvents(client(), stackName);

    const error = await explainFailure(["Error:", "No disk"], sinceMs, {
      stackName,
      title: "it",
      cloudFormation: client(),
    });

    expect(error.message).toBe(`The deployment to it failed: No disk. ${stackName} was rolled back.`);
  });

  it("deletes, after asking, what is left of a failed first deployment", async () => {
    failFirst();
    const left = stack()?.status;

    const unasked = await deploy("--json");
    account.stacks.isLate = true;
    const stopped = await deploy("", { answers: [true, false] });

    expect(left).toBe("ROLLBACK_COMPLETE");
    expect([unasked.exitCode, stopped.exitCode]).toEqual([3, 7]);
    expect(unasked.stderr).toContain("Delete it?");
    expect(stopped.stderr).toContain("Stopped here.");
    expect(stack()).toBeUndefined();
  });

  it("refuses to destroy resources that hold data without --allow-loss", async () => {
    toDeployed();
    const present = stack()?.resources.get("CallsTable");
    if (present) present.definition = { ...present.definition, Properties: { TableName: "of-yesterday" } };

    const refused = await deploy();
    const allowed = await deploy("--allow-loss");

    expectEnd(refused, 3, "CallsTable (what the functions remember in it)", "--allow-loss");
    expect(allowed.stderr).toContain("Deploy this to stage prod");
  });

  it("refuses to lose messages of a queue with another key", async () => {
    toDeployed();
    say({}, { KmsMasterKeyId: "arn:of-yesterday" });

    const message = "config/stages.yml has, under prod: formerKmsKeys: [arn:of-yesterday]";
    expectEnd(await deploy(), 3, message, "--allow-loss");
  });

  it.each([
    ["cloudformation DescribeStacks", "--yes"],
    ["cloudformation CreateChangeSet", "--yes"],
    ["s3 PUT", "--dry-run"],
  ])("distinguishes a missing right for %s from a fault", async (call, more) => {
    toDeployed();
    account.deny((one) => one.startsWith(call));

    expectEnd(await deploy(more), 4, "not authorized");
  });

  it("keeps stages apart in one account: every name contains the stage", () => {
    toDeployed();
    const names = Object.values(stack()?.template.Resources ?? {}).flatMap(({ Type, Properties = {} }) =>
      Object.entries(Properties).flatMap(([property, value]) =>
        property === `${Type.split("::").at(-1)}Name` && typeof value === "string" ? [value] : [],
      ),
    );

    expect(names.length).toBeGreaterThan(60);
    expect(names.filter((name) => !/(^|-)prod(-|$)/.test(name))).toEqual(["$default"]);
  });

  const remove = (more: string, options?: RunChatOptions) =>
    chat(`remove --stage prod --region eu-central-1 ${more}`, options);
  const rollback = (more: string, options?: RunChatOptions) =>
    chat(`rollback --stage prod --region eu-central-1 ${more}`, options);
  const deployedAnd = (change: () => unknown) => () => {
    toDeployed();
    change();
  };
  const withStatus = (status: string) => deployedAnd(() => setStack({ status }));
  const setForStage = (line: string) =>
    editFile(join(project, "config/stages.yml"), (text) => text.replace(/^prod:$/m, `prod:\n  ${line}`));
  const endsSoon = () => ({
    edges: {
      env: { ...environment(), AWS_CREDENTIAL_EXPIRATION: new Date(nowMs + 20 * 60_000).toISOString() },
    },
  });
  const nothing = () => {};

  it.each<[name: string, prepare: () => unknown, type: () => Promise<Ran>, code: number, ...says: string[]]>([
    [
      "an address is not confirmed",
      deployedAnd(() => account.subscribers.set("ops@example.com", false)),
      () => deploy("--dry-run"),
      0,
      "ops@example.com has not confirmed",
    ],
    [
      "it has no right to simulate its policy",
      deployedAnd(() => (account.deniedActions = undefined)),
      () => deploy(),
      0,
      "Rights were not checked",
      "infrastructure/policies/deployer.json",
    ],
    [
      "another deployment runs",
      withStatus("UPDATE_IN_PROGRESS"),
      () => deploy("--yes", { edges: { sleep: async () => setStack({ status: "UPDATE_COMPLETE" }) } }),
      0,
      "a change is in progress",
    ],
    [
      "the rollback fails again",
      () => {
        withStatus("UPDATE_ROLLBACK_FAILED")();
        account.stacks.mishaps.push({ when: "rollback", logicalId: "EventsQueue", reason: "Still tired" });
      },
      () => deploy(),
      7,
      "The rollback of the last change of cometchat-functions-prod failed again",
    ],
    [
      "the stack changed after the question",
      deployedAnd(() => serve("an-app")),
      () => deploy("", changedMeanwhile),
      3,
      "has changed since the question",
    ],
    [
      "CloudFormation begins a removal late, whose credentials end soon",
      deployedAnd(() => (account.stacks.isLate = true)),
      () => remove("--yes --confirm prod", endsSoon()),
      0,
      "Removed.",
      "stays: cometchat-functions-prod-",
    ],
    [
      "CloudFormation begins a rollback late",
      () => {
        withStatus("UPDATE_ROLLBACK_FAILED")();
        account.stacks.isLate = true;
      },
      () => deploy("", { answers: [true] }),
      0,
      "Deployed already: nothing differs.",
    ],
    [
      "it cannot count the messages that a removal loses",
      deployedAnd(() => account.deny((call) => call === "sqs AmazonSQS.GetQueueAttributes")),
      () => remove("--dry-run"),
      0,
      "cometchat-functions-prod-events.fifo: an unknown number of messages",
    ],
    [
      "nothing is deployed for a removal",
      nothing,
      () => remove("--yes --confirm prod"),
      6,
      "This stage is not deployed.",
    ],
    [
      "a first deployment fails after a removal that kept its tables",
      async () => {
        toDeployed();
        await remove("--yes --confirm prod");
        failFirst();
        nowMs += 1_000;
        account.stacks.delete(stackName);
      },
      () => remove("--yes --confirm prod --delete-tables"),
      0,
      "deleted: ",
    ],
    [
      "a table's protection was just lifted",
      deployedAnd(() => (account.isSlowToUnprotect = true)),
      () => remove("--yes --confirm prod --delete-tables"),
      0,
      "deleted: ",
    ],
    [
      "the stack changed before a rollback",
      () => toNewer(),
      () => rollback("", changedMeanwhile),
      3,
      "has changed since the question",
    ],
    [
      "nothing is deployed for a rollback",
      nothing,
      () => rollback("--yes"),
      6,
      "Nothing is deployed as cometchat-functions-prod",
    ],
  ])("has the expected result if %s", async (_name, prepare, type, code, ...says) => {
    await prepare();

    expectEnd(await type(), code, ...says);

    account.isSlowToUnprotect = false;
  });

  describe("after a removal", () => {
    it("removes the last app with the commands that it prints", async () => {
      toDeployed();
      serve("an-app", "of-a-colleague");
      const files = ["config/apps.yml", "config/stages.yml"].map((name) => join(project, name));
      const before = files.map((file) => [file, readFileSync(file, "utf8")] as const);
      setForStage("production: true");
      const secret = { Name: "cometchat-functions/prod/an-app", SecretString: "{}" };
      await clientTo(account.url)(SecretsManagerClient).send(new CreateSecretCommand(secret));

      const unlisted = await remove("--app an-app --yes");
      const [ofStage = "", ofApp = ""] = printedBy(unlisted, "remove");
      const stageRemoved = await chat(`${ofStage} --yes --confirm prod`);
      const appRemoved = await chat(`${ofApp} --yes`);
      for (const [file, content] of before) writeFileSync(file, content);

      expectEnd(unlisted, 7, "also serves of-a-colleague");
      expectEnd(stageRemoved, 0, "Removed.");
      expectEnd(appRemoved, 0, "secret: removed");
    });

    const protectedStack = () => {
      toDeployed();
      Object.assign(Object(stack()), { isProtected: true });
    };
    const packagesNow = () => account.buckets.objectsOf(physicalId("ServerlessDeploymentBucket")).length;

    it.each([
      ["cloudformation UpdateTerminationProtection", 4, true, "not authorized"],
      ["s3 POST", 4, true, "not authorized"],
      ["cloudformation DeleteStack", 7, false, "The packages are deleted: until the next deploy"],
    ])("keeps the stack protected if it lacks the right to %s", async (denied, code, keepsPackages, says) => {
      protectedStack();
      account.deny((call) => call.startsWith(denied));

      const refused = await remove("--yes --confirm prod");

      expectEnd(refused, code, says);
      expect(packagesNow() > 0).toBe(keepsPackages);
      expect(stack()).toMatchObject({ status: "UPDATE_COMPLETE", isProtected: true });
    });

    it("shows beforehand what is lost and what stays, with counts", async () => {
      toDeployed();
      account.messages.set("cometchat-functions-prod-dead-letters.fifo", 17);

      const { stderr } = await remove("--dry-run");

      const [lost = "", stays = ""] = stderr.split("What stays:");
      expect(lost).toContain("cometchat-functions-prod-dead-letters.fifo: about 17 messages");
      expect(lost).toContain(
        "cometchat-functions-prod-calls: about 3 items, counted within the last six hours",
      );
      expect(stays).toContain("cometchat-functions-prod-state: about 3 items");
      expect(stderr).not.toContain("events of parked");
      expect(stack()?.status).toBe("UPDATE_COMPLETE");
    });

    it("warns of parked events, or that it cannot count them, before it deletes their table", async () => {
      toDeployed();
      const empty = await remove("--dry-run --delete-tables");
      account.parkedEvents = 2;
      const parked = await remove("--dry-run --delete-tables");
      account.deny((call) => call.endsWith("Scan"));
      const unseen = await remove("--dry-run --delete-tables");

      const table = "cometchat-functions-prod-lanes";
      expect(empty.stderr).not.toContain("events of parked");
      expect(parked.stderr).toContain(`! ${table} holds events of parked lanes, which exist nowhere else.`);
      expect(unseen.stderr).toContain(`! ${table} may hold events of parked lanes`);
    });

    it("refuses to adopt retained tables with a key that the functions may not use", async () => {
      toDeployed();
      await remove("--yes --confirm prod");
      account.tableKey = "arn:of-yesterday";

      const refused = await deploy();
      account.tableKey = undefined;

      expectEnd(refused, 3, "-effects", "formerKmsKeys: [arn:of-yesterday]", "--allow-loss");
    });

    it("deletes the tables, too, if requested, also after an interruption", async () => {
      toDeployed();
      await remove("--yes --confirm prod");

      expectEnd(await remove("--yes --confirm prod --delete-tables"), 0, "deleted: ");
      expect([...account.stacks.takenNames.keys()].filter((key) => key.includes("prod"))).toEqual([]);
    });

    it.each([
      ["--yes", undefined, "The stage's name was not typed."],
      ["--yes --confirm dev", undefined, '"dev" is not the stage\'s name.'],
      ["--yes", ["dev"], '"dev" is not "prod".'],
    ])("does not remove %j with the answers %j", async (more, answers, message) => {
      toDeployed();

      expectEnd(await remove(more, answers === undefined ? {} : { answers }), 3, message);
      expect(stack()?.status).toBe("UPDATE_COMPLETE");
    });

    it("reports what it did before an interruption, and leaves the stack protected", async () => {
      protectedStack();
      const interruption = new AbortController();
      account.deny((call) => {
        if (call.startsWith("s3 POST")) interruption.abort();
        return false;
      });

      const ended = await remove("--yes --confirm prod", { edges: { signal: interruption.signal } });

      expectEnd(ended, 130, "The packages are deleted, and nothing else", "remove --stage prod");
      expect(stack()).toMatchObject({ status: "UPDATE_COMPLETE", isProtected: true });
    });

    it("deletes nothing while the event bus has rules of others, and names them", async () => {
      toDeployed();
      const packages = packagesNow();
      account.busRules.push("of-billing", "of-search");

      const rehearsed = await remove("--dry-run");
      const refused = await remove("--yes --confirm prod");
      account.deny((call) => call.endsWith("ListRules"));
      const unseen = await remove("--dry-run");

      for (const ran of [rehearsed, refused]) expectEnd(ran, 3, "of-billing, of-search");
      expect(packagesNow()).toBe(packages);
      expect(stack()?.status).toBe("UPDATE_COMPLETE");
      expectEnd(unseen, 0, "! The event bus cometchat-functions-prod may have rules of others");
    });

    it("continues if it could not delete a resource", async () => {
      toDeployed();
      account.stacks.mishaps.push({ when: "delete", logicalId: "EventBus", reason: "It has rules" });

      const failed = await remove("--yes --confirm prod --delete-tables");
      const again = await remove("--yes --confirm prod");

      expectEnd(failed, 7, "EventBus (AWS::Events::EventBus): It has rules");
      expect(printedBy(failed, "remove")).toEqual([
        "remove --stage prod --region eu-central-1 --delete-tables",
      ]);
      expect(again.exitCode, again.stderr).toBe(0);
    });

    it("continues if a half-removed stack still lists deleted resources, some of them deleted by hand", async () => {
      withStatus("DELETE_FAILED")();
      for (const id of ["EventsQueue", "CallsTable"])
        Object.assign(Object(stack()?.resources.get(id)), { status: "DELETE_COMPLETE" });
      account.goneQueues.add("cometchat-functions-prod-events.fifo");
      account.goneQueues.add("cometchat-functions-prod-calls.fifo");
      account.stacks.takenNames.delete("AWS::DynamoDB::Table cometchat-functions-prod-calls");

      const { exitCode, stderr } = await remove("--yes --confirm prod");

      expect(exitCode, stderr).toBe(0);
      expect(stderr).not.toContain("cometchat-functions-prod-events.fifo:");
      expect(stack()).toBeUndefined();
    });

    it("refuses to remove a production stage without its name", async () => {
      toDeployed();
      setForStage("production: true");

      const refused = await remove("--yes --confirm prod");
      setStack({ status: "DELETE_FAILED" });
      const half = await deploy();
      const meant = await remove("--yes --confirm prod --production");

      expectEnd(refused, 3, "--production");
      expect(printedBy(half, "remove")).toEqual(["remove --stage prod --region eu-central-1 --production"]);
      expect(meant.exitCode, meant.stderr).toBe(0);
    });
  });

  describe("rollback", () => {
    it("returns to the previous package, and no further", async () => {
      toNewer();
      nowMs += 1_000;
      const newest = liveDirectory();

      const rehearsed = await rollback("--dry-run --json");
      const listed = await rollback("--list --json");
      nowMs += 1_000;
      const backAtMs = nowMs;
      const back = await rollback("--yes");
      const older = liveDirectory();
      const listedBack = await rollback("--list --json");
      const further = await rollback("--yes");

      const repairs = /seed of that package .* npx cometchat-functions app apply --dry-run --stage prod /;
      for (const ran of [rehearsed, back]) expectEnd(ran, 0, repairs);
      expect(listed.json).toEqual([
        {
          packages: [
            { packagedAt: expect.any(String), liveAt: expect.any(String), runsNow: true },
            { packagedAt: expect.any(String), liveAt: expect.any(String), runsNow: false },
          ],
        },
      ]);
      expect(older < newest).toBe(true);
      // The last package that ran is the one rolled back to.
      expect(listedBack.json).toEqual([
        {
          packages: [
            expect.objectContaining({ runsNow: false }),
            expect.objectContaining({ liveAt: new Date(backAtMs).toISOString(), runsNow: true }),
          ],
        },
      ]);
      expect(further.exitCode).toBe(6);
    });

    it.runIf(isNight)("returns to the newer package that an older one replaced, and no further", async () => {
      toNewer();
      const newest = liveDirectory();

      nowMs += 1_000;
      const refused = await deploy();
      const older = await deploy("--yes --allow-loss");
      const replaced = liveDirectory();
      nowMs += 1_000;
      const back = await rollback("--yes");
      const isBack = liveDirectory() === newest;
      const further = await rollback("--yes");

      expectEnd(refused, 3, "before the running one", "rollback --stage prod --region eu-central-1");
      expectEnd(older, 0, "! This package was made at", "Deployed.");
      expect([replaced < newest, isBack]).toEqual([true, true]);
      expectEnd(back, 0, "is running.");
      expectEnd(further, 6, "There is no earlier package");
    });

    it.runIf(isNight)(
      "goes back no further after it waited for another change, unless --to names the package",
      async () => {
        toNewer();
        const newest = liveDirectory();
        const older = directories().find((one) => one < newest) ?? "";
        const isBack = () => liveDirectory() < newest;
        const begin = () => setStack({ status: "UPDATE_IN_PROGRESS" });
        const overlapping = { edges: { sleep: async () => setStack({ status: "UPDATE_COMPLETE" }) } };

        begin();
        const refused = await rollback("--yes", overlapping);
        const wasBack = isBack();
        begin();
        const named = await rollback(`--yes --to ${older.slice(older.indexOf("-") + 1)}`, overlapping);

        expectEnd(
          refused,
          3,
          "was changing when this began",
          "rollback --stage prod --region eu-central-1 --list",
        );
        expect([wasBack, isBack()]).toEqual([false, true]);
        expectEnd(named, 0, "is running.");
      },
    );

    it.runIf(isNight)("reports that the package runs, although its record cannot be written", async () => {
      toNewer();
      const newest = liveDirectory();
      account.deny((call) => call.startsWith("s3 PUT") && liveDirectory() < newest);

      const back = await rollback("--yes");
      const isBack = liveDirectory() < newest;

      expect(isBack).toBe(true);
      expectEnd(
        back,
        0,
        "is running.",
        "The record of what runs was not written; the next deployment or rollback writes it: AccessDenied",
      );
    });

    const ends = [
      ["it is interrupted", 130, true],
      ["the framework loses its right", 4, false],
    ] as const;
    it.each(firstByDay(ends))(
      "prints a command that does not roll back further if %s after the change",
      async (_case, code, stops) => {
        toNewer();
        const newest = liveDirectory();
        const older = directories().find((one) => one < newest) ?? "";
        const to = older.slice(older.indexOf("-") + 1);
        const interruption = new AbortController();
        let isDenied = true;
        account.deny((call) => {
          const isOver = call === "cloudformation DescribeStackEvents" && liveDirectory() < newest;
          if (isOver && stops) interruption.abort();
          return isOver && isDenied;
        });

        const ended = await rollback("--yes --allow-loss", { edges: { signal: interruption.signal } });
        isDenied = false;
        const [typed = "", ...others] = printedBy(ended, "rollback");
        const again = await chat(`${typed} --yes`);

        expectEnd(ended, code);
        expect([typed, others]).toEqual([
          `rollback --stage prod --region eu-central-1 --to ${to} --allow-loss`,
          [],
        ]);
        expect(printedBy(ended, "deploy")).toEqual([]);
        expectEnd(again, 0, `The package of ${to} was already running.`);
      },
    );

    it.runIf(isNight)("adopts a table that it shows as adopted", async () => {
      toNewer();
      const name = "AWS::DynamoDB::Table cometchat-functions-prod-state";
      stack()?.resources.delete("StateTable");
      account.stacks.takenNames.set(name, "nobody");

      const back = await rollback("--yes --allow-loss");

      expectEnd(back, 0, "adopts 1: 1 DynamoDB Table");
      expect(stack()?.resources.has("StateTable")).toBe(true);
    });

    it("refuses a rollback to a package without an app that is served now, unless --allow-loss is given", async () => {
      toNewer();
      serve("another-app", "an-app");

      expectEnd(await rollback("--yes"), 3, "does not serve another-app");
      expectEnd(await rollback("--allow-loss"), 3, "Go back to the package of");
    });
  });

  it("makes only calls that the ready policy allows, which otherwise allows only what CloudFormation needs", () => {
    const policy = readFileSync(join(project, "infrastructure/policies/deployer.json"), "utf8");
    const statements: { Action: string[] }[] = JSON.parse(policy).Statement;
    const allowed = statements.flatMap(({ Action }) => Action);
    const called = actionsOf(account.everCalled);
    const { Resources } = JSON.parse(
      readFileSync(join(packages, "cloudformation-template-update-stack.json"), "utf8"),
    );
    const shipped = Object.values<{ Type: string }>(Resources).map(({ Type }) => Type);
    const types = [...new Set([...shipped, "AWS::Lambda::Url"])]; // `url` of a function: docs/functions.md
    const needed = types.map((type) => madeBy[type] ?? type);
    const serviceOf = (action: string) => action.split(":")[0];
    const services = new Set([...called, ...needed].map(serviceOf));

    // Only for a warning of `remove`, which also works without the right: the tables hold the apps' data.
    const unread = ["dynamodb:Scan"];
    expect([...called, ...needed].filter((action) => !allowed.includes(action))).toEqual(unread);
    expect(allowed.filter((action) => !services.has(serviceOf(action)))).toEqual([]);
    expect(
      allowed.filter((action) => serviceOf(action) === "cloudformation" && !called.includes(action)),
    ).toEqual(notCalledHere);
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
    expect(policy.replaceAll(/\s/g, "").length).toBeLessThan(8_000); // a role's inline policies: 10,240
  });

  /** Deploys the newer package with a profile, where the framework would prefer other credentials. */
  async function deployAsMine(): Promise<Ran> {
    const credentials = join(project, "credentials");
    const service = join(project, "serverless.yml");
    const before = readFileSync(service, "utf8");
    writeFileSync(service, before.replace("\n  name: aws\n", "\n  name: aws\n  profile: other\n"));
    const state = join(newer, "serverless-state.json");
    const packaged = JSON.parse(readFileSync(state, "utf8"));
    packaged.service.provider.profile = "other";
    writeFileSync(state, JSON.stringify(packaged));
    writeFileSync(
      credentials,
      "[mine]\naws_access_key_id = AKIAMINE\naws_secret_access_key = of-mine\n" +
        "[other]\naws_access_key_id = AKIAOTHER\naws_secret_access_key = of-other\n",
    );
    const env = {
      ...environment(),
      AWS_SHARED_CREDENTIALS_FILE: credentials,
      AWS_PROFILE: "mine",
      AWS_PROD_PROFILE: "other",
      AWS_SESSION_TOKEN: "of-the-keys",
      AWS_PROD_ACCESS_KEY_ID: "AKIAOTHER",
      AWS_PROD_SECRET_ACCESS_KEY: "of-other",
    };
    account.accessKeys.clear();
    const ran = await deploy("--yes --json --drop-app another-app", { edges: { env } }, newer);
    usedKeys = [...account.accessKeys];
    writeFileSync(service, before);
    return ran;
  }

  /** The command lines that another command printed. */
  function printedBy({ stdout, stderr }: Ran, name: string): readonly string[] {
    const printed = new RegExp(`(?<=npx cometchat-functions )${name} [^;\\n]*`, "g");
    return [...(stdout + stderr).matchAll(printed)].map(([line]) => line);
  }

  /** The first deployment of a stack fails. */
  function failFirst(reason = "No bucket") {
    account.stacks.mishaps.push({ when: "create", logicalId: "Bucket", reason });
    const body = JSON.stringify({ Resources: { Bucket: { Type: "AWS::S3::Bucket" } } });
    account.stacks.createChangeSet({ stackName, name: "first", type: "CREATE", body, importExisting: false });
    account.stacks.execute(stackName, "first");
  }

  /** Of the packages in the bucket. */
  function directories() {
    const keys = account.buckets.objectsOf(physicalId("ServerlessDeploymentBucket")).map(([key]) => key);
    return keys.flatMap((key) => /\/(\d{13}-[^/]+)\/compiled/.exec(key)?.[1] ?? []);
  }

  function liveDirectory() {
    const code = stack()?.template.Resources.WebhookLambdaFunction?.Properties?.Code;
    return /\/(\d{13}-[^/]+)\//.exec(JSON.stringify(code))?.[1] ?? "";
  }

  /** The deployed package lists these apps. */
  function serve(...appIds: string[]) {
    say({ BuiltFor: { stage: "prod", appIds } });
  }

  /** The deployed package has these outputs. */
  function say(metadata: object, ofDeadLetters = {}) {
    const present = stack();
    if (!present) return;
    const template = JSON.parse(present.body);
    Object.assign(template.Metadata, metadata);
    Object.assign(template.Resources.DeadLetterQueue.Properties, ofDeadLetters);
    present.body = JSON.stringify(template);
    // A change that the package undoes.
    const queue = present.resources.get("EventsQueue");
    if (queue) {
      const Properties = { ...queue.definition.Properties, DelaySeconds: 1 };
      queue.definition = { ...queue.definition, Properties };
    }
  }
});

/** Called by CloudFormation itself. */
const notCalledHere = [
  "cloudformation:DetectStackResourceDrift", // AWS asks for it with DetectStackDrift
  ...["cloudformation:TagResource", "cloudformation:UntagResource"],
];

/** What CloudFormation calls to create a resource. */
const madeBy: Readonly<Record<string, string>> = {
  "AWS::ApiGatewayV2::Api": "apigateway:POST",
  "AWS::ApiGatewayV2::Integration": "apigateway:POST",
  "AWS::ApiGatewayV2::Route": "apigateway:POST",
  "AWS::ApiGatewayV2::Stage": "apigateway:POST",
  "AWS::CloudWatch::Alarm": "cloudwatch:PutMetricAlarm",
  "AWS::CloudWatch::Dashboard": "cloudwatch:PutDashboard",
  "AWS::DynamoDB::Table": "dynamodb:CreateTable",
  "AWS::Events::EventBus": "events:CreateEventBus",
  "AWS::Events::Rule": "events:PutRule",
  "AWS::IAM::Role": "iam:CreateRole",
  "AWS::Lambda::Alias": "lambda:CreateAlias",
  "AWS::Lambda::EventInvokeConfig": "lambda:PutFunctionEventInvokeConfig",
  "AWS::Lambda::EventSourceMapping": "lambda:CreateEventSourceMapping",
  "AWS::Lambda::Function": "lambda:CreateFunction",
  "AWS::Lambda::Permission": "lambda:AddPermission",
  "AWS::Lambda::Url": "lambda:CreateFunctionUrlConfig",
  "AWS::Lambda::Version": "lambda:PublishVersion",
  "AWS::Logs::LogGroup": "logs:CreateLogGroup",
  "AWS::Logs::MetricFilter": "logs:PutMetricFilter",
  "AWS::S3::Bucket": "s3:CreateBucket",
  "AWS::S3::BucketPolicy": "s3:PutBucketPolicy",
  "AWS::SecretsManager::Secret": "secretsmanager:CreateSecret",
  "AWS::SNS::Topic": "sns:CreateTopic",
  "AWS::SQS::Queue": "sqs:CreateQueue",
};

const identity = "arn:aws:sts::123456789012:assumed-role/operators/me";

/** Gives a function a text that GetTemplate does not return unchanged. */
function greet(folder: string) {
  const change = (name: string, templateIn: (content: ReturnType<typeof JSON.parse>) => typeof content) => {
    const content = JSON.parse(readFileSync(join(folder, name), "utf8"));
    const { Properties } = templateIn(content).Resources.WebhookLambdaFunction;
    Properties.Environment.Variables.GREETING = "Grüß Gott";
    writeFileSync(join(folder, name), JSON.stringify(content));
  };
  change("cloudformation-template-update-stack.json", (template) => template);
  change("serverless-state.json", ({ service }) => service.provider.compiledCloudFormationTemplate);
}

/** A package that was made a minute later, with another log level: how a second packaging differs. */
function makeNewer(folder: string) {
  const newer = mkdtempSync(join(tmpdir(), "package-"));
  cpSync(folder, newer, { recursive: true });
  for (const name of ["serverless-state.json", "cloudformation-template-update-stack.json"]) {
    const file = join(newer, name);
    const later = readFileSync(file, "utf8")
      .replaceAll(/(\d{13})-\d{4}-[\dT:.-]+Z/g, (_, ms) => {
        const atMs = Number(ms) + 60_000;
        return `${atMs}-${new Date(atMs).toISOString()}`;
      })
      .replaceAll(/("LOG_LEVEL": ?)"INFO"/g, '$1"DEBUG"')
      .replaceAll(/FlowsLambdaVersion\w+/g, "FlowsLambdaVersionOfDebug");
    writeFileSync(file, later);
  }
  return newer;
}

/** The same package with flows off, as far as the function is concerned. */
function withoutFlows(folder: string) {
  const other = mkdtempSync(join(tmpdir(), "package-"));
  cpSync(folder, other, { recursive: true });
  const file = join(other, "cloudformation-template-update-stack.json");
  const template = JSON.parse(readFileSync(file, "utf8"));
  delete template.Resources.FlowsLambdaFunction;
  writeFileSync(file, JSON.stringify(template));
  return other;
}

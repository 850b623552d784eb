import { expect, it } from "vitest";
import type { Command } from "../../../cli/command.ts";
import { command as rotate } from "../../../cli/commands/rotate.ts";
import { openScheduleCheck } from "../../../cli/doctor/check-schedule.ts";
import { createOutput } from "../../../cli/output.ts";
import type { AwsCall } from "../../../lib/aws/aws-call.ts";
import { remediesFor } from "../../../lib/operate/doctor/remedies.ts";
import { operations } from "../../../local/cloud/secret-operations.ts";
import { SecretStore } from "../../../local/cloud/secret-store.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const nowMs = Date.UTC(2026, 2, 2, 8);
const app = "app-1";

function openStage(fields: object) {
  const store = new SecretStore();
  const callAws = async ({ target, input }: AwsCall) =>
    operations.get(target.split(".")[1] ?? "")?.(input, {
      store,
      nowMs,
      region: "us-east-1",
      callRotation: async () => true,
    });
  const call = (operation: string, input: AwsCall["input"]) =>
    callAws({ service: "secretsmanager", target: `secretsmanager.${operation}`, input });
  const create = (Name: string, value: object) =>
    call("CreateSecret", {
      Name,
      ClientRequestToken: crypto.randomUUID(),
      SecretString: JSON.stringify(value),
    });
  const written: string[] = [];
  const stdout = { write: (text: string) => void written.push(text), isTerminal: false };
  const now = () => nowMs;
  const out = createOutput({ stdout, stderr: stdout, isJson: false, hasColours: false, now });
  const target = {
    aheadMs: 0,
    title: "stage prod",
    stage: "prod",
    kind: "stage",
    identity: "me",
    callAws,
    stack: async () => ({
      physicalId: (id: string) => id,
      output: (name: string) => (name === "SecretPrefix" ? "prod" : `https://${name}.example`),
    }),
  };
  const edges = {
    projectFolder: temporaryFolder({
      "package.json": "{}",
      "config/apps.yml": `prod:\n  - ${app}\n`,
      "config/stages.yml": "prod:\n",
      "config/rotation.yml": "overlap: 7d\nrotate: [api-key]\n",
    }),
    now,
    token: () => crypto.randomUUID(),
    signal: new AbortController().signal,
  };
  const context = { out, edges, confirm: async () => {}, openTarget: async () => target };
  return {
    fill: async () => {
      await create(`prod/${app}`, { appId: app, region: "us", apiKey: "new", ...fields });
      await create(`prod/${app}/webhook`, { appId: app, webhookUsername: "w", webhookPassword: "p" });
    },
    run: (words: Readonly<Record<string, readonly string[]>>) =>
      rotate.perform(words, context as unknown as Parameters<Command["perform"]>[1]),
    read: async () =>
      JSON.parse(Object(await call("GetSecretValue", { SecretId: `prod/${app}` })).SecretString),
    turnOn: () =>
      call("RotateSecret", {
        SecretId: `prod/${app}`,
        ClientRequestToken: crypto.randomUUID(),
        RotationLambdaARN: "arn:rotate",
        RotateImmediately: false,
      }),
    lookAs: async (kind: "stage" | "local", appId = app) => {
      const remedies = remediesFor("--stage prod");
      const options = { target: { ...target, kind }, ...edges, secretPrefix: "prod", remedies };
      return await openScheduleCheck(options)(appId);
    },
    written: () => written.join(""),
  };
}

it("keeps what a scheduled rotation replaced for the overlap of config/rotation.yml", async () => {
  const stage = openStage({ rotating: "api-key", replacedApiKey: "old" });
  await stage.fill();

  await stage.run({ what: ["api-key"], dryRun: ["true"] });
  await stage.run({ what: ["finish"] });

  expect(stage.written()).toContain("Under way: keep what the API key replaced for 10080 min");
  expect(await stage.read()).toMatchObject({ replacedApiKeyUntil: "2026-03-09T08:00:00.000Z" });
});

it("keeps it for another time if `--overlap` is given", async () => {
  const stage = openStage({ rotating: "api-key", replacedApiKey: "old" });
  await stage.fill();

  await stage.run({ what: ["api-key"], overlap: ["2h"], dryRun: ["true"] });

  expect(stage.written()).toContain("replaced for 120 min");
});

it("reports a secret that config/rotation.yml rotates and Secrets Manager does not", async () => {
  const stage = openStage({});
  await stage.fill();

  const off = await stage.lookAs("stage");
  const local = await stage.lookAs("local");
  await stage.turnOn();
  const on = await stage.lookAs("stage");

  expect(off).toEqual([
    {
      status: "wrong",
      says: "config/rotation.yml rotates prod/app-1, and in Secrets Manager its rotation is off.",
      remedy: "npx cometchat-functions rotate schedule --app app-1 --stage prod",
    },
  ]);
  expect([local, on]).toEqual([[], []]);
});

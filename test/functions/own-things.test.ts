import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { messageBody } from "../../local/testing/events/message-body.ts";
import { signedRequest } from "../../local/testing/signed-request.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";

const root = join(import.meta.dirname, "../..");

/** What a team might write: a decision, a function, a file of configuration, and what a stage and an app say anew. */
const ownFiles: Readonly<Record<string, string>> = {
  "functions/own/decisions.ts": `
    import type { Decide } from "../../lib/endpoints/questions/answer-question.ts";
    import type { BeforeMessageAnswer } from "../../lib/endpoints/questions/before-message-answer.ts";
    import { match, type ModerationAnswer } from "../../lib/endpoints/questions/moderation-answer.ts";
    export const ownBeforeMessage: Decide<BeforeMessageAnswer> | undefined = undefined;
    export const ownModeration: Decide<ModerationAnswer> = () => match({ confidence: 0.123, reason: "Our own." });`,
  "functions/own/on-call-schema.ts": `
    import * as z from "zod/mini";
    export const onCallSchema = z.strictObject({ uid: z.string(), escalateTo: z._default(z.string(), "nobody") });`,
  "functions/own/config-schemas.ts": `
    import { onCallSchema } from "./on-call-schema.ts";
    export const ownConfigSchemas = { "on-call.yml": onCallSchema };`,
  "functions/own/who-is-on-call.ts": `
    import onCallFile from "../../config/on-call.yml";
    import { settingsFrom } from "../../lib/chat/settings-from.ts";
    import { onCallSchema } from "./on-call-schema.ts";
    const settings = settingsFrom(onCallFile, onCallSchema);
    export async function handler({ appId }: { appId: string }) {
      return { ...settings.of(appId), table: process.env.TABLE };
    }`,
  "functions/own/functions.yml": `
whoIsOnCall:
  handler: functions/own/who-is-on-call.handler
  rights: [readSecrets]
  environment: { TABLE: !Ref EffectsTable }
seed:
  memorySize: 1024`,
  "config/on-call.yml": "uid: ann",
  "config/stages/local/on-call.yml": "escalateTo: chief",
  "config/apps/local-app/on-call.yml": "uid: bela",
  "config/stages/local/moderation.yml": "dropFrom: 0.1",
  "config/apps/local-app/app/moderation-reasons.yml": "reasons: [{ id: own, name: Of this app }]",
};

describe("a team's own things", () => {
  let folder: string;

  beforeAll(() => {
    folder = copyProject(ownFiles);
  });
  afterAll(() => removeCopy(folder));

  describe("deployed on this machine", () => {
    let cloud: Cloud;
    /** A chat platform that has no reason yet. */
    const chat = createServer(({ url = "" }, response) => {
      const isList = url.endsWith("/reasons");
      response.writeHead(isList ? 200 : 404, { "content-type": "application/json" });
      const missing = { error: { code: "ERR_REASON_NOT_FOUND", message: "There is none." } };
      response.end(JSON.stringify(isList ? { data: [] } : missing));
    });

    beforeAll(async () => {
      await new Promise<void>((resolve) => chat.listen(0, "127.0.0.1", resolve));
      const { port } = chat.address() as AddressInfo;
      const CHAT_BASE_URL_TEMPLATE = `http://127.0.0.1:${port}/v3`;
      const environment = { CHAT_BASE_URL_TEMPLATE };
      cloud = await startCloud({ serviceFolder: folder, environment });
      await cloud.putAppSecret({
        appId: "local-app",
        region: "us",
        apiKey: "a-key",
        webhookUsername: "platform",
        webhookPassword: "a-password",
      });
    });
    afterAll(async () => {
      await cloud?.close();
      chat.closeAllConnections();
      chat.close();
    });

    async function ask(path: string, body: object): Promise<string> {
      const url = `${cloud.httpUrl}/${path}/local-app`;
      const response = await fetch(
        signedRequest({ url, username: "platform", password: "a-password" }, body),
      );
      return response.text();
    }

    it("are a function with configuration by stage and by app", async () => {
      const ofApp = await cloud.invoke("whoIsOnCall", { appId: "local-app" });
      const ofOther = await cloud.invoke("whoIsOnCall", { appId: "constructor" });

      expect(ofApp.payload).toEqual({
        uid: "bela",
        escalateTo: "chief",
        table: "cometchat-functions-local-effects",
      });
      expect(ofOther.payload).toMatchObject({ uid: "ann", escalateTo: "chief" });
    });

    it("are the reasons of an app, in the place of those of all", async () => {
      const { payload } = await cloud.invoke("seed", { dryRun: true });

      expect(payload).toEqual({
        dryRun: true,
        apps: [
          {
            appId: "local-app",
            things: [{ kind: "moderation reason", id: "own", outcome: "created" }],
            unseen: [],
            drift: 1,
          },
        ],
      });
    });

    it("decide in the place of the lists, and only what they decide", async () => {
      const message = messageBody({ text: "please buy me a gift card", sender: "ann" });

      const judged = await ask("moderation", { contextMessages: [{ ann: message }] });
      const held = await ask("before-message", { trigger: "before_message", data: message });

      expect(JSON.parse(judged)).toMatchObject({ confidence: 0.123, reason: "Our own." });
      expect(held).toBe('{"action":"do_not_propagate"}'); // 0.7 is dropped in this stage
    });
  });

  it("are packaged: a function with a role of its own, and what is said of a shipped one", async () => {
    await promisify(execFile)(
      process.execPath,
      [join(root, "node_modules/serverless/bin/serverless.js"), "package", "--stage", "local"],
      { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } },
    );

    const template = join(folder, ".serverless/cloudformation-template-update-stack.json");
    const resources = JSON.parse(readFileSync(template, "utf8")).Resources;
    const [{ PolicyDocument }] = resources.WhoIsOnCallRole.Properties.Policies;
    const actions = PolicyDocument.Statement.flatMap(({ Action }: { Action: string[] }) => Action);
    expect([...new Set(actions)].toSorted()).toEqual([
      "logs:CreateLogStream",
      "logs:PutLogEvents",
      "secretsmanager:GetSecretValue",
    ]);
    expect(resources.SeedLambdaFunction.Properties).toMatchObject({
      MemorySize: 1024,
      Handler: "functions/seed.handler",
    });
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readDeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import type { LocalStack } from "../../local/stack/local-stack.ts";
import { callApp } from "../helpers/call-app.ts";
import { callerOf } from "../helpers/cloud-data.ts";
import { settle } from "../helpers/settle.ts";
import { startPatientWorld } from "../helpers/start-patient-world.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

let world: LocalStack;
const log: string[] = [];

beforeAll(async () => {
  world = await startPatientWorld({ log: (line) => log.push(line) });
});
afterAll(() => world.close());
afterEach(async () => {
  await settle(world);
  await world.reset();
  log.length = 0;
});

const messages = async () =>
  (await callApp(world, "GET /messages?sender=support&withTags=true&limit=100")).data as object[];

describe("the path from a webhook to a reply, through the deployed bundles", () => {
  it("replies to a message in its conversation with the marks of a reply, but not to its own reply", async () => {
    await writeToSupport(world, "my-private-words: What is the price?");

    await settle(world, 3); // the reply's webhook, too

    const replies = await messages();
    expect(replies).toHaveLength(1);
    expect(replies[0]).toMatchObject({
      sender: "support",
      receiver: "alice",
      receiverType: "user",
      data: { text: expect.stringContaining("prices"), metadata: { automatic: true } },
      tags: ["automatic", expect.stringMatching(/^effect-/), expect.stringMatching(/^mark-/)],
    });
    const everything = log.join("\n");
    expect(everything).toContain("answered a message");
    for (const secret of ["my-private-words", world.app.fullAccessKey, world.webhook.password]) {
      expect(everything).not.toContain(secret);
    }
  });

  it("shows what a trigger in shadow by docs/triggers.md would do, until the trigger is turned on", async () => {
    const callAws = callerOf(world.cloud);
    const page = readFileSync(join(import.meta.dirname, "../../docs/triggers.md"), "utf8");
    const argument = (option: string) => new RegExp(`--${option} '([^']*)'`).exec(page)?.[1] ?? "";
    const putInShadow = (isShadowed: boolean) =>
      callAws({
        service: "dynamodb",
        target: "DynamoDB_20120810.UpdateItem",
        input: {
          TableName: world.cloud.resources.LanesTable?.name,
          Key: JSON.parse(argument("key").replace("<app id>", "local-app")),
          UpdateExpression: argument("update-expression"),
          ExpressionAttributeNames: JSON.parse(
            argument("expression-attribute-names").replace("welcome", "auto-reply"),
          ),
          ExpressionAttributeValues: JSON.parse(
            argument("expression-attribute-values").replace("true", String(isShadowed)),
          ),
        },
      });

    await putInShadow(true);
    await writeToSupport(world, "What is the price?");
    await settle(world);
    await putInShadow(false);
    await writeToSupport(world, "hello");
    await settle(world);

    expect(await messages()).toHaveLength(1);
    const shown = log.filter((line) => /"would have done an effect"|"EffectShadowed":1/.test(line));
    expect(shown).toHaveLength(2);
    expect(shown.join()).toContain('"effect":"reply","kind":"send-message"');
    expect(shown.join()).not.toContain("price");
  });
});

describe("the function doctor", () => {
  it("reports what is deployed, and the events that its triggers need", async () => {
    const facts = await readDeployedFacts(callerOf(world.cloud), "cometchat-functions-local-doctor");

    expect(facts.appIds).toEqual(["local-app"]);
    expect(facts.triggers).toContainEqual({ name: "auto-reply", isShadowed: false });
    const webhook = expect.objectContaining({ message_sent: ["auto-reply", "escalate"] });
    expect(facts.needs).toEqual([{ appIds: ["local-app"], webhook, elsewhere: {}, everything: [] }]);
  });

  it("runs every check with its own rights, and reports problems", async () => {
    const { payload, functionError } = await world.cloud.invoke("doctor", {});

    expect(functionError).toBeUndefined();
    expect(payload).toMatchObject({ ok: 7, notLookedAt: [] });
    // The stage does not let it read the management credentials.
    const says = expect.stringContaining("management: true");
    const findings = ["webhook", "triggers", "retries", "legacy-webhooks"].map((check) =>
      expect.objectContaining({ check, status: "unknown", says }),
    );
    expect(payload).toHaveProperty("findings", findings);
  });
});

describe("the seeding job, the deployed bundle", () => {
  it("creates the app's reasons as declared, also after a dry run, and changes nothing the second time", async () => {
    const rehearsed = await seed({ dryRun: true });
    const first = await seed({});
    const second = await seed({});

    expect(first).toEqual({
      "hate-speech": "created",
      "self-harm": "created",
      "personal-data": "created",
      // The platform documents no change of a built-in reason's description.
      spam: "unchanged",
      harassment: "unchanged",
    });
    expect(rehearsed).toEqual(first);
    expect(new Set(Object.values(second))).toEqual(new Set(["unchanged"]));
    const { data } = await callApp(world, "GET /moderation/reasons");
    expect(data).toContainEqual(
      expect.objectContaining({ id: "hate-speech", description: "Attacks on people for who they are." }),
    );
  });

  it("reports that a key of scope authOnly is not enough", async () => {
    await world.cloud.putAppSecret({
      appId: "local-app",
      region: "us",
      apiKey: world.app.authOnlyKey,
      webhookUsername: "platform",
      webhookPassword: world.webhook.password,
    });

    const { functionError, payload } = await world.cloud.invoke("seed", {});

    expect(functionError).toBeDefined();
    expect(JSON.stringify(payload)).toMatch(/scope.*fullAccess/);
    expect(JSON.stringify(payload)).not.toContain(world.app.authOnlyKey);
  });

  async function seed(event: { dryRun?: boolean }): Promise<Record<string, string>> {
    const { payload, functionError } = await world.cloud.invoke("seed", event);
    expect(functionError).toBeUndefined();
    const { apps } = payload as { apps: { things: { id: string; outcome: string }[] }[] };
    return Object.fromEntries((apps[0]?.things ?? []).map(({ id, outcome }) => [id, outcome]));
  }
});

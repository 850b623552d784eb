import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createAwsCaller } from "../../lib/aws/aws-call.ts";
import { readDeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import { type LocalStack, startLocalStack } from "../../local/stack/local-stack.ts";
import { callApp } from "../helpers/call-app.ts";

const declaredIds = ["spam", "harassment", "hate-speech", "self-harm", "personal-data"];

let world: LocalStack;

beforeAll(async () => {
  world = await startLocalStack({ triggerIds: ["message_sent"] });
});
afterAll(() => world?.close());

describe("the function doctor", () => {
  it("tells what is deployed, and which triggers that needs", async () => {
    const callAws = createAwsCaller({
      ...world.cloud.endpoints,
      AWS_ACCESS_KEY_ID: "somebody",
      AWS_SECRET_ACCESS_KEY: "of-a-test",
    });

    const facts = await readDeployedFacts(callAws, "cometchat-functions-local-doctor");

    expect(facts.appIds).toEqual(["local-app"]);
    expect(facts.triggers).toContainEqual({ name: "auto-reply", isShadowed: false });
    expect(facts.needs).toEqual([
      {
        appIds: ["local-app"],
        webhook: expect.objectContaining({ message_sent: ["auto-reply", "escalate"] }),
        elsewhere: {},
        everything: [],
      },
    ]);
  });

  it("looks at everything by its own rights, and tells what is not well", async () => {
    const { payload, functionError } = await world.cloud.invoke("doctor", {});

    expect(functionError).toBeUndefined();
    expect(payload).toMatchObject({ ok: 7, notLookedAt: [] });
    expect(payload).toHaveProperty(
      "findings",
      // The stage does not let it read the management credentials.
      ["webhook", "triggers", "retries", "legacy-webhooks"].map((check) =>
        expect.objectContaining({
          check,
          status: "unknown",
          says: expect.stringContaining("management: true"),
        }),
      ),
    );
  });
});

describe("the seeding job, the deployed bundle", () => {
  afterEach(() => world.reset());

  it("makes the app's reasons as declared, and changes nothing the second time", async () => {
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
    expect(second).toEqual(Object.fromEntries(declaredIds.map((id) => [id, "unchanged"])));
    expect(await reasons()).toMatchObject({
      spam: { name: "Spam / Unwanted Content", description: "Unsolicited or repeated content." },
      "hate-speech": { name: "Hate Speech", description: "Attacks on people for who they are." },
    });
  });

  it("only reports in a rehearsal", async () => {
    const before = await reasons();

    expect(await seed({ dryRun: true })).toMatchObject({ "hate-speech": "created", spam: "unchanged" });

    expect(await reasons()).toEqual(before);
  });

  it("says that a key of scope authOnly is not enough", async () => {
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

  async function reasons(): Promise<Record<string, { name: string; description?: string }>> {
    const { data } = await callApp(world, "GET /moderation/reasons");
    return Object.fromEntries((data as { id: string; name: string }[]).map((reason) => [reason.id, reason]));
  }
});

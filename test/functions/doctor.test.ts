import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAwsCaller } from "../../lib/aws/aws-call.ts";
import { readDeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import { addressesOf } from "../../local/cloud/cloud-services.ts";
import { startWorld, type World } from "../../local/stack/world.ts";

describe("the function doctor", () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld({ triggerIds: ["message_sent"] });
  });
  afterAll(() => world?.close());

  it("tells what is deployed, and which triggers that needs", async () => {
    const callAws = createAwsCaller({
      ...addressesOf(world.cloud.endpoints),
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
    expect(payload).toMatchObject({ ok: 9, notLookedAt: [] });
    expect(payload).toHaveProperty(
      "findings",
      ["triggers", "retries"].map((check) => expect.objectContaining({ check, appId: "local-app" })),
    );
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createJourney, JourneyError } from "../../local/journey.ts";
import { startWorld, type World } from "../../local/world.ts";

describe("the journey of a first message", () => {
  const journey = createJourney();
  let world: World;

  beforeAll(async () => {
    world = await startWorld({ onBatch: journey.noteBatch });
  });
  afterAll(() => world.close());

  it("names the step that fails", async () => {
    await world.cloud.putAppSecret({
      appId: "local-app",
      region: "us",
      apiKey: world.app.fullAccessKey,
      webhookUsername: "platform",
      webhookPassword: "another-than-the-platform-has",
    });
    await world.cloud.putAppSecret({
      appId: "local-app",
      region: "us",
      apiKey: world.app.fullAccessKey,
      webhookUsername: "platform",
      webhookPassword: "and-not-the-previous-one-either",
    });
    const steps: string[] = [];

    const walk = journey.walk(world, ({ name }) => steps.push(name));

    await expect(walk).rejects.toThrow(JourneyError);
    await expect(walk).rejects.toThrow(
      "The step “the platform delivers message_sent” failed: The receiver answered 401.",
    );
    expect(steps).toHaveLength(1);
  });
});

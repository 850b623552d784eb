import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { JourneyError, walkJourney } from "../../local/stack/journey.ts";
import { type LocalStack, startLocalStack } from "../../local/stack/local-stack.ts";
import { writeAddresses } from "../../local/stack/write-addresses.ts";
import { isNight } from "../helpers/by-day.ts";
import { callApp } from "../helpers/call-app.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

describe("the journey of a first message", () => {
  let world: LocalStack;

  beforeAll(async () => {
    world = await startLocalStack();
  });
  afterAll(() => world.close());
  afterEach(() => world.reset());

  it.runIf(isNight)(
    "continues with the platform's next try if the receiver is too slow to start",
    async () => {
      const { switches } = world.platform;
      switches.deliveryTimeoutMs = 1;
      const statuses: (number | undefined)[] = [];
      const stop = world.platform.subscribe((event) => {
        if (event.type !== "delivery.attempt") return;
        statuses.push(event.status);
        switches.deliveryTimeoutMs = 60_000;
        const { clock } = world;
        if (event.state === "pending") void clock?.moveTo(clock.now() + 10_000);
      });
      const steps: string[] = [];

      await walkJourney(world, ({ name }) => steps.push(name));
      stop();

      expect(statuses[0]).toBeUndefined();
      expect(statuses).toContain(200);
      expect(steps).toHaveLength(6);
    },
  );

  it("writes with the app's rotated key, and prints it", async () => {
    const { appId, region, fullAccessKey } = world.app;
    const { data } = await callApp(world, "POST /apikeys", { name: "next", scope: "fullAccess" });
    const { apiKey } = Object(data);
    await world.cloud.putSecret(`${world.cloud.outputs.SecretPrefix}/${appId}`, { appId, region, apiKey });
    await callApp(world, `DELETE /apikeys/${fullAccessKey}`, undefined, { apikey: apiKey });
    const steps: string[] = [];

    await walkJourney(world, ({ name }) => steps.push(name));

    expect(steps).toHaveLength(6);
    expect(writeAddresses(world, "http://localhost", 1)).toContain(`'apikey: ${apiKey}'`);
  });

  it.each([
    [["eva", "tom"], "Write another message, from eva to tom:"],
    [["eva"], undefined],
  ])("prints a command that the users %j can send", (uids, wanted) => {
    const [first] = defaultSeed.apps;
    const users = uids.map((uid) => ({ uid, name: uid }));
    world.platform.reset({ ...defaultSeed, apps: [{ ...first, users, bots: [], groups: [] }] });

    const written = writeAddresses(world, "http://localhost", 1);

    expect(/^Write another message.*$/m.exec(written)?.[0]).toBe(wanted);
    expect(written.includes(`'onBehalfOf: eva'`)).toBe(wanted !== undefined);
  });

  it.runIf(isNight).each(["welcome", "auto-reply (shadow)"])(
    "expects no reply with only %s",
    async (enabled) => {
      const other = await startLocalStack({ cloud: { environment: { ENABLED_TRIGGERS: enabled } } });
      const steps: string[] = [];

      await walkJourney(other, ({ name }) => steps.push(name));
      await other.close();

      expect(steps).toHaveLength(5);
      expect(steps).not.toContain("the reply appears");
    },
  );

  it("names the failed step", async () => {
    const { appId, region, fullAccessKey: apiKey } = world.app;
    for (const webhookPassword of ["another-than-the-platform-has", "and-not-the-previous-one-either"])
      await world.cloud.putAppSecret({ appId, region, apiKey, webhookUsername: "platform", webhookPassword });
    world.cloud.kill("webhook"); // it knows the former one
    const steps: string[] = [];

    const walk = walkJourney(world, ({ name }) => steps.push(name));

    await expect(walk).rejects.toThrow(JourneyError);
    await expect(walk).rejects.toThrow(
      "The step “the platform delivers message_sent” failed: The receiver answered 401.",
    );
    expect(steps).toHaveLength(1);
  });

  it("is deleted by a reset, while snapshots remain until a stack without a folder ends", async () => {
    await world.snapshots.save("empty");
    await writeToSupport(world, "What is the price?");

    await world.reset({ endsFunctions: true });
    const messages = world.platform.services.db.all("SELECT id FROM messages");
    const queued = Object.values(world.cloud.contents().queues).flat();
    await world.snapshots.restore("empty");

    expect({ messages, queued }).toEqual({ messages: [], queued: [] });
    expect(world.snapshots.list().map(({ name }) => name)).toEqual(["empty"]);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createAwsCaller } from "../../lib/aws/aws-call.ts";
import type { BatchEvent } from "../../local/cloud/event-source.ts";
import type { LocalStack } from "../../local/stack/local-stack.ts";
import { createWitness } from "../../local/stack/witness.ts";
import { callApp } from "../helpers/call-app.ts";
import { deliver, messageSent } from "../helpers/deliver.ts";
import { settle } from "../helpers/settle.ts";
import { startPatientWorld } from "../helpers/start-patient-world.ts";
import { writeToSupport } from "../helpers/write-to-support.ts";

const timeoutMs = 120_000;

describe("the way from a webhook to a reply, through the deployed bundles", () => {
  let world: LocalStack;
  let batches = createWitness<BatchEvent>();
  let lines = createWitness<string>();
  const log: string[] = [];

  beforeAll(async () => {
    world = await startPatientWorld({
      log: (line) => {
        log.push(line);
        lines.note(line);
      },
    });
    world.subscribe((news) => {
      if (news.kind === "batch") batches.note(news.batch);
    });
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await settle(world);
    await world.reset();
    batches = createWitness();
    lines = createWitness();
    log.length = 0;
  });

  it("answers a message in its conversation, on behalf of the addressed user, with the marks of an automatic one", async () => {
    await writeToSupport(world, "What is the price?");

    const [reply] = await replies(1);

    expect(reply).toMatchObject({
      sender: "support",
      receiver: "alice",
      receiverType: "user",
      data: { text: expect.stringContaining("prices"), metadata: { automatic: true } },
      tags: ["automatic", expect.stringMatching(/^effect-/), expect.stringMatching(/^mark-/)],
    });
  });

  it("does not answer its own reply, whose webhook it gets too", async () => {
    await writeToSupport(world, "hello");
    await replies(1);

    await handled(2);

    expect(await replies(1)).toHaveLength(1);
  });

  it("shows what a trigger would do that the line of docs/triggers.md puts in shadow, until it is let act", async () => {
    const callAws = createAwsCaller({
      AWS_REGION: world.cloud.region,
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
      AWS_ENDPOINT_URL_DYNAMODB: world.cloud.endpoints.AWS_ENDPOINT_URL_DYNAMODB,
    });
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
    await handled(1);
    await putInShadow(false);
    await writeToSupport(world, "hello");

    expect(await replies(1)).toHaveLength(1);
    const shown = log.filter((line) => /"would have done an effect"|"EffectShadowed":1/.test(line));
    expect(shown).toHaveLength(2);
    expect(shown.join()).toContain('"effect":"reply","kind":"send-message"');
    expect(shown.join()).not.toContain("price");
  });

  it("ends a loop with another machine at the limit, also where webhooks carry no marks", async () => {
    world.platform.switches.messageMarksInWebhooks = "stripped";
    onTestFinished(() => {
      world.platform.switches.messageMarksInWebhooks = "kept";
    });
    let turns = 0;
    const answering: Promise<unknown>[] = [];
    // It answers each answer, as a bot does that takes it for a person's.
    const stop = world.platform.subscribe((record) => {
      if (record.type !== "message" || record.message.sender !== "support") return;
      turns += 1;
      if (turns <= 100) answering.push(writeToSupport(world, `You said something, number ${turns}.`));
    });
    onTestFinished(stop);

    await writeToSupport(world, "hello");
    await lines.first((line) => line.includes('"EventPassedOver"') || undefined, timeoutMs);
    await Promise.all(answering);
    await settle(world);

    expect(await replies(20)).toHaveLength(20);
    const metrics = log.filter((line) => line.includes('"EventPassedOver"'));
    expect(metrics).toHaveLength(1);
    expect(metrics[0]).toContain('"trigger":"auto-reply","reason":"answer-limit"');
  });

  it("answers in the next minute what a user may not send in this one, if the limit of 30 binds calls by REST", async () => {
    world.platform.switches.userRateLimits = "on";
    onTestFinished(() => {
      world.platform.switches.userRateLimits = "off";
    });
    const now = world.platform.services.clock.now();
    await world.clock?.moveTo((Math.floor(now / 60_000) + 1) * 60_000);
    const message = { receiver: "support", receiverType: "user", data: { text: "hello" } };

    for (const onBehalfOf of Array.from({ length: 16 }, () => ["alice", "bob"]).flat())
      await callApp(world, "POST /messages", message, { onBehalfOf });
    await lines.first((line) => line.includes("ERR_TOO_MANY_REQUESTS") || undefined, timeoutMs);
    await world.clock?.advance(90_000);
    await settle(world);

    expect(await replies(32)).toHaveLength(32);
    expect(world.cloud.receiveAll("DeadLetterQueue")).toEqual([]);
  });

  it("buries what the platform refuses for good at once, with the cause, while other conversations go on", async () => {
    const startedAt = Date.now();
    await deliver(world, messageSent({ id: "901", sender: "nobody-of-that-name" }));
    await writeToSupport(world, "hello");

    expect(await replies(1)).toHaveLength(1);
    await world.cloud.drained();
    const record = await recordAbout("nobody-of-that-name");
    const [dead, ...others] = world.cloud.receiveAll("DeadLetterQueue");
    expect(others).toEqual([]);
    expect(dead?.body).toContain("nobody-of-that-name");
    const attributes = Object.entries(dead?.attributes ?? {});
    expect(Object.fromEntries(attributes.map(([name, { StringValue }]) => [name, StringValue]))).toEqual({
      Cause: expect.stringContaining("ERR_UID_NOT_FOUND"),
      Reason: "permanent",
      Source: "events",
      Group: record.attributes.MessageGroupId,
      AppId: "local-app",
      Trigger: "message_sent",
      ReceivedAt: expect.stringMatching(/^\d{13}$/),
      BuriedAt: expect.stringMatching(/^\d{13}$/),
      Tries: "0",
      Finished: "message_sent escalate",
    });
    expect(
      Number(attributes.find(([name]) => name === "ReceivedAt")?.[1].StringValue),
    ).toBeGreaterThanOrEqual(startedAt);
    expect(log.filter((line) => line.includes("could not handle an event"))).toHaveLength(1);
  });

  it("logs no message text and no secret", async () => {
    await writeToSupport(world, "my-private-words and the price");
    await replies(1);
    await handled(1);

    const everything = log.join("\n");
    expect(everything).toContain("answered a message");
    for (const secret of ["my-private-words", world.app.fullAccessKey, world.webhook.password]) {
      expect(everything).not.toContain(secret);
    }
  });

  /** Waits until support has written this often, and gives what support has written by then. */
  async function replies(count: number) {
    const read = async () =>
      (await callApp(world, "GET /messages?sender=support&withTags=true&limit=100")).data as Record<
        string,
        unknown
      >[];
    const written = createWitness<number>();
    const stop = world.platform.subscribe((record) => {
      if (record.type === "message" && record.message.sender === "support") written.note(1);
    });
    try {
      const now = await read();
      if (now.length < count) await written.first((one) => one, timeoutMs);
    } finally {
      stop();
    }
    return read();
  }

  /** Waits until the consumer has handled this many records without a failure. */
  async function handled(count: number): Promise<void> {
    let seen = 0;
    await batches.first((batch) => {
      seen += batch.records.length - batch.failures.length;
      return seen >= count ? true : undefined;
    }, timeoutMs);
  }

  /** The first record that the consumer was handed with this text in it. */
  function recordAbout(text: string) {
    return batches.first(({ records }) => records.find(({ body }) => body.includes(text)), timeoutMs);
  }
});

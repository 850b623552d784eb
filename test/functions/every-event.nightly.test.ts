import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identify } from "../../lib/events/identity.ts";
import { type EventBusEndpoint, startEventBusEndpoint } from "../../local/cloud/event-bus-endpoint.ts";
import type { BatchEvent } from "../../local/cloud/event-source.ts";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { createWitness } from "../../local/stack/witness.ts";
import { events } from "../../local/testing/events/events.ts";
import { signedRequest } from "../../local/testing/signed-request.ts";
import { postPatiently } from "../helpers/deliver.ts";
import { loadFixtures } from "../helpers/events/fixtures.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";

const timeoutMs = 120_000;

describe("every event, delivered to the deployed bundles that forward all of them to the bus", () => {
  let folder: string;
  let bus: EventBusEndpoint;
  let cloud: Cloud;
  const batches = createWitness<BatchEvent>();
  const log: string[] = [];

  beforeAll(async () => {
    folder = copyProject({ "config/forward.yml": "enabled: true\ntriggers: ['*']\n" });
    bus = await startEventBusEndpoint();
    cloud = await startCloud({
      serviceFolder: folder,
      concurrency: 4,
      environment: {
        ENABLED_TRIGGERS: "forward",
        AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
      },
      log: (line) => log.push(line),
      onEvent: (batch) => batches.note(batch),
    });
    const credentials = { webhookUsername: "platform", webhookPassword: "a-password" };
    await cloud.putAppSecret({ appId: "local-app", region: "us", apiKey: "a-key", ...credentials });
  });
  afterAll(async () => {
    await cloud?.close();
    await bus?.close();
    removeCopy(folder);
  });

  function deliver(body: object): Promise<Response> {
    const url = `${cloud.httpUrl}/webhooks/local-app`;
    const target = { url, username: "platform", password: "a-password" };
    return postPatiently(() => fetch(signedRequest(target, body)));
  }

  /** Waits until the bus has this many events of which `isMeant` is true, and gives them. */
  async function onBus(count: number, isMeant: (trigger: string) => boolean) {
    const meant = () => bus.events.filter(({ detailType }) => isMeant(detailType));
    await batches.first(() => (meant().length >= count ? true : undefined), timeoutMs);
    return meant();
  }

  it("has one effect for each sample, delivered twice in random order", async () => {
    const samples = loadFixtures();
    const keyOf = (body: object) => identify(body, "local-app")?.key ?? "";
    const expected = new Set(samples.map(([, body]) => keyOf(body)));
    const twice = samples.flatMap(([, body]) => [body, body]);
    const [order = twice] = fc.sample(fc.shuffledSubarray(twice, { minLength: twice.length }), {
      seed: 42,
      numRuns: 1,
    });

    for (const body of order) expect((await deliver(body)).status).toBe(200);
    const isOurs = (trigger: string) => ["call_missed", "call_summary"].includes(trigger);
    const platformEvents = await onBus(expected.size, (trigger) => !isOurs(trigger));

    expect(platformEvents).toHaveLength(expected.size);
    expect(cloud.receiveAll("QuarantineQueue")).toEqual([]);
    expect(cloud.receiveAll("DeadLetterQueue")).toEqual([]);
    for (const { bus: name, source, detailType, detail } of platformEvents) {
      expect({ name, source }).toEqual({ name: "cometchat-functions-local", source: "cometchat-functions" });
      expect(detail).toMatchObject({ trigger: detailType, appId: "local-app" });
    }
  });

  it("hands an event of a name that does not exist to the wildcard, and the log suggests the right one", async () => {
    await deliver({ trigger: "message_new", data: { message: { id: "1" } }, webhook: "functions" });

    const [event] = await onBus(1, (trigger) => trigger === "message_new");

    expect(event?.detail).toMatchObject({ data: { message: { id: "1" } } });
    expect(log.find((line) => line.includes("not in the catalogue"))).toContain(
      String.raw`A stored message is reported as \"message_sent\".`,
    );
  });

  it("tries again what the bus refused, and puts it there once", async () => {
    bus.refuseNext(1);

    await deliver(events.messageSent({ id: "refused-once", text: "hi" }, { webhook: "bus-test" }));

    const isIt = ({ detail }: { detail: unknown }) => JSON.stringify(detail).includes("refused-once");
    await batches.first(() => (bus.events.some(isIt) ? true : undefined), timeoutMs);
    await deliver(events.messageSent({ id: "refused-once", text: "hi" }, { webhook: "bus-test" }));
    expect(bus.events.filter(isIt)).toHaveLength(1);
    expect(log.join("\n")).toContain("BusRefusedError");
  });

  it("tells of a missed call at once, and sums a call up when its delay is over", async () => {
    const sessionId = "session-sum";
    const facts = { sessionId, caller: "ann", callee: "bela" };
    await deliver(events.callUnanswered({ ...facts, sessionId: "session-missed" }));
    await deliver(events.callEnded({ sessionId }));
    await deliver(events.callInitiated(facts));
    // Samples tell of missed calls, too, and later than of what they were derived from.
    const missed = () => bus.events.filter(({ detailType }) => detailType === "call_missed");
    await expect.poll(() => JSON.stringify(missed())).toContain("session-missed");

    await batches.first(
      (batch) =>
        batch.records.some(({ body }) => body.includes("session-sum") && body.includes("call_initiated"))
          ? true
          : undefined,
      timeoutMs,
    );
    const check = cloud.receiveAll("CallsQueue").find(({ body }) => body.includes("session-sum"));
    expect(check).toBeDefined();
    const record = {
      messageId: "due",
      body: check?.body,
      attributes: { MessageGroupId: "g", ApproximateReceiveCount: "1" },
      messageAttributes: {},
      eventSourceARN: cloud.resources.CallsQueue?.arn,
    };
    const { payload } = await cloud.invoke("processEvents", { Records: [record] });

    expect(payload).toEqual({ batchItemFailures: [] });
    expect(bus.events.find(({ detailType }) => detailType === "call_summary")?.detail).toMatchObject({
      trigger: "call_summary",
      data: { sessionId: "session-sum", caller: "ann", durationMs: 60_000 },
    });
  });
});

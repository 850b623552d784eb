import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identify } from "../../lib/events/identity.ts";
import { type EventBusEndpoint, startEventBusEndpoint } from "../../local/cloud/event-bus-endpoint.ts";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { signedRequest } from "../../local/testing/signed-request.ts";
import { postPatiently } from "../helpers/deliver.ts";
import { loadFixtures } from "../helpers/events/fixtures.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";

describe("every event, delivered to the deployed bundles that forward all of them to the bus", () => {
  let folder: string;
  let bus: EventBusEndpoint;
  let cloud: Cloud;

  beforeAll(async () => {
    folder = copyProject({ "config/forward.yml": "enabled: true\ntriggers: ['*']\n" });
    bus = await startEventBusEndpoint();
    cloud = await startCloud({
      serviceFolder: folder,
      concurrency: 4,
      environment: { ENABLED_TRIGGERS: "forward", AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url },
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
    await cloud.drained();

    const derived = ["call_missed", "call_summary"];
    const platformEvents = bus.events.filter(({ detailType }) => !derived.includes(detailType));
    expect(platformEvents).toHaveLength(expected.size);
    expect(cloud.receiveAll("QuarantineQueue")).toEqual([]);
    expect(cloud.receiveAll("DeadLetterQueue")).toEqual([]);
    for (const { bus: name, source, detailType, detail } of platformEvents) {
      expect({ name, source }).toEqual({ name: "cometchat-functions-local", source: "cometchat-functions" });
      expect(detail).toMatchObject({ trigger: detailType, appId: "local-app" });
    }
  });
});

import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SecretsManager } from "@aws-sdk/client-secrets-manager";
import { SQS } from "@aws-sdk/client-sqs";
import { afterAll, expect, it } from "vitest";
import { startCloud } from "../../local/cloud/start-cloud.ts";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import { isNight } from "../helpers/by-day.ts";
import { clientTo } from "../helpers/client-to.ts";

const root = join(import.meta.dirname, "../..");
const fixtures = join(import.meta.dirname, "fixtures");
const day = 86_400_000;

/** A copy of the fixture service with packages beside it: only the first start has to resolve it. */
const serviceFolder = mkdtempSync(join(tmpdir(), "cloud-service-"));
cpSync(join(fixtures, "service"), serviceFolder, { recursive: true });
symlinkSync(join(root, "node_modules"), join(serviceFolder, "node_modules"));
const plugin = join(root, "local/cloud/serverless-plugin.mjs");
for (const [file, text] of [
  ["local-cloud.cjs", `module.exports = require(${JSON.stringify(plugin)}).default;`],
  ["package.json", '{ "type": "module" }'],
  ["tsconfig.json", "{}"],
] as const) {
  writeFileSync(join(serviceFolder, file), text);
}
const dataFolder = mkdtempSync(join(tmpdir(), "cloud-data-"));
afterAll(() => {
  for (const folder of [serviceFolder, dataFolder]) rmSync(folder, { recursive: true });
});

it("keeps messages, secrets and flows in its folder, and leaves no server and no build behind", async () => {
  const firstClock = createVirtualClock();
  const first = await startCloud({ serviceFolder, dataFolder, clock: firstClock });
  await first.pauseConsumers();
  await first.putSecret("Secret", { user: "kept" });
  const writer = clientTo(first.endpoints.AWS_ENDPOINT_URL_SQS)(SQS);
  const ids = { MessageGroupId: "a", MessageDeduplicationId: "a" };
  await writer.sendMessage({ QueueUrl: first.resources.EventsQueue?.url, MessageBody: "kept", ...ids });
  writer.destroy();
  const flow = `${first.lambdaUrl}/2015-03-31/functions/fixture-local-flow:durable/invocations`;
  const started = await fetch(flow, {
    method: "POST",
    body: '{"name":"Zoë"}',
    headers: { "x-amz-invocation-type": "Event", "x-amz-durable-execution-name": "welcome" },
  });
  const arn = started.headers.get("x-amz-durable-execution-arn") ?? "";
  await first.durable.runDue();
  await firstClock.advance(day);
  const urls = [first.httpUrl, first.lambdaUrl, ...Object.values(first.endpoints)];
  // Packaging or building in the service's folder does not affect the running stack.
  expect(first.buildFolder.startsWith(serviceFolder)).toBe(false);
  expect(existsSync(first.buildFolder)).toBe(true);
  await first.close();
  for (const url of urls) await expect(fetch(url)).rejects.toThrow();
  expect(existsSync(first.buildFolder)).toBe(false);

  const bodies: string[] = [];
  const clock = createVirtualClock(firstClock.now());
  const second = await startCloud({
    serviceFolder,
    dataFolder,
    clock,
    onEvent: ({ records }) => bodies.push(...records.map(({ body }) => body)),
  });
  await second.drained();
  const reader = clientTo(second.endpoints.AWS_ENDPOINT_URL_SECRETS_MANAGER)(SecretsManager);
  const { SecretString } = await reader.getSecretValue({ SecretId: "fixture/app" });
  reader.destroy();
  await clock.advance(day - 1);
  const before = second.durable.get(arn);
  await clock.advance(1);
  const after = second.durable.get(arn);
  await second.close();

  expect(bodies).toEqual(["kept"]);
  expect(SecretString).toBe('{"user":"kept"}');
  expect(before).toMatchObject({ Status: "RUNNING", DurableExecutionName: "welcome" });
  expect(after).toMatchObject({ Status: "SUCCEEDED", Result: '"hello Zoë, and goodbye"' });
  expect(after.DurableConfig).toEqual({ ExecutionTimeout: 2_592_000, RetentionPeriodInDays: 3 });
});

it.runIf(isNight)("reports immediately that serverless cannot build the functions", async () => {
  const starting = startCloud({ serviceFolder, environment: { FIXTURE_NIGHTLY: "nowhere.nightly" } });

  await expect(starting).rejects.toThrow(/ended with exit code 1[\s\S]*function nightly/);
});

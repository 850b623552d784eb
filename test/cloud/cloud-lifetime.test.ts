import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { GetSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { expect, it, vi } from "vitest";
import { startCloud } from "../../local/cloud/start-cloud.ts";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import { secretsClient, sqsClient } from "./clients.ts";

const fixtures = `${import.meta.dirname}/fixtures`;
const day = 86_400_000;
const serviceFolder = `${fixtures}/service`;

it("keeps messages and secrets in its folder over a restart", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "cloud-"));
  const first = await startCloud({ serviceFolder, dataFolder });
  await first.pauseConsumers();
  await first.putSecret("Secret", { user: "kept" });
  const writer = sqsClient(first.endpoints.sqs);
  const ids = { MessageGroupId: "a", MessageDeduplicationId: "a" };
  await writer.send(
    new SendMessageCommand({ QueueUrl: first.resources.EventsQueue?.url, MessageBody: "kept", ...ids }),
  );
  writer.destroy();
  await first.close();

  const bodies: string[] = [];
  const second = await startCloud({
    serviceFolder,
    dataFolder,
    onEvent: ({ records }) => bodies.push(...records.map(({ body }) => body)),
  });
  await second.drained();
  const reader = secretsClient(second.endpoints.secretsManager);
  const { SecretString } = await reader.send(new GetSecretValueCommand({ SecretId: "fixture/app" }));
  reader.destroy();
  await second.close();

  expect(bodies).toEqual(["kept"]);
  expect(SecretString).toBe('{"user":"kept"}');
  await rm(dataFolder, { recursive: true });
});

it("goes on with a flow after a restart, as the clock is moved", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "cloud-"));
  const firstClock = createVirtualClock();
  const first = await startCloud({ serviceFolder, dataFolder, clock: firstClock });
  const started = await fetch(
    `${first.lambdaUrl}/2015-03-31/functions/fixture-local-flow:durable/invocations`,
    {
      method: "POST",
      body: '{"name":"Zoë"}',
      headers: { "x-amz-invocation-type": "Event", "x-amz-durable-execution-name": "welcome" },
    },
  );
  const arn = started.headers.get("x-amz-durable-execution-arn") ?? "";
  await first.durable.runDue();
  await firstClock.advance(day);
  await first.close();

  const clock = createVirtualClock(firstClock.now());
  const second = await startCloud({ serviceFolder, dataFolder, clock });
  await clock.advance(day - 1);
  const before = second.durable.get(arn);
  await clock.advance(1);
  const after = second.durable.get(arn);
  await second.close();

  expect(before).toMatchObject({ Status: "RUNNING", DurableExecutionName: "welcome" });
  expect(after).toMatchObject({ Status: "SUCCEEDED", Result: '"hello Zoë, and goodbye"' });
  expect(after.DurableConfig).toEqual({ ExecutionTimeout: 2_592_000, RetentionPeriodInDays: 3 });
  expect(existsSync(join(dataFolder, "executions", "executions.sqlite"))).toBe(true);
  await rm(dataFolder, { recursive: true });
});

it("leaves no server and no build folder behind when closed", async () => {
  const cloud = await startCloud({ serviceFolder });
  const urls = [cloud.httpUrl, cloud.lambdaUrl, ...Object.values(cloud.endpoints)];
  // Whoever packages or builds in the service's folder leaves what is running alone.
  expect(cloud.buildFolder.startsWith(serviceFolder)).toBe(false);
  expect(existsSync(cloud.buildFolder)).toBe(true);

  await cloud.close();

  for (const url of urls) await expect(fetch(url)).rejects.toThrow();
  expect(existsSync(cloud.buildFolder)).toBe(false);
});

it("ends its functions when the process that started it is killed", async () => {
  const parent = spawn(process.execPath, [`${fixtures}/start-and-wait.ts`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await Promise.race([
    once(createInterface({ input: parent.stdout }), "line"),
    once(parent, "exit").then(() => expect.unreachable("The cloud did not start: its error is above.")),
  ]);
  const urls: string[] = Object.values(JSON.parse(line));

  parent.kill("SIGKILL");

  for (const url of urls) {
    await vi.waitFor(() => expect(fetch(url)).rejects.toThrow());
  }
});

it("says why serverless did not start", async () => {
  const empty = await mkdtemp(join(tmpdir(), "no-service-"));

  await expect(startCloud({ serviceFolder: empty })).rejects.toThrow(
    /ended with exit code 1[\s\S]*"run" not found/,
  );
  await rm(empty, { recursive: true });
});

it("says at once that the functions cannot be built", async () => {
  const starting = startCloud({ serviceFolder, environment: { FIXTURE_NIGHTLY: "nowhere.nightly" } });

  await expect(starting).rejects.toThrow(/function alias nightly/);
});

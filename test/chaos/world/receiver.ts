import { createAwsCaller } from "../../../lib/aws/aws-call.ts";
import { readAwsEnvironment, readSetting } from "../../../lib/base/config.ts";
import { createEnqueue } from "../../../lib/queue/enqueue.ts";
import { createQuarantine } from "../../../lib/queue/quarantine.ts";
import { receiveWebhook } from "../../../lib/receive/receive-webhook.ts";
import { createServedApps } from "../../../lib/receive/served-apps.ts";
import type { Aws } from "../../../local/testing/simulated/aws.ts";
import type { Clock } from "../../../local/testing/simulated/clock.ts";
import type { Process } from "../../../local/testing/simulated/process.ts";

/** Takes one delivery; returns the status of the answer, or undefined if the process crashed. */
export type Receive = (appId: string, body: string) => Promise<number | undefined>;

export const webhookLogin = { username: "platform", password: "a-password-of-the-webhook" } as const;

/** Starts the real receiver, built as in lib/receive/build-receiver-services.ts, on this world's edges. */
export function startReceiver(process: Process, aws: Aws, clock: Clock, appIds: readonly string[]): Receive {
  const callAws = createAwsCaller(readAwsEnvironment(), {
    now: clock.now,
    createPost: aws.createPostOf(process),
    sleep: (ms) => process.edge("sleep", () => clock.sleep(ms)),
    random: () => 0.5,
  });
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const services = {
    apps: createServedApps({
      callAws,
      secretPrefix: readSetting("SECRET_PREFIX"),
      appIds,
      now: clock.now,
    }),
    enqueue: createEnqueue(callAws, readSetting("EVENTS_QUEUE_URL")),
    quarantine: createQuarantine(callAws, readSetting("QUARANTINE_QUEUE_URL")),
    notice: () => {},
    hint: () => {},
    log: silent,
    count: () => {},
    now: clock.now,
  };
  const login = Buffer.from(`${webhookLogin.username}:${webhookLogin.password}`).toString("base64");

  return (appId, body) =>
    new Promise((resolve) => {
      const forget = process.onDeath(() => resolve(undefined));
      const settle = (status: number) => {
        if (!process.isAlive()) return;
        forget();
        resolve(status);
      };
      const headers = { authorization: `Basic ${login}`, "content-type": "Application/json" };
      receiveWebhook({ headers, pathParameters: { appId }, body: Buffer.from(body) }, services).then(
        ({ status }) => settle(status),
        () => settle(500),
      );
    });
}

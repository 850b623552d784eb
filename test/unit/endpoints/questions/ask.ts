import { onTestFinished } from "vitest";
import { type AwsCaller, createAwsCaller } from "../../../../lib/aws/aws-call.ts";
import type { Count } from "../../../../lib/base/count-metric.ts";
import { createHint } from "../../../../lib/base/log.ts";
import { answerQuestion, type QuestionKind } from "../../../../lib/endpoints/questions/answer-question.ts";
import {
  type BeforeMessageAnswer,
  drop,
  writeBeforeMessageAnswer,
} from "../../../../lib/endpoints/questions/before-message-answer.ts";
import { type Question, readBeforeMessage } from "../../../../lib/endpoints/questions/question.ts";
import { createWebhookCredentials } from "../../../../lib/receive/webhook-credentials.ts";
import { startSecretsEndpoint } from "../../../../local/cloud/secrets-endpoint.ts";
import { events } from "../../../../local/testing/events/events.ts";
import { basic } from "../../../helpers/deliver.ts";

export const startedAt = Date.UTC(2026, 0, 1);
const secret = {
  appId: "app-1",
  webhookUsername: "platform",
  webhookPassword: "right-password",
  webhookSecret: "k",
  moderationUsername: "engine",
  moderationPassword: "right-password",
};

export const someQuestion = JSON.stringify(events.beforeMessage({ text: "my-private-words" }));

interface Asking {
  readonly body?: string | Buffer;
  readonly username?: string;
  readonly password?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly appId?: string;
  /** The time since the gateway received the question. */
  readonly waitedMs?: number;
  readonly now?: () => number;
  readonly read?: () => Question;
  /** Replaces a working Secrets Manager. */
  readonly callAws?: AwsCaller;
}

export type Decide = QuestionKind<BeforeMessageAnswer>["decide"];

export async function ask(decide: Decide, asking: Asking = {}) {
  const {
    body = someQuestion,
    username = "platform",
    password = "right-password",
    appId = "app-1",
    now = () => startedAt,
  } = asking;
  const credentials = {
    callAws: asking.callAws ?? (await startSecrets(now)),
    secretPrefix: "test",
    appId: "app-1",
    now,
  };
  const apps = new Map([["app-1", createWebhookCredentials(credentials)]]);
  const lines: string[] = [];
  const counted: string[] = [];
  const log = (message: string, fields: object) => void lines.push(JSON.stringify({ message, ...fields }));
  const count: Count = (name, { appId }) => void counted.push(`${name} ${appId}`);
  const logs = { debug: log, info: log, warn: log, error: log };
  const hint = createHint({ log: logs, count, now });
  const secretOf = async (appId: string, name: string) => `${name} of ${appId}`;
  const services = { apps, secretOf, log: logs, count, hint, now };
  const kind = {
    name: "before_message",
    family: "legacy",
    read: asking.read ?? readBeforeMessage,
    decide,
    whenUndecided: drop,
    write: writeBeforeMessageAnswer,
  } as const;
  const request = {
    headers: { authorization: basic(username, password), ...asking.headers },
    pathParameters: { appId },
    body: typeof body === "string" ? Buffer.from(body) : body,
    arrivedAt: asking.waitedMs === undefined ? undefined : startedAt - asking.waitedMs,
  };
  const again = () => answerQuestion(request, kind, services);
  const response = await again();
  return { response, log: lines.join("\n"), lines, counted, again };
}

async function startSecrets(now: () => number): Promise<AwsCaller> {
  const secrets = await startSecretsEndpoint();
  onTestFinished(() => secrets.close());
  secrets.put("test/app-1/webhook", { ...secret, webhookPassword: "replaced-password" });
  secrets.put("test/app-1/webhook", secret);
  const environment = {
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "key",
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
  };
  return createAwsCaller(environment, { now });
}

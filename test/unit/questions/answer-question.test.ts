import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createAwsCaller } from "../../../lib/aws/aws-call.ts";
import { answerQuestion, type QuestionKind } from "../../../lib/questions/answer-question.ts";
import {
  type BeforeMessageAnswer,
  drop,
  pass,
  writeBeforeMessageAnswer,
} from "../../../lib/questions/before-message-answer.ts";
import { readBeforeMessage } from "../../../lib/questions/question.ts";
import { createWebhookCredentials } from "../../../lib/secrets/webhook-credentials.ts";
import { startSecretsEndpoint } from "../../../local/cloud/secrets-endpoint.ts";
import { basic } from "../../helpers/deliver.ts";
import { events } from "../../helpers/events/events.ts";

const now = () => Date.UTC(2026, 0, 1);
const secret = { appId: "app-1", webhookUsername: "platform", webhookPassword: "right" };

async function ask(
  decide: QuestionKind<BeforeMessageAnswer>["decide"],
  { body = JSON.stringify(events.beforeMessage({ text: "my-private-words" })), password = "right" } = {},
) {
  const secrets = await startSecretsEndpoint();
  onTestFinished(() => secrets.close());
  secrets.put("test/app-1", secret);
  const callAws = createAwsCaller({
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "key",
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
  });
  const credentials = { callAws, secretPrefix: "test", appId: "app-1", now };
  const lines: string[] = [];
  const counted: string[] = [];
  const log = (message: string, fields: object) => lines.push(JSON.stringify({ message, ...fields }));
  const response = await answerQuestion(
    {
      headers: { authorization: basic("platform", password) },
      pathParameters: { appId: "app-1" },
      body: Buffer.from(body),
    },
    {
      name: "before_message",
      family: "legacy",
      read: readBeforeMessage,
      decide,
      whenUndecided: drop(),
      write: writeBeforeMessageAnswer,
    },
    {
      apps: new Map([["app-1", createWebhookCredentials(credentials)]]),
      log: { debug: log, info: log, warn: log, error: log },
      count: (name) => counted.push(name),
      now,
    },
  );
  return { response, log: lines.join("\n"), counted };
}

describe("answerQuestion", () => {
  it("gives the decision about the message that was asked about", async () => {
    const { response, counted } = await ask(async ({ message }, { appId }) => {
      expect({ text: message.data?.text, appId }).toEqual({ text: "my-private-words", appId: "app-1" });
      return pass();
    });

    expect(response).toEqual({ status: 200, body: "{}" });
    expect(counted).toEqual([]);
  });

  it("gives the configured answer in time when deciding takes too long, and ends what is under way", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = Promise.withResolvers<AbortSignal>();
    const asking = ask((_question, { signal }) => {
      asked.resolve(signal);
      return new Promise<never>(() => {});
    });
    const signal = await asked.promise;

    vi.advanceTimersByTime(1_499);
    const isEndedEarly = signal.aborted;
    vi.advanceTimersByTime(1);
    const { response, log, counted } = await asking;

    expect(response).toEqual({ status: 200, body: '{"action":"do_not_propagate"}' });
    expect(isEndedEarly).toBe(false);
    expect(signal.aborted).toBe(true);
    expect(counted).toEqual(["MessageUndecided"]);
    expect(log).toContain("no answer within 1500 ms");
  });

  it.each([
    ["deciding fails", () => Promise.reject(new Error("The model is away.")), "The model is away."],
    [
      "deciding throws",
      () => {
        throw new Error("A bug.");
      },
      "A bug.",
    ],
    ["the decision is none", () => undefined as never, "TypeError"],
  ])("gives the configured answer when %s, logged and counted", async (_case, decide, reason) => {
    const { response, log, counted } = await ask(decide);

    expect(response.body).toBe('{"action":"do_not_propagate"}');
    expect(counted).toEqual(["MessageUndecided"]);
    expect(log).toContain(reason);
    expect(log).not.toContain("my-private-words");
  });

  it.each([
    ["no JSON", "my-private-words {"],
    ["another event", JSON.stringify(events.messageSent({ text: "my-private-words" }))],
    ["a message of another shape", JSON.stringify({ trigger: "before_message", data: "my-private-words" })],
  ])("gives the configured answer to %s, and logs nothing of it", async (_case, body) => {
    const { response, log, counted } = await ask(() => pass(), { body });

    expect(response).toEqual({ status: 200, body: '{"action":"do_not_propagate"}' });
    expect(counted).toEqual(["MessageUndecided"]);
    expect(log).not.toContain("my-private-words");
  });

  it("tells nothing to whom it does not know", async () => {
    const { response } = await ask(() => pass(), { password: "wrong" });

    expect(response.status).toBe(401);
    expect(response.body).toContain("unauthorized");
  });
});

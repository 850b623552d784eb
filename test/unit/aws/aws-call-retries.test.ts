import { describe, expect, it } from "vitest";
import {
  type AwsCall,
  AwsCallError,
  type AwsCaller,
  createAwsCaller,
  limitCalls,
} from "../../../lib/aws/aws-call.ts";
import { type Answer, NoAnswerError, type PostRequest } from "../../../lib/aws/post.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

const call: AwsCall = {
  service: "sqs",
  target: "AmazonSQS.SendMessage",
  input: { QueueUrl: "q", MessageBody: "é🎉" },
};

/** A caller of services that answer by the script, or not at all; each `sleep` advances the time. */
function createScriptedCaller(...script: readonly (Answer | NoAnswerError)[]) {
  let nowMs = 1_000_000;
  const sent: PostRequest[] = [];
  const pauses: number[] = [];
  const env = { AWS_REGION: "eu-central-1", AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "key" };
  const callAws = createAwsCaller(env, {
    now: () => nowMs,
    random: () => 0.5,
    sleep: async (ms) => {
      pauses.push(ms);
      nowMs += ms;
    },
    createPost: () => async (request) => {
      sent.push(request);
      const answer = script[Math.min(sent.length, script.length) - 1];
      if (answer === undefined || answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { callAws, sent, pauses, nowMs };
}

const read: AwsCall = { service: "dynamodb", target: "DynamoDB_20120810.GetItem", input: {} };
const refusal = (status: number, code: string): Answer => ({
  status,
  body: JSON.stringify({ __type: `x#${code}` }),
});
const ok = { status: 200, body: '{"MessageId":"1"}' };
const silence = new NoAnswerError("nothing came", { code: "ECONNRESET", maybeExecuted: true });
const noConnection = new NoAnswerError("nobody there", { code: "ECONNREFUSED", maybeExecuted: false });
const failureOf = (callAws: AwsCaller, asked: AwsCall) =>
  callAws(asked).then(
    () => undefined,
    (error: unknown) => error,
  );

describe("createAwsCaller, throttled", () => {
  it.each([
    [400, "ProvisionedThroughputExceededException"],
    [400, "ThrottlingException"],
    [403, "RequestThrottled"],
    [429, "TooManyRequestsException"],
    [429, "nothing known"],
    [400, "KmsThrottled"],
    [400, "Throttling"],
    [400, "ThrottledException"],
    [400, "BandwidthLimitExceeded"],
    [500, "RequestLimitExceeded"],
    [503, "SlowDown"],
  ])(
    "retries after %i %s, whatever the status, and reports that nothing was carried out",
    async (status, code) => {
      for (const service of ["sqs", "dynamodb"] as const) {
        const patient = createScriptedCaller(refusal(status, code), ok);
        const busy = createScriptedCaller(refusal(status, code));

        expect(await patient.callAws({ ...read, service })).toEqual({ MessageId: "1" });
        expect(await failureOf(busy.callAws, { ...read, service })).toMatchObject({
          service,
          code,
          status,
          maybeExecuted: false,
        });
        expect(busy.sent).toHaveLength(service === "sqs" ? 2 : 3);
      }
    },
  );

  it("pauses before each retry, longer before the table's third try, but not after a lost connection", async () => {
    const table = createScriptedCaller(refusal(400, "ThrottlingException"));
    const silent = createScriptedCaller(silence);
    const queue = createScriptedCaller(refusal(400, "ThrottlingException"));

    await failureOf(table.callAws, read);
    await failureOf(queue.callAws, call);
    await failureOf(silent.callAws, read);

    expect(table.pauses).toEqual([50, 100]);
    expect(silent.pauses).toEqual([]);
    expect(queue.pauses).toEqual([50]);
  });

  it.each<[string, Omit<Answer, "status">]>([
    ["the body's __type", { body: '{"__type":"x#RequestThrottled"}' }],
    ["the body's __type, with an address", { body: '{"__type":"x#RequestThrottled:http://aws/x#y"}' }],
    ["the body's code", { body: '{"code":"RequestThrottled"}' }],
    ["the header", { body: "", errorType: "RequestThrottled:http://aws/" }],
    ["the header, beside a body of another kind", { body: "[]", errorType: "x#RequestThrottled" }],
  ])("finds the code in %s", async (_place, answer) => {
    const { callAws, sent } = createScriptedCaller({ status: 403, ...answer });

    expect(await failureOf(callAws, call)).toMatchObject({ code: "RequestThrottled" });
    expect(sent).toHaveLength(2);
  });

  it("does not retry after a refusal", async () => {
    const { callAws, sent } = createScriptedCaller(refusal(400, "AccessDeniedException"));

    expect(await failureOf(callAws, read)).toMatchObject({ status: 400, maybeExecuted: false });
    expect(sent).toHaveLength(1);
  });
});

describe("createAwsCaller, without an answer", () => {
  it.each([
    ["after silence", [silence], true],
    ["after a fault of the service", [refusal(500, "InternalServerError")], true],
    ["after silence and a refusal", [silence, refusal(400, "ValidationException")], true],
    ["without any connection", [noConnection], false],
    ["after a refusal", [refusal(400, "ValidationException")], false],
  ])("reports whether the call may have been carried out: %s", async (_case, script, maybeExecuted) => {
    const { callAws } = createScriptedCaller(...script);

    expect(await failureOf(callAws, read)).toMatchObject({ maybeExecuted });
  });

  it("retries a call that must not be repeated only if it was certainly not carried out", async () => {
    const once = { ...read, isRepeatable: false };
    const silent = createScriptedCaller(silence, ok);
    const refused = createScriptedCaller(noConnection, ok);

    expect(await failureOf(silent.callAws, once)).toMatchObject({ code: "ECONNRESET", maybeExecuted: true });
    expect(await refused.callAws(once)).toEqual({ MessageId: "1" });
    expect([silent.sent.length, refused.sent.length]).toEqual([1, 2]);
  });

  it("keeps the service's answer out of logged errors", async () => {
    const body = JSON.stringify({ __type: "x#ValidationException", Item: "a secret" });
    const { callAws } = createScriptedCaller({ status: 400, body });

    const failure = await failureOf(callAws, read);

    expect(failure instanceof AwsCallError && failure.answer()).toMatchObject({ Item: "a secret" });
    expect(JSON.stringify([failure, Object.entries(failure ?? {}), String(failure)])).not.toContain("secret");
  });
});

describe("createAwsCaller and time", () => {
  it("limits connecting and each try, neither beyond the deadline", async () => {
    const { callAws, sent, nowMs } = createScriptedCaller(ok);

    await callAws(read);
    await limitCalls(callAws, nowMs + 600)(read);
    await limitCalls(callAws, nowMs + 600)({ ...read, deadlineMs: nowMs + 300 });
    await callAws(call);

    expect(sent.map(({ timeoutMs, connectTimeoutMs }) => [timeoutMs, connectTimeoutMs])).toEqual([
      [1500, 700],
      [600, 600],
      [300, 300],
      [800, 800],
    ]);
  });

  it("applies a call's own limit, but not beyond the deadline", async () => {
    const { callAws, sent, nowMs } = createScriptedCaller(ok);

    await callAws({ ...call, timeoutMs: 20_000 });
    await limitCalls(callAws, nowMs + 5_000)({ ...call, timeoutMs: 20_000 });

    expect(sent.map(({ timeoutMs, connectTimeoutMs }) => [timeoutMs, connectTimeoutMs])).toEqual([
      [20_000, 20_000],
      [5_000, 5_000],
    ]);
  });

  it("sends nothing after the deadline, and skips a pause that would end after it", async () => {
    const late = createScriptedCaller(ok);
    const soonLate = createScriptedCaller(refusal(400, "ThrottlingException"), ok);

    const failure = await failureOf(limitCalls(late.callAws, late.nowMs), read);
    const other = await failureOf(limitCalls(soonLate.callAws, soonLate.nowMs + 50), read);

    expect(failure).toMatchObject({ code: "NoTimeLeft", maybeExecuted: false });
    expect(other).toMatchObject({ code: "ThrottlingException" });
    expect([late.sent.length, soonLate.sent.length, soonLate.pauses.length]).toEqual([0, 1, 0]);
  });

  it("calls the table with its own protocol and address", async () => {
    const server = await startLoopbackServer((_request, response) => response.end("{}"));
    const callAws = createAwsCaller({ AWS_ENDPOINT_URL_DYNAMODB: server.url });

    await callAws(read);

    expect(server.requests[0]?.headers).toMatchObject({
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": "DynamoDB_20120810.GetItem",
      authorization: expect.stringContaining("/us-east-1/dynamodb/aws4_request"),
    });
  });
});

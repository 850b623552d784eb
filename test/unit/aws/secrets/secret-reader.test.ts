import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { AwsCall } from "../../../../lib/aws/aws-call.ts";
import { createNamedSecrets } from "../../../../lib/aws/secrets/app-secret.ts";
import { InvalidSecretError } from "../../../../lib/aws/secrets/parse-secret.ts";
import { createSignedReadSecret } from "../../../../lib/aws/secrets/read-secret-value.ts";
import { countFailedReads, createReadSecret } from "../../../../lib/aws/secrets/secret-reader.ts";
import { createSecretsManager } from "../../../../lib/aws/secrets/secrets-manager.ts";
import { hideSecrets } from "../../../../lib/base/known-secrets.ts";
import { usualSecretAges } from "../../../../lib/base/secret-ages.ts";
import { startLoopbackServer } from "../../../helpers/loopback-server.ts";

/** Points the AWS SDK at a server through its environment variables. */
function pointSdkAt(url: string) {
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "id");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "key");
  vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", url);
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe("createReadSecret", () => {
  it("returns the text of a secret", async () => {
    const server = await startLoopbackServer((_request, response) => {
      response.setHeader("content-type", "application/x-amz-json-1.1");
      response.end('{"SecretString":"the value é"}');
    });
    pointSdkAt(server.url);

    expect(await createReadSecret()("chat/app")).toBe("the value é");
    expect(JSON.parse(server.requests[0]?.body ?? "")).toEqual({ SecretId: "chat/app" });
  });

  it.each([
    ["never answers", () => undefined],
    [
      "stops in the middle of its answer",
      (response: ServerResponse) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("{");
      },
    ],
  ])("gives up on a service that %s, after three tries", async (_case, answer) => {
    const server = await startLoopbackServer((_request, response) => void answer(response));
    pointSdkAt(server.url);

    const { read } = createSecretsManager({ connectMs: 1_000, answerMs: 500 });

    await expect(read("chat/app")).rejects.toMatchObject({
      name: "TimeoutError",
    });
    expect(server.requests).toHaveLength(3);
  });

  it("gives up on all tries together at the caller's deadline", async () => {
    const server = await startLoopbackServer(() => undefined);
    pointSdkAt(server.url);

    await expect(createReadSecret()("chat/app", undefined, 20)).rejects.toMatchObject({
      name: "SecretTimeoutError",
    });
    expect(server.requests.length).toBeLessThan(2);
  });
});

/** A reader at 5,000 ms, and its calls. */
function readerOf(answer: unknown, timeoutMs?: number) {
  const calls: AwsCall[] = [];
  const callAws = async (call: AwsCall) => {
    calls.push(call);
    return answer;
  };
  return { calls, read: createSignedReadSecret(callAws, () => 5_000, timeoutMs) };
}

describe("createSignedReadSecret", () => {
  it("reads the current version, without a deadline or a timeout of its own", async () => {
    const { calls, read } = readerOf({ SecretString: "the value é" });

    expect(await read("chat/app")).toBe("the value é");
    expect(calls).toEqual([
      {
        service: "secretsmanager",
        target: "secretsmanager.GetSecretValue",
        input: { SecretId: "chat/app", VersionStage: "AWSCURRENT" },
        deadlineMs: undefined,
      },
    ]);
    expect(calls[0]).not.toHaveProperty("timeoutMs");
  });

  it("reads the requested version within the caller's time and the given timeout", async () => {
    const { calls, read } = readerOf({ SecretString: "old" }, 700);

    expect(await read("chat/app", "AWSPREVIOUS", 20)).toBe("old");
    expect(calls).toMatchObject([
      { input: { VersionStage: "AWSPREVIOUS" }, deadlineMs: 5_020, timeoutMs: 700 },
    ]);
  });

  it.each([
    ["a secret of bytes", { SecretBinary: "AA==" }],
    ["a value that is no text", { SecretString: 7 }],
    ["an answer that is no object", "text"],
  ])("returns undefined for %s", async (_case, answer) => {
    expect(await readerOf(answer).read("chat/app")).toBeUndefined();
  });
});

const named = (name: string) => Object.assign(new Error("It is not there."), { name });

function reading(outcome: string | Error) {
  const counted: unknown[] = [];
  const read = countFailedReads(
    async () => {
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    (...args) => void counted.push(args),
  );
  return { read, counted };
}

describe("countFailedReads", () => {
  it("counts a failed read with its cause, and rethrows the error", async () => {
    const { read, counted } = reading(named("AccessDeniedException"));

    await expect(read("stage/app-1")).rejects.toThrow("It is not there.");

    expect(counted).toEqual([
      [
        "SecretNotRead",
        { secret: "stage/app-1" },
        { cause: expect.stringContaining("AccessDeniedException") },
      ],
    ]);
  });

  it("counts a missing secret, but not a missing version", async () => {
    const { read, counted } = reading(named("ResourceNotFoundException"));

    await expect(read("stage/app-1", "AWSPREVIOUS")).rejects.toThrow();
    expect(counted).toHaveLength(0);
    await expect(read("stage/app-1")).rejects.toThrow();
    expect(counted).toHaveLength(1);
  });

  it("logs nothing of the value", async () => {
    const { read, counted } = reading("the value");

    expect(await read("stage/app-1")).toBe("the value");
    expect(counted).toEqual([]);
  });
});

const create = (secrets: Record<string, object>, asked: string[] = []) =>
  createNamedSecrets({
    readSecret: async (id) => {
      asked.push(id);
      return JSON.stringify(secrets[id]);
    },
    secretPrefix: "prefix",
    ages: usualSecretAges,
    now: () => 0,
  });

describe("createNamedSecrets", () => {
  it("gives each app its own value, reads each secret once, and hides it in log lines", async () => {
    const asked: string[] = [];
    const secretOf = create(
      {
        "prefix/a": { "ticket-token": "first-token-1", other: "x" },
        "prefix/b": { "ticket-token": "second-token-2" },
      },
      asked,
    );

    const values = await Promise.all([
      secretOf("a", "ticket-token"),
      secretOf("b", "ticket-token"),
      secretOf("a", "other"),
    ]);

    expect(values).toEqual(["first-token-1", "second-token-2", "x"]);
    expect(asked).toEqual(["prefix/a", "prefix/b"]);
    expect(hideSecrets("first-token-1 second-token-2")).toBe("[redacted] [redacted]");
  });

  it.each([{}, { "ticket-token": "" }, { "ticket-token": 7 }])(
    "names what is missing in %j",
    async (fields) => {
      const secretOf = create({ "prefix/a": fields });

      await expect(secretOf("a", "ticket-token")).rejects.toThrow(InvalidSecretError);
      await expect(secretOf("a", "ticket-token")).rejects.toThrow(/prefix\/a has no text in "ticket-token"/);
    },
  );

  it("waits no longer than the given time for a newer value", async () => {
    const limits: unknown[] = [];
    const secretOf = createNamedSecrets({
      readSecret: async (_id, _stage, limitMs) => {
        limits.push(limitMs);
        return JSON.stringify({ "ticket-token": "first-token-1" });
      },
      secretPrefix: "prefix",
      ages: { ...usualSecretAges, refreshAfterMs: 0 },
      now: () => 0,
      maxWaitMs: 600,
    });

    await secretOf("a", "ticket-token");
    await secretOf("a", "ticket-token");

    expect(limits).toEqual([Number.POSITIVE_INFINITY, 600]);
  });
});

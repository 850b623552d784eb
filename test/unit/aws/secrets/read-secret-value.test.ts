import { describe, expect, it } from "vitest";
import type { AwsCall } from "../../../../lib/aws/aws-call.ts";
import { createSignedReadSecret } from "../../../../lib/aws/secrets/read-secret-value.ts";

/** A reader at 5,000 ms, and the calls that it made. */
function readerOf(answer: unknown, timeoutMs?: number) {
  const calls: AwsCall[] = [];
  const callAws = async (call: AwsCall) => {
    calls.push(call);
    return answer;
  };
  return { calls, read: createSignedReadSecret(callAws, () => 5_000, timeoutMs) };
}

describe("createSignedReadSecret", () => {
  it("reads the version in use, without a deadline or a timeout of its own", async () => {
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

  it("reads the version asked for, within the caller's time and the given timeout", async () => {
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
  ])("reads %s as nothing", async (_case, answer) => {
    expect(await readerOf(answer).read("chat/app")).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { InvalidSecretError } from "../../../../lib/aws/secrets/parse-secret.ts";
import { hideSecrets } from "../../../../lib/base/known-secrets.ts";
import { createClaimMark } from "../../../../lib/effects/ledger.ts";
import { createGuardKeys, createLoopGuard } from "../../../../lib/events/marks/loop-guard.ts";
import { awsFailure } from "../../../helpers/failed-calls.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

const keyOf = (name: string) => `${name} ${"x".repeat(40)}`;
const messageId = "11";
const spoken = { sender: "support", receiverType: "user", receiver: "ann" };

/** A secret that can be changed and fail, a table, and the guard of a process that reads them. */
function createWorld() {
  const reads: string[] = [];
  const secret: { current: string | undefined; previous?: string | undefined; failure?: Error } = {
    current: keyOf("first"),
  };
  let passedMs = 0;
  const now = () => passedMs;
  const table = createMemoryTable("id");
  const guardOfProcess = (appId = "app-1") =>
    createLoopGuard(
      createGuardKeys({
        secretId: "the-secret",
        now,
        readSecret: async (id, stage) => {
          reads.push(`${id} ${stage ?? "AWSCURRENT"}`);
          if (secret.failure) throw secret.failure;
          if (stage === undefined) return secret.current;
          if (secret.previous !== undefined) return secret.previous;
          throw Object.assign(new Error("no version"), { name: "ResourceNotFoundException" });
        },
      }),
      appId,
      createClaimMark(table, new Map(), now),
    );
  const pass = (ms: number) => {
    passedMs += ms;
  };
  return { secret, reads, table, guardOfProcess, pass };
}

const messageBy = async (guard: ReturnType<typeof createLoopGuard>, effect = "an effect") => {
  const { tags, metadata } = await guard.mark(effect, spoken);
  return { ...spoken, id: messageId, tags, data: { metadata } };
};

describe("isOwn", () => {
  it("recognizes its own message, also in another process, and without tags or metadata", async () => {
    const { guardOfProcess } = createWorld();
    const own = await messageBy(guardOfProcess());
    const guard = guardOfProcess();

    expect(await guard.isOwn(own)).toBe(true);
    expect(await guard.isOwn({ ...own, tags: undefined })).toBe(true);
    expect(await guard.isOwn({ ...own, data: {} })).toBe(true);
    expect(await guard.isOf("an effect", own)).toBe(true);
    expect(await guard.isOf("another effect", own)).toBe(false);
  });

  it("treats a further message with its mark as a person's, in each process", async () => {
    const { guardOfProcess } = createWorld();
    const own = await messageBy(guardOfProcess());
    const copy = { ...own, id: "12" };
    const [one, other] = [guardOfProcess(), guardOfProcess()];

    expect([await one.isOwn(own), await one.isOwn(copy)]).toEqual([true, false]);
    expect([await other.isOwn(copy), await other.isOwn(own)]).toEqual([false, true]);
  });

  it("throws while the table cannot be written", async () => {
    const { guardOfProcess, table } = createWorld();
    const guard = guardOfProcess();
    const own = await messageBy(guard);
    const put = table.put;
    table.put = () => Promise.reject(awsFailure("InternalServerError"));

    await expect(guard.isOwn(own)).rejects.toThrow();
    table.put = put;

    expect(await guard.isOwn(own)).toBe(true);
  });

  it("finds an effect's message by its mark, whichever message first had the mark", async () => {
    const guard = createWorld().guardOfProcess();
    const own = await messageBy(guard);
    await guard.isOwn({ ...own, id: "12" });

    expect(await guard.isOf("an effect", own)).toBe(true);
  });

  it.each([
    ["a message without an ID, which any user may have written", { id: undefined }],
    ["its copy by another sender in the same conversation", { sender: "ann", receiver: "support" }],
    ["a message without a receiver", { receiver: undefined }],
  ])("treats %s as a person's", async (_case, change) => {
    const guard = createWorld().guardOfProcess();

    expect(await guard.isOwn({ ...(await messageBy(guard)), ...change })).toBe(false);
  });

  it("treats a message of another app of the same deployment as a person's", async () => {
    const { guardOfProcess } = createWorld();

    expect(await guardOfProcess("app-2").isOwn(await messageBy(guardOfProcess("app-1")))).toBe(false);
  });

  it("recognizes the platform's own user, and reads no key for messages without a mark", async () => {
    const { guardOfProcess, reads, secret } = createWorld();
    secret.failure = new Error("must not be asked");
    const guard = guardOfProcess();

    expect(await guard.isOwn({ sender: "app_system" })).toBe(true);
    expect(
      await guard.isOwn({ ...spoken, tags: ["automatic"], data: { metadata: { automatic: true } } }),
    ).toBe(false);
    expect(reads).toEqual([]);
  });

  it("recognizes messages from before a key change, and those of a process with the new key", async () => {
    const { guardOfProcess, secret, pass } = createWorld();
    const behind = guardOfProcess();
    const before = await messageBy(behind);
    expect(await behind.isOwn({ ...before, sender: "ann" })).toBe(false); // reads the previous version, too
    secret.previous = secret.current;
    secret.current = keyOf("second");
    const ahead = guardOfProcess();
    pass(11_000);

    expect(await ahead.isOwn(before)).toBe(true);
    expect(await behind.isOwn(await messageBy(ahead))).toBe(true);
    expect(await behind.isOwn(before)).toBe(true);
  });

  it("redacts the key in the log", async () => {
    const { guardOfProcess, secret } = createWorld();

    await messageBy(guardOfProcess());

    expect(hideSecrets(`It was ${secret.current}.`)).toBe("It was [redacted].");
  });

  it("reads the secret once for many forged marks", async () => {
    const { guardOfProcess, reads } = createWorld();
    const guard = guardOfProcess();
    const forged = { ...spoken, tags: [`mark-${"0".repeat(32)}-${"0".repeat(32)}`] };

    for (let time = 0; time < 100; time += 1) expect(await guard.isOwn(forged)).toBe(false);

    expect(reads.toSorted()).toEqual(["the-secret AWSCURRENT", "the-secret AWSPREVIOUS"]);
  });

  it("throws while the key cannot be read, so that the event waits", async () => {
    const { guardOfProcess, secret } = createWorld();
    const own = await messageBy(guardOfProcess());
    const guard = guardOfProcess();
    secret.failure = new Error("Secrets Manager is out.");

    guard.warm();

    const out = { name: "GuardKeyError", cause: secret.failure, maybeExecuted: false };
    await expect(guard.isOwn(own)).rejects.toMatchObject(out);
    await expect(guard.mark("an effect", spoken)).rejects.toMatchObject(out);
  });

  it.each([
    ["no value", undefined],
    ["a value that is too short", "~".repeat(31)],
  ])("names the secret that holds %s, without its content", async (_case, current) => {
    const { guardOfProcess, secret } = createWorld();
    secret.current = current;

    const failure = await guardOfProcess()
      .mark("an effect", spoken)
      .then(
        () => new Error("It was made."),
        (error: Error) => error,
      );

    expect(failure.message).toMatch(/the secret the-secret: nothing is sent/);
    expect(failure.cause).toBeInstanceOf(InvalidSecretError);
    expect(Object(failure.cause).message).toMatch(/^Secret the-secret holds no key [^~]+$/);
  });
});

import { describe, expect, it } from "vitest";
import { AwsCallError, type AwsCaller } from "../../../lib/aws/aws-call.ts";
import { readSecretValue } from "../../../lib/aws/secrets/read-secret-value.ts";
import { digestCredentials } from "../../../lib/base/http/basic-auth.ts";
import { type AcceptedSenders, createWebhookCredentials } from "../../../lib/receive/webhook-credentials.ts";

type Version = object | "missing" | "throttled" | "broken" | "binary" | "denied";
interface Versions {
  AWSCURRENT: Version;
  AWSPREVIOUS?: Version;
  AWSPENDING?: Version;
}

const secretOf = (webhookPassword: string, more: object = {}) => ({
  webhookUsername: "platform",
  webhookPassword,
  ...more,
});
const codes = new Map<unknown, string>([
  ["missing", "ResourceNotFoundException"],
  ["throttled", "ThrottlingException"],
  ["denied", "AccessDeniedException"],
]);

/** Credentials from a Secrets Manager that has these versions of the secret; records the requested ones. */
function createCredentials(versions: Versions) {
  const clock = { ms: 0 };
  const asked: unknown[] = [];
  const callAws: AwsCaller = async (call) => {
    const stage = call.input.VersionStage;
    asked.push(stage);
    const version = Object.entries(versions).find(([name]) => name === stage)?.[1] ?? "missing";
    const code = codes.get(version);
    if (code !== undefined) throw new AwsCallError(call, { code, status: 400, maybeExecuted: false });
    if (version === "binary") return { SecretBinary: "e30=" };
    const CreatedDate = Reflect.get(Object(version), "madeAt") ?? 0;
    return { CreatedDate, SecretString: version === "broken" ? "{" : JSON.stringify(version) };
  };
  const ages = { refreshAfterMs: 120_000, maxAgeMs: 3_600_000, previousMs: 3_600_000 };
  const credentials = createWebhookCredentials({
    callAws,
    secretPrefix: "x",
    appId: "app-1",
    ages,
    now: () => clock.ms,
    random: () => 1,
  });
  const passwordsOf = ({ senders }: AcceptedSenders) =>
    ["new", "old", "next-password"].filter((one) =>
      senders.some(({ digest }) => digest.equals(digestOf(one))),
    );

  return {
    credentials,
    asked,
    clock,
    versions,
    /** The accepted passwords. */
    known: async () => passwordsOf(await credentials.get()),
    refreshed: async (minAgeMs?: number) => passwordsOf(await credentials.refresh(minAgeMs)),
  };
}

const digestOf = (password: string) => digestCredentials({ username: "platform", password });

describe("createWebhookCredentials", () => {
  it("returns the credentials of all three versions, for all families without their own", async () => {
    const { credentials } = createCredentials({
      AWSCURRENT: secretOf("new"),
      AWSPREVIOUS: secretOf("old"),
      AWSPENDING: secretOf("next-password"),
    });

    const { senders, signingKeys } = await credentials.refresh();

    const families = ["webhook", "legacy", "bot", "notification", "extension", "moderation"];
    expect(senders).toEqual([
      { digest: digestOf("new"), families },
      { digest: digestOf("next-password"), families },
      { digest: digestOf("old"), families, isReplaced: true },
    ]);
    expect(signingKeys).toEqual([]);
  });

  it("finds a password that became the current version between the reads of the versions", async () => {
    const { credentials, clock, versions, refreshed } = createCredentials({
      AWSCURRENT: secretOf("old"),
      AWSPENDING: secretOf("new"),
    });
    await credentials.get();
    clock.ms = 4_000;
    Object.assign(versions, {
      AWSCURRENT: secretOf("new"),
      AWSPENDING: "missing",
      AWSPREVIOUS: secretOf("old"),
    });

    expect(await refreshed(5_000)).toEqual(["new", "old"]);
  });

  it("requests only the current version until a request does not match it", async () => {
    const { credentials, asked, known } = createCredentials({
      AWSCURRENT: secretOf("new"),
      AWSPREVIOUS: secretOf("old"),
    });

    expect(await known()).toEqual(["new"]);
    expect(asked).toEqual(["AWSCURRENT"]);
    await credentials.refresh(5_000);
    expect(asked).toEqual(["AWSCURRENT", "AWSPENDING", "AWSPREVIOUS"]);
    expect(await known()).toEqual(["new", "old"]);
  });

  const replaced = { replacedWebhookPassword: "old", replacedWebhookPasswordUntil: "1970-01-01T00:00:10Z" };
  it.each<[string, Omit<Versions, "AWSCURRENT">, string[]]>([
    ["ignores other versions that are missing", { AWSPREVIOUS: "missing", AWSPENDING: "missing" }, ["new"]],
    ["ignores other versions that are broken", { AWSPREVIOUS: "broken", AWSPENDING: "broken" }, ["new"]],
    ["ignores other versions that are bytes", { AWSPREVIOUS: "binary", AWSPENDING: "binary" }, ["new"]],
    ["ignores other versions that it may not read", { AWSPREVIOUS: "denied", AWSPENDING: "denied" }, ["new"]],
    [
      "ignores an incomplete pending version",
      { AWSPENDING: { webhookPassword: "next-password" }, AWSPREVIOUS: secretOf("old") },
      ["new", "old"],
    ],
    [
      "ignores a replaced password if Secrets Manager has no time of the change",
      { AWSPREVIOUS: secretOf("old", { madeAt: "yesterday" }) },
      ["new"],
    ],
    [
      "refuses a replaced password that only the previous version has",
      { AWSPREVIOUS: secretOf("new", replaced) },
      ["new"],
    ],
    [
      "ignores a replaced password that only a pending version has",
      { AWSPENDING: secretOf("next-password", replaced) },
      ["new", "next-password"],
    ],
  ])("%s", async (_case, others, accepted) => {
    const { refreshed } = createCredentials({ AWSCURRENT: secretOf("new"), ...others });

    expect(await refreshed()).toEqual(accepted);
  });

  it.each(["AWSPREVIOUS", "AWSPENDING"] as const)(
    "rejects a refresh while %s cannot be read, so that an outage locks no sender out",
    async (stage) => {
      const { credentials, known } = createCredentials({
        AWSCURRENT: secretOf("new"),
        [stage]: "throttled",
      });

      await expect(credentials.refresh()).rejects.toThrow("ThrottlingException");
      expect(await known()).toEqual(["new"]);
    },
  );

  it.each(["missing", "throttled", "broken", "binary", "denied"] as const)(
    "fails when the current version is %s",
    async (AWSCURRENT) => {
      const { credentials } = createCredentials({ AWSCURRENT, AWSPREVIOUS: secretOf("old") });

      await expect(credentials.get()).rejects.toThrow();
      await expect(credentials.refresh()).rejects.toThrow();
    },
  );

  it("forgets a password that is in no version after the configured time, however often it is used", async () => {
    const { credentials, versions, clock, known, refreshed } = createCredentials({
      AWSCURRENT: secretOf("old"),
      AWSPREVIOUS: secretOf("next-password"),
    });
    await credentials.refresh();
    Object.assign(versions, { AWSCURRENT: secretOf("new"), AWSPREVIOUS: secretOf("new") });

    clock.ms = 119_999;
    expect(await known()).toEqual(["old", "next-password"]);
    clock.ms = 120_000;
    expect(await known()).toEqual(["new"]);
    expect(await refreshed(5_000)).toEqual(["new"]);
  });

  it("serves known credentials through an outage of Secrets Manager, for a limited time", async () => {
    const { credentials, versions, clock, known, refreshed } = createCredentials({
      AWSCURRENT: secretOf("new"),
      AWSPREVIOUS: secretOf("old"),
    });
    await credentials.refresh();
    Object.assign(versions, { AWSCURRENT: "throttled", AWSPREVIOUS: "throttled" });

    clock.ms = 3_599_999;
    expect(await known()).toEqual(["new"]);
    expect(await refreshed(5_000)).toEqual(["new", "old"]);
    clock.ms = 3_600_000;
    await expect(credentials.get()).rejects.toThrow("ThrottlingException");
    await expect(credentials.refresh(5_000)).rejects.toThrow("ThrottlingException");
  });

  it("accepts a replaced password as long as the secret keeps it, whatever else has changed", async () => {
    const more = { replacedWebhookPassword: "old", botUsername: "b", botPassword: "b" };
    const { credentials } = createCredentials({ AWSCURRENT: secretOf("new", more) });

    const { senders } = await credentials.get();

    expect(senders.find(({ digest }) => digest.equals(digestOf("old")))).toEqual({
      digest: digestOf("old"),
      families: ["webhook", "legacy", "notification", "extension", "moderation"],
      isReplaced: true,
    });
  });

  it("accepts the previous signing key beside a new one", async () => {
    const { credentials } = createCredentials({
      AWSCURRENT: secretOf("a", { webhookSecret: "new-key" }),
      AWSPENDING: secretOf("a", { webhookSecret: "next-key" }),
      AWSPREVIOUS: secretOf("a", { webhookSecret: "old-key" }),
    });

    expect((await credentials.refresh()).signingKeys).toEqual(["new-key", "next-key", "old-key"]);
  });

  it("forgets the previous signing key once the current version has none", async () => {
    const AWSPREVIOUS = secretOf("a", { webhookSecret: "old-key" });
    const { credentials } = createCredentials({ AWSCURRENT: secretOf("a"), AWSPREVIOUS });

    expect((await credentials.refresh()).signingKeys).toEqual([]);
  });

  it.each([
    [{ botUsername: "bot" }, "botPassword"],
    [{ botPassword: "p" }, "botUsername"],
  ])("fails if a family has half of its own credentials: %j", async (half, missing) => {
    const { credentials } = createCredentials({ AWSCURRENT: secretOf("a", half) });

    await expect(credentials.get()).rejects.toThrow(`no text in "${missing}"`);
  });
});

describe("createWebhookCredentials, on the previous password", () => {
  const minutes = (count: number) => count * 60_000;
  // Replaced in the 60th minute; the replaced version is older.
  const changed = { AWSCURRENT: secretOf("new", { madeAt: 3_600 }), AWSPREVIOUS: secretOf("old") };

  it("accepts it for an hour after the change, also under constant load", async () => {
    const { clock, known, refreshed } = createCredentials(changed);

    for (clock.ms = minutes(60); clock.ms < minutes(120); clock.ms += minutes(1)) {
      expect(await refreshed(5_000)).toEqual(["new", "old"]);
      expect(await known()).toEqual(["new", "old"]);
    }
    for (clock.ms = minutes(120); clock.ms < minutes(125); clock.ms += minutes(1)) {
      expect(await known()).toEqual(["new"]);
      expect(await refreshed(5_000)).toEqual(["new"]);
    }
  });

  it.each([
    [119, ["new", "old"]],
    [121, ["new"]],
  ])("ends it on time while the secret cannot be read: minute %i", async (minute, accepted) => {
    const { credentials, clock, versions, refreshed } = createCredentials({ ...changed });
    clock.ms = minutes(118);
    await credentials.refresh();
    Object.assign(versions, { AWSCURRENT: "throttled", AWSPREVIOUS: "throttled" });

    clock.ms = minutes(minute);
    expect(await refreshed(5_000)).toEqual(accepted);
  });

  it("accepts it from the change on in a process that has read the previous version", async () => {
    const { credentials, clock, versions, known, refreshed } = createCredentials({
      AWSCURRENT: secretOf("old"),
    });
    clock.ms = minutes(61);
    await credentials.get();
    clock.ms += 30_000;
    Object.assign(versions, { ...changed, AWSCURRENT: secretOf("new", { madeAt: 61 * 60 }) });

    expect(await refreshed(5_000)).toEqual(["new", "old"]);
    expect(await known()).toEqual(["new", "old"]);
  });

  it("counts from the newer version if a label was moved back to the older one", async () => {
    const { clock, known, refreshed } = createCredentials({
      AWSCURRENT: secretOf("old"),
      AWSPREVIOUS: secretOf("new", { madeAt: 3_600 }),
    });

    clock.ms = minutes(119);
    expect(await refreshed()).toEqual(["new", "old"]);
    clock.ms = minutes(120);
    expect(await known()).toEqual(["old"]);
  });

  it("ends its signing key, too", async () => {
    const { credentials, clock } = createCredentials({
      AWSCURRENT: secretOf("new", { webhookSecret: "new-key" }),
      AWSPREVIOUS: secretOf("old", { webhookSecret: "old-key" }),
    });

    expect((await credentials.refresh()).signingKeys).toEqual(["new-key", "old-key"]);
    clock.ms = minutes(60);
    expect((await credentials.get()).signingKeys).toEqual(["new-key"]);
  });
});

describe("readSecretValue", () => {
  it.each([
    ["a text", { SecretString: "{}" }, "{}"],
    ["bytes", { SecretBinary: "e30=" }, undefined],
    ["nothing", undefined, undefined],
    ["null", null, undefined],
    ["no object", "text", undefined],
  ])("returns the text of a secret if the answer is %s", async (_case, answer, value) => {
    expect(await readSecretValue(async () => answer, "app", "AWSCURRENT")).toBe(value);
  });
});

describe("createWebhookCredentials, with an end for a replaced password", () => {
  const at = (iso: string) => ({
    AWSCURRENT: secretOf("new", { replacedWebhookPassword: "old", replacedWebhookPasswordUntil: iso }),
  });

  it("refuses it after its end without another read", async () => {
    const { clock, asked, known, refreshed } = createCredentials(at("1970-01-01T00:00:10.000Z"));

    clock.ms = 9_999;
    expect(await known()).toEqual(["new", "old"]);
    clock.ms = 10_000;
    expect(await known()).toEqual(["new"]);
    expect(asked).toEqual(["AWSCURRENT"]);
    expect(await refreshed()).toEqual(["new"]);
  });

  it("treats an unreadable end as past", async () => {
    const { known } = createCredentials(at("tomorrow"));

    expect(await known()).toEqual(["new"]);
  });
});

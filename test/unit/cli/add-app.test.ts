import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { refuseWithoutWebhookSecret } from "../../../cli/apps/app-secret.ts";
import { addApp, removeApp } from "../../../cli/apps/change-apps.ts";
import { openSecretStore, type SecretStore } from "../../../cli/apps/stage-apps.ts";
import { webhookSecretIdOf } from "../../../lib/aws/secrets/read-secret-value.ts";
import { startSecretsEndpoint } from "../../../local/cloud/secrets-endpoint.ts";
import { clientTo } from "../../helpers/client-to.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const access = { appId: "app-1", region: "us", apiKey: "a-key-of-the-app" };
const secretIdOf = (appId: string) => `chat/prod/${appId}`;

class DiedError extends Error {}

/** A project and a Secrets Manager; `dyingAt` crashes at the call of this number, before or after it. */
async function createPlace() {
  const projectFolder = temporaryFolder({ "config/apps.yml": removed.list });
  const file = join(projectFolder, "config/apps.yml");
  const endpoint = await startSecretsEndpoint();
  onTestFinished(() => endpoint.close());
  const secrets = openSecretStore({ settings: {}, client: clientTo(endpoint.url) }, randomUUID);
  const place = {
    projectFolder,
    stage: "prod",
    secretPrefix: "chat/prod",
    secretIdOf,
    secrets,
    webhookSecretIdOf: (appId: string) => webhookSecretIdOf("chat/prod", appId),
  };
  const call = (operation: string, input: object) => endpoint.call(operation, input, "eu-central-1");
  const fieldsOf = (SecretId: string) =>
    JSON.parse(Object(call("GetSecretValue", { SecretId })).SecretString);
  const state = () => {
    const secrets = endpoint.contents().map(({ name, deletedAtMs, versions }) => ({
      name,
      isDeleted: deletedAtMs !== undefined,
      versions: versions.filter(({ stages }) => stages.length > 0).length,
    }));
    return { list: readFileSync(file, "utf8"), secrets };
  };
  return { place, call, put: endpoint.put, fieldsOf, state };
}

function dyingAt(secrets: SecretStore, at: number, when: "before" | "after"): SecretStore {
  let calls = 0;
  const dying =
    <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      calls += 1;
      if (calls === at && when === "before") throw new DiedError();
      const result = await call(...args);
      if (calls === at && when === "after") throw new DiedError();
      return result;
    };
  return {
    stateOf: dying(secrets.stateOf),
    read: dying(secrets.read),
    make: dying(secrets.make),
    change: dying(secrets.change),
    restore: dying(secrets.restore),
    remove: dying(secrets.remove),
  };
}

const done = {
  list: "# the apps\nprod:\n  - app-0\n  - app-1\n",
  secrets: ["chat/prod/app-1", "chat/prod/app-1/webhook"].map((name) => ({
    name,
    isDeleted: false,
    versions: 1,
  })),
};

const removal = { needsSecret: false, keepSecret: false, recoveryDays: 30 };
const removed = {
  list: "# the apps\nprod:\n  - app-0\n",
  secrets: done.secrets.map((secret) => ({ ...secret, isDeleted: true })),
};

it.each([
  ["addApp", "before", 1],
  ["addApp", "after", 1],
  ["removeApp", "before", 3],
  ["removeApp", "after", 3],
] as const)(
  "%s has the same result if it crashed %s any call and is run again",
  async (name, when, least) => {
    let deaths = 0;
    for (let at = 1; ; at += 1) {
      const { place, state } = await createPlace();
      const work = (secrets: SecretStore): Promise<unknown> =>
        name === "addApp"
          ? addApp(access, { ...place, secrets })
          : removeApp("app-1", { ...place, secrets }, removal);
      if (name === "removeApp") await addApp(access, place);
      const isDead = await work(dyingAt(place.secrets, at, when)).then(
        () => false,
        (error: unknown) => error instanceof DiedError,
      );
      if (!isDead) break;
      deaths += 1;

      await work(place.secrets);

      expect(state()).toEqual(name === "addApp" ? done : removed);
    }
    expect(deaths).toBeGreaterThan(least);
  },
);

it("removeApp changes nothing the second time", async () => {
  const { place } = await createPlace();
  await addApp(access, place);
  await removeApp("app-1", place, removal);

  expect(await removeApp("app-1", place, removal)).toEqual({
    list: "unchanged",
    secret: { outcome: "already being deleted" },
  });
});

describe("addApp", () => {
  it("refuses a secret that holds another app's credentials", async () => {
    const { place, call } = await createPlace();
    const SecretString = '{"appId":"other","region":"us","apiKey":"k","webhookPassword":"p"}';
    call("CreateSecret", { Name: "chat/prod/app-1", SecretString, ClientRequestToken: "t".repeat(32) });

    await expect(addApp(access, place)).rejects.toMatchObject({
      exitCode: 3,
      message: "The secret chat/prod/app-1 holds another app's credentials. Nothing was changed.",
    });
  });

  it("creates one secret with one password in two concurrent runs", async () => {
    const { place, state, call } = await createPlace();

    const outcomes = await Promise.all([addApp(access, place), addApp(access, place)]);

    expect(outcomes.map(({ secret }) => secret)).toContain("made");
    expect(state()).toEqual(done);
    expect(Object(call("GetSecretValue", { SecretId: "chat/prod/app-1" })).SecretString).toContain(
      "a-key-of-the-app",
    );
  });

  it("restores a secret that is being deleted, and completes it", async () => {
    const { place, state, call } = await createPlace();
    call("CreateSecret", { Name: "chat/prod/app-1", SecretString: "{}", ClientRequestToken: "t".repeat(32) });
    call("DeleteSecret", { SecretId: "chat/prod/app-1" });

    expect(await addApp(access, place)).toEqual({ secret: "restored", list: "added" });
    expect(state().secrets).toEqual([
      { name: "chat/prod/app-1", isDeleted: false, versions: 2 },
      { name: "chat/prod/app-1/webhook", isDeleted: false, versions: 1 },
    ]);
  });

  it("completes a secret, trims pasted spaces, and keeps other fields", async () => {
    const { place, put, fieldsOf } = await createPlace();
    const own = { ...access, ticketToken: "own" };
    put("chat/prod/app-1", { ...own, region: "eu", apiKey: "" });
    put("chat/prod/app-1/webhook", { webhookPassword: "at-the-platform " });
    await addApp(access, place);
    const unfinished = fieldsOf("chat/prod/app-1");
    put("chat/prod/app-1", { ...own, apiKey: `${access.apiKey} `, ticketToken: " own" });
    await addApp(access, place);

    expect([unfinished, fieldsOf("chat/prod/app-1")]).toEqual([own, own]);
    expect(fieldsOf("chat/prod/app-1/webhook")).toEqual({
      appId: "app-1",
      webhookUsername: "platform",
      webhookPassword: "at-the-platform",
    });
  });

  it.each(["not json", "[]", '"text"', '{"appId": 7}'])(
    "completes a secret whose value is %j",
    async (SecretString) => {
      const { place, call } = await createPlace();
      call("CreateSecret", { Name: "chat/prod/app-1", SecretString, ClientRequestToken: "t".repeat(32) });

      expect((await addApp(access, place)).secret).toBe("completed");
    },
  );
});

it("does not check webhook secrets without the right, with a note", async () => {
  const { place } = await createPlace();
  const stateOf = () => Promise.reject(Object.assign(new Error(), { name: "AccessDeniedException" }));
  const notes: string[] = [];

  await refuseWithoutWebhookSecret(
    { ...place, secrets: { ...place.secrets, stateOf } },
    { note: (text) => notes.push(text) },
  );

  expect(notes).toEqual([expect.stringContaining("secretsmanager:DescribeSecret")]);
});

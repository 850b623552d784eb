import { expect, it, onTestFinished } from "vitest";
import { ChatApiError } from "../../../../lib/chat/errors.ts";
import { createManagementClient } from "../../../../lib/chat/management/management-client.ts";
import {
  createWebhookPasswordRotation,
  setPlatformCredentials,
} from "../../../../lib/operate/rotation/rotate-webhook-password.ts";
import { createMemoryPlatform } from "../../../../local/platform/create-memory-platform.ts";
import { defaultSeed } from "../../../../local/platform/default-seed.ts";

const permit = async () => ({ deadlineMs: Date.now() + 60_000 });
const receiverUrl = "https://receiver.example/webhooks/shop";

function switchOver(fields: object, failure?: ChatApiError) {
  const changed: unknown[] = [];
  const notes: string[] = [];
  const rotation = createWebhookPasswordRotation({
    appId: "shop",
    receiverUrl,
    webhooks: "entered",
    sleep: async () => {},
    post: async () => ({ status: 200, body: "" }),
    bots: async () => ({
      list: async function* () {
        if (failure) throw failure;
        yield { uid: "ours", webhookURL: receiverUrl };
        yield { uid: "other", webhookURL: "https://other.example/" };
      },
      update: async (uid, { username, password }) => changed.push([uid, username, password]),
    }),
    note: (text) => notes.push(text),
  });
  const credentials = { webhookUsername: "platform", webhookPassword: "new", ...fields };
  const ended = rotation.switchOver(credentials, permit);
  return { ended, changed, notes };
}

const refusal = (code: "ERR_API_NOT_FOUND" | "ERR_FEATURE_NOT_ACCESSIBLE" | "AUTH_ERR_NO_ACCESS") =>
  new ChatApiError("no", {
    operation: "list-bots",
    code,
    status: 404,
    retryable: false,
    maybeExecuted: false,
  });

it.each([
  ["without credentials of their own", {}, [["ours", "platform", "new"]]],
  ["with their own credentials", { botUsername: "bot", botPassword: "bots" }, []],
])("changes this deployment's bots %s", async (_, fields, expected) => {
  const { ended, changed } = switchOver(fields);
  await ended;

  expect(changed).toEqual(expected);
});

it.each(["ERR_API_NOT_FOUND", "ERR_FEATURE_NOT_ACCESSIBLE"] as const)(
  "continues if the platform has no bots: %s",
  async (code) => {
    const { ended, notes } = switchOver({}, refusal(code));
    await ended;

    expect(notes).toEqual([expect.stringContaining(code)]);
  },
);

it("names the remedy if bots cannot be read", async () => {
  const { ended, notes } = switchOver({}, refusal("AUTH_ERR_NO_ACCESS"));

  await expect(ended).rejects.toMatchObject({
    name: "RotationError",
    trouble: "bots-unchanged",
    hint: expect.stringContaining("Run this again"),
  });
  expect(notes).toEqual([]);
});

it.each(["merge", "replace"] as const)(
  "keeps all of a webhook but its password: %s",
  async (webhookChanges) => {
    const platform = createMemoryPlatform({ switches: { webhookChanges, webhookSettingsEchoed: true } });
    onTestFinished(() => platform.close());
    const { webhooks } = createManagementClient({
      fetch: platform.fetch,
      credentials: defaultSeed.management,
    });
    const [app] = defaultSeed.apps;
    const appId = app?.appId ?? "";
    const made = { name: "One", webhookURL: receiverUrl, enabled: true, retryOnFailure: true };
    await webhooks.create(appId, { id: "one", ...made });

    const fields = { webhookUsername: "platform", webhookPassword: "new" };
    await setPlatformCredentials(webhooks, appId, receiverUrl, fields, permit);

    expect(await webhooks.get(appId, "one")).toMatchObject({
      ...made,
      useBasicAuth: true,
      username: "platform",
    });
  },
);

it("stores no password while no webhook delivers here, and names the way back if none does any more", async () => {
  const rotation = createWebhookPasswordRotation({
    appId: "shop",
    receiverUrl,
    webhooks: { list: async function* () {}, update: async () => {} },
    sleep: async () => {},
    post: async () => ({ status: 200, body: "" }),
    bots: async () => ({ list: async function* () {}, update: async () => {} }),
  });
  const state = { arn: "arn", current: { id: "1", createdAtMs: 0, fields: {} } } as const;

  await expect(
    rotation.make({ ...state, pending: undefined, previous: undefined }, "2", false),
  ).rejects.toMatchObject({
    trouble: "nothing-to-switch",
    hint: expect.stringMatching(/: npx cometchat-functions setup --app shop$/),
  });
  await expect(
    rotation.switchOver({ webhookUsername: "platform", webhookPassword: "new" }, permit),
  ).rejects.toMatchObject({
    trouble: "nothing-to-switch",
    hint: expect.stringContaining("(npx cometchat-functions rotate finish --abandon --continue --app shop)"),
  });
});

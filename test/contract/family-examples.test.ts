import { beforeEach, describe, expect, it, vi } from "vitest";
import { allFamilies, createChatClient } from "../../lib/chat/client.ts";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import type { TryReport } from "../../lib/chat/transport.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { clientMethods } from "./client-operations.ts";
import { readFamilyExamples, runExample } from "./documented-examples.ts";
import { onePlatform } from "./one-platform.ts";
import { localWorld } from "./perform.ts";
import { blocked, groupMessage, message, placedCall, type Sample, type World } from "./prepare.ts";
import { newTemplate, notified } from "./prepare-campaigns.ts";

const [app] = defaultSeed.apps;
const examples = readFamilyExamples();
/** The names in examples besides the client. */
const constants = {
  basicAuthPassword: "0123456789",
  secret: "0123456789",
  keyId: "key",
  p8Key: "p8",
  serviceAccountCreds: { private_key: "k" },
  deviceToken: "0123456789",
  sendGridApiKey: "0123456789",
  twilioAuthToken: "0123456789",
};

/** The data for the example of a family. Default: a message. */
const preparations: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  analytics: notified,
  blockedMessages: blocked,
  calls: placedCall,
  campaignNotifications: newTemplate,
  campaigns: newTemplate,
  groupConversations: groupMessage,
  notificationFeed: notified,
  pushNotifications: notified,
};

const platform = onePlatform({ switches: { messageRetentionDays: 0 } });
beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});

describe("the families' examples", () => {
  it("exist for every family of both clients", () => {
    const families = new Set(clientMethods().map(({ family }) => family)).add("extensionSettings");

    expect(new Set(examples.map(({ name }) => name))).toEqual(families);
    expect(families.size).toBe(Object.keys(allFamilies).length + 7);
  });

  it.each(examples)("of $name shows the real result", async ({ name, isOfAccount, code }) => {
    const { path } = await (preparations[name] ?? message)(localWorld(platform()));
    const { onTry, refused, called } = listen();
    const scope = isOfAccount
      ? { management: createManagementClient({ ...account(), onTry }), appId: app.appId }
      : { chat: createChatClient({ ...connection(), onTry }), ...constants, ...path };

    await runExample(code, scope);

    expect(refused).toEqual([]);
    expect(called.filter((id) => familyOf(id) === name)).not.toEqual([]);
  });
});

function connection() {
  const baseUrlTemplate = `${platform().url}/{appId}.{service}-{region}/v3`;
  return { appId: app.appId, apiKey: app.fullAccessKey, baseUrlTemplate };
}

function account() {
  const { key: username, secret: password } = defaultSeed.management;
  const basicAuth = { username, password };
  return { credentials: defaultSeed.management, baseUrl: platform().managementUrl, basicAuth };
}

function listen() {
  const called: string[] = [];
  const refused: TryReport[] = [];
  const onTry = (report: TryReport) => {
    called.push(report.operation);
    if (report.status === undefined || report.status > 299) refused.push(report);
  };
  return { called, refused, onTry };
}

function familyOf(id: string) {
  return clientMethods().find(({ operation }) => operation.id === id)?.family ?? "extensionSettings";
}

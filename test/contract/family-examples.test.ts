import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { allFamilies, createChatClient } from "../../lib/chat/client.ts";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import type { TryReport } from "../../lib/chat/transport.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { clientMethods } from "./client-operations.ts";
import * as examples from "./family-examples/examples.ts";
import { examplesModule, readExamples } from "./family-examples/read-examples.ts";
import { onePlatform } from "./one-platform.ts";
import { localWorld } from "./perform.ts";
import { blocked, groupMessage, message, placedCall, type World } from "./prepare.ts";
import { newTemplate, notified } from "./prepare-campaigns.ts";

const [app] = defaultSeed.apps;
const ofAccount = new Set(readExamples().flatMap(({ family, isOfAccount }) => (isOfAccount ? family : [])));
type Given = (world: World) => Promise<readonly unknown[]>;

const nothing: Given = async () => [];
const aMessage: Given = async (world) => [(await message(world)).path?.id];
const aTemplate: Given = async (world) => [(await newTemplate(world)).path?.id];
const aSecret: Given = async () => ["0123456789"];
const after =
  (prepare: (world: World) => Promise<unknown>): Given =>
  async (world) => {
    await prepare(world);
    return [];
  };

/** What has to be there, and what the examples are given after the client, where that is anything. */
const givenTo: Readonly<Record<string, Given>> = {
  analytics: after(notified),
  byoAgents: aSecret,
  apnsProviders: async () => ["key", "p8"],
  blockedMessages: after(blocked),
  calls: after(placedCall),
  campaignNotifications: aTemplate,
  campaigns: aTemplate,
  conversations: after(message),
  customEmail: aSecret,
  customPush: aSecret,
  customSms: aSecret,
  fcmProviders: async () => [{ private_key: "k" }],
  flaggedMessages: aMessage,
  groupConversations: after(groupMessage),
  notificationFeed: after(notified),
  notificationLogs: after(message),
  pushNotifications: after(notified),
  pushTokens: aSecret,
  reactions: aMessage,
  sendGrid: aSecret,
  threads: aMessage,
  twilio: aSecret,
  userConversations: after(message),
};

const platform = onePlatform({ switches: { messageRetentionDays: 0 } });
beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});

describe("the families' examples", () => {
  it("are there for every family of both clients", () => {
    const families = new Set(clientMethods().map(({ family }) => family)).add("extensionSettings");

    expect(new Set(Object.keys(examples))).toEqual(families);
    expect(families.size).toBe(Object.keys(allFamilies).length + 7);
  });

  it("are run as the docstrings have them; else run npx node test/contract/family-examples/write-examples.ts", () => {
    expect(readFileSync(new URL("family-examples/examples.ts", import.meta.url), "utf8")).toBe(
      examplesModule(),
    );
  });

  it.each(Object.entries(examples))("of %s does what it shows", async (family, example) => {
    const given = await (givenTo[family] ?? nothing)(localWorld(platform()));
    const { onTry, refused, called } = listen();
    const args = ofAccount.has(family)
      ? [createManagementClient({ ...account(), onTry }), app.appId]
      : [createChatClient({ ...connection(), onTry }), ...given];

    await Reflect.apply(example, undefined, args);

    expect(refused).toEqual([]);
    expect(called.filter((id) => familyOf(id) === family)).not.toEqual([]);
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

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { allFamilies, createChatClient } from "../../lib/chat/client.ts";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import type { TryReport } from "../../lib/chat/transport.ts";
import { createPlatform, type Platform } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { clientMethods } from "./client-operations.ts";
import * as campaigns from "./family-examples/campaigns.ts";
import * as groups from "./family-examples/groups.ts";
import * as management from "./family-examples/management.ts";
import * as messages from "./family-examples/messages.ts";
import * as moderation from "./family-examples/moderation.ts";
import * as notifications from "./family-examples/notifications.ts";
import * as people from "./family-examples/people.ts";
import { readDocstrings, readExamples } from "./family-examples/read-examples.ts";
import { localWorld } from "./perform.ts";
import { blocked, groupMessage, message, placedCall, type World } from "./prepare.ts";
import { newTemplate, notified } from "./prepare-campaigns.ts";

const [app] = defaultSeed.apps;
const ofApp = { ...campaigns, ...groups, ...messages, ...moderation, ...notifications, ...people };
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

let platform: Platform;

beforeAll(async () => {
  platform = await createPlatform();
});
beforeEach(async () => {
  await platform.reset();
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});
afterAll(() => platform.close());

describe("the families' examples", () => {
  it("are there for every family of both clients", () => {
    const families = new Set(clientMethods().map(({ family }) => family)).add("extensionSettings");

    expect(new Set(readExamples().keys())).toEqual(families);
    expect(families.size).toBe(Object.keys(allFamilies).length + 7);
  });

  it("stand in the docstrings as they are run; else run npx node test/contract/family-examples/write-docstrings.ts", () => {
    const docstrings = readDocstrings();

    expect(docstrings.filter(({ is, wanted }) => is !== wanted).map(({ family }) => family)).toEqual([]);
    expect(docstrings.map(({ family }) => family).toSorted()).toEqual([...readExamples().keys()].toSorted());
  });

  it.each(Object.entries(ofApp))("of %s does what it shows", async (family, example) => {
    const given = await (givenTo[family] ?? nothing)(localWorld(platform));
    const { onTry, refused, called } = listen();
    const chat = createChatClient({
      appId: app.appId,
      apiKey: app.fullAccessKey,
      baseUrlTemplate: `${platform.url}/{appId}.{service}-{region}/v3`,
      onTry,
    });

    await Reflect.apply(example, undefined, [chat, ...given]);

    expect(refused).toEqual([]);
    expect(called.filter((id) => familyOf(id) === family)).not.toEqual([]);
  });

  it.each(Object.entries(management))("of %s does what it shows", async (family, example) => {
    const { onTry, refused, called } = listen();
    const client = createManagementClient({
      credentials: defaultSeed.management,
      baseUrl: platform.managementUrl,
      basicAuth: { username: defaultSeed.management.key, password: defaultSeed.management.secret },
      onTry,
    });

    await Reflect.apply(example, undefined, [client, app.appId]);

    expect(refused).toEqual([]);
    expect(called.filter((id) => familyOf(id) === family)).not.toEqual([]);
  });
});

function listen() {
  const called: string[] = [];
  const refused: TryReport[] = [];
  const onTry = (report: TryReport) => {
    called.push(report.operation);
    if (report.status === undefined || report.status > 299) refused.push(report);
  };
  return { called, refused, onTry };
}

function familyOf(id: string): string {
  return clientMethods().find(({ operation }) => operation.id === id)?.family ?? "extensionSettings";
}

import { describe, expect, it } from "vitest";
import { putNotificationLog } from "../../../local/platform/notifications/provider.ts";
import { app, chat, codeOf, dataOf, type Json, startAt, startPlatform } from "../helpers.ts";

describe("a provider's change", () => {
  it.each(["merge", "replace"] as const)(
    "treats omitted fields as the switch configures: %s",
    async (providerChanges) => {
      await startPlatform({ switches: { providerChanges } });
      const path = "/notifications/push/v1/providers/apns";
      await chat(`POST ${path}`, { providerId: "a", keyId: "K", productionMode: true });
      await chat(`PUT ${path}`, { providerId: "a", productionMode: false });

      const kept = providerChanges === "merge" ? { keyId: "K" } : {};
      expect((await dataOf(`GET ${path}`)).pushProviders).toEqual([
        { ...kept, providerId: "a", productionMode: false, isDefault: true },
      ]);
    },
  );
});

describe("preferences of a user", () => {
  it("are changed and reset by the names of requests and shown by those of answers", async () => {
    const path = "/notifications/v1/preferences?uid=alice";

    const changed = await dataOf(`PATCH ${path}`, {
      groupPreferences: { groupMessages: 3, groupMemberLeft: 2 },
      oneOnOnePreferences: { oneOnOneReplies: 1 },
      mutePreferences: { dnd: 2, schedule: { monday: { from: 900, to: 1_700, dnd: true } } },
      usePrivacyTemplate: true,
    });
    expect(
      (await dataOf("GET /notifications/v1/preferences?uid=bob")).preferences.group.messagesSetting,
    ).toBe(2);
    expect((await dataOf(`DELETE ${path}`)).groupPreferences.groupMessages).toBe(2);

    const { preferences, templates } = changed;
    expect(preferences.group).toMatchObject({ messagesSetting: 3, memberLeftSetting: 2, repliesSetting: 2 });
    expect(preferences.oneOnOne.repliesSetting).toBe(1);
    expect(preferences.mute.schedulePreferenceSetting.monday).toEqual({ from: 900, to: 1_700, dnd: true });
    expect([preferences.mute.dndPreferenceSetting, templates.usePrivacyTemplate]).toEqual([2, 2]);
  });

  it("keep muted conversations until their time", async () => {
    const clock = await startAt(1_000);
    const path = "/notifications/v1/preferences/mute?uid=alice";
    const bob = { id: "bob", type: "oneOnOne" };

    await chat(`PUT ${path}`, {
      conversations: [
        { ...bob, until: 5_000 },
        { id: "lobby", type: "group", until: 2_000 },
      ],
    });
    expect((await dataOf(`GET ${path}`)).mutedConversations).toHaveLength(2);
    await clock.advance(1_500);
    expect((await dataOf(`GET ${path}`)).mutedConversations).toEqual([{ ...bob, until: 5_000 }]);
    await chat(`DELETE ${path}`, { conversations: [bob] });
    expect((await dataOf(`GET ${path}`)).mutedConversations).toEqual([]);
  });
});

describe("push tokens", () => {
  it("end with their auth token, which may not be a deactivated user's", async () => {
    const path = "/notifications/push/v1/tokens";
    const [first, second, third] = [await tokenOf("alice"), await tokenOf("alice"), await tokenOf("bob")];
    for (const authToken of [first, second, third]) {
      await chat(`POST ${path}`, { authToken, providerId: "p", platform: "fcm_ios", fcmToken: authToken });
    }
    const devices = async (token: string) =>
      (await dataOf(`GET ${path}?all=true&authToken=${token}`))?.pushTokens?.map(
        (one: Json) => one.pushToken,
      );

    await chat(`DELETE /users/alice/auth_tokens/${first}`);
    expect(await devices(second)).toEqual([second]);
    await chat("DELETE /users/alice/auth_tokens");
    expect(await devices(await tokenOf("alice"))).toEqual([]);
    await chat("DELETE /users/bob");
    for (const line of [`GET ${path}?authToken=${third}`, `POST ${path}`, `DELETE ${path}`]) {
      expect(await codeOf(line, line.startsWith("GET") ? undefined : { authToken: third })).toBe(
        "ERR_AUTH_TOKEN_NOT_FOUND",
      );
    }
    await chat("PUT /users", { uidsToActivate: ["bob"] });
    expect(await devices(third)).toEqual([third]);
  });

  it("are registered per auth token and type, listed and removed", async () => {
    await startAt(1_700_000_000_000);
    const first = await tokenOf("alice");
    const second = await tokenOf("alice");
    const path = "/notifications/push/v1/tokens";
    const register = (authToken: string, fields: Json) =>
      chat(`POST ${path}`, { authToken, providerId: "p", ...fields });

    await register(first, { platform: "fcm_android", fcmToken: "f0" });
    await register(first, { platform: "fcm_android", fcmToken: "f1", timezone: "Europe/Paris" });
    await register(first, { platform: "apns_ios_voip", voipToken: "v1" });
    await register(second, { platform: "apns_ios_device", deviceToken: "d1" });
    const own = await dataOf(`GET ${path}?authToken=${first}`);
    const all = await chat(`GET ${path}?authToken=${first}&all=true`);
    const left = await chat(`DELETE ${path}/d1`, { authToken: first });
    const none = await chat(`DELETE ${path}?all=true`, { authToken: second });

    expect(own.pushTokens.map((token: Json) => token.pushToken)).toEqual(["f1", "v1"]);
    expect(own.pushTokens[0]).toMatchObject({
      uid: "alice",
      pushTokenType: "chat",
      createdAt: "2023-11-14T22:13:20.000Z",
    });
    expect([all, left, none].map(({ body }) => body.data.pushTokens.length)).toEqual([3, 2, 0]);
    expect((await dataOf("GET /notifications/v1/preferences/timezone?uid=alice")).timezone).toBe(
      "Europe/Paris",
    );
  });
});

describe("notification logs", () => {
  it("are filtered and paged, newest first", async () => {
    const platform = await startPlatform();
    for (let messageId = 1; messageId <= 25; messageId += 1) {
      putNotificationLog(
        { db: platform.services.db, appId: app.appId },
        {
          messageId,
          channel: messageId % 2 === 0 ? "push" : "email",
          notificationTriggered: true,
          messageSentAtMS: messageId * 1_000,
        },
      );
    }

    const first = await chat("GET /notifications/v1/logs");
    const last = first.data.at(-1)._id;
    expect(await dataOf(`GET /notifications/v1/logs?affix=append&logId=${last}`)).toHaveLength(5);
    const some = await dataOf("GET /notifications/v1/logs?channel=push&from=20000&to=22000");
    expect(await dataOf("GET /notifications/v1/logs?notificationTriggered=false")).toEqual([]);

    expect(first.data.map((entry: Json) => entry.messageId).slice(0, 2)).toEqual([25, 24]);
    expect(first.body.meta).toEqual({
      previous: { affix: "prepend", messageId: 25 },
      current: { limit: 20, count: 20 },
      next: { affix: "append", messageId: 6 },
    });
    expect(some.map((entry: Json) => entry.messageId)).toEqual([22, 20]);
  });
});

async function tokenOf(uid: string): Promise<string> {
  return (await dataOf(`POST /users/${uid}/auth_tokens`, { force: true })).authToken;
}

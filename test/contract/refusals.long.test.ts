import { describe, expect, it } from "vitest";
import { documentedInputs } from "../../local/platform/catalogue/inputs.ts";
import { errorTable } from "../../local/platform/errors/error-table.ts";
import { isNight } from "../helpers/by-day.ts";
import { everyRequest, type RawAnswer, sendRaw } from "./every-request.ts";
import { onePlatform } from "./one-platform.ts";
import { unknownTargets, type WrongRequest, wrongInputs } from "./wrong-inputs.ts";

// Import entities take more than a minute to test, and the example's message is old.
const platform = onePlatform({ switches: { importRateLimit: 1_000, messageRetentionDays: 0 } });

/** Every fifth operation by day. */
const requests = everyRequest().filter((_, index) => isNight || index % 5 === 0);
const inputs = new Map(documentedInputs().map((input) => [`${input.api} ${input.id}`, input]));

/** Inputs accepted although a page seems to forbid them, and why. */
const taken: Record<string, string> = {
  "list-all-messages: query mentionedUids is no boolean": "It names uids: the page's type is a slip.",
  "user-list-user-messages: query mentionedUids is no boolean": "It names uids: the page's type is a slip.",
  "user-list-group-messages: query mentionedUids is no boolean": "It names uids: the page's type is a slip.",
  "review-blocked-message: without reviewed": "It is another operation then, of the same method and path.",
  "create-rule-keyword: form without searchTerms": "The terms come from the file.",
};

describe("an operation of the platform", () => {
  it.each(requests)("%s accepts valid input and refuses all other", async (id, operation, make) => {
    const right = await make(platform());
    const wrong = [
      ...wrongInputs(right, inputs.get(`${operation.api} ${id}`) ?? {}),
      ...unknownTargets(right, operation),
    ];

    const accepted: string[] = [];
    for (const one of wrong) {
      const answer = await sendRaw(one.request);
      if (!isRefusal(answer, one)) accepted.push(`${id}: ${one.wrong}`);
    }
    // An accepted request changes the data, and the operation may have nothing left to do.
    if (accepted.length > 0) platform().reset();
    const last = await sendRaw(accepted.length > 0 ? await make(platform()) : right);

    expect(accepted).toEqual(Object.keys(taken).filter((name) => name.startsWith(`${id}: `)));
    expect(last.status).toBe(operation.status ?? 200);
  });
});

/** Operations without required fields: they act on the path's resource, or create with defaults. */
const takesNothing = [
  "delete-user",
  "create-authtoken",
  "delete-message",
  "reset-user-conversation",
  "reset-group-conversation",
  "mark-conversation-as-delivered",
  "mark-conversation-as-read",
  "mark-conversation-as-unread",
  "mark-group-conversation-as-delivered",
  "mark-group-conversation-as-read",
  "mark-group-conversation-as-unread",
  "NotificationFeedController_reportEngagement",
  "PushNotificationsController_reportEngagement",
  "fetch-multi-tenant-usage",
  "update-settings-stickers",
];

describe("an operation with a body", () => {
  const withBody = requests.filter(
    ([id, { api }]) => inputs.get(`${api} ${id}`)?.body !== undefined && !takesNothing.includes(id),
  );

  it.each(withBody)(
    "%s refuses an empty and an unknown body, without an event",
    async (_id, _operation, make) => {
      const right = await make(platform());
      const headers = new Headers([...right.headers].filter(([name]) => name !== "content-type"));
      headers.set("content-type", "application/json");
      const told: string[] = [];
      const stop = platform().subscribe((record) => {
        if (record.type === "event") told.push(record.trigger);
      });

      const empty = await sendRaw({ ...right, headers, body: {} });
      const unknown = await sendRaw({ ...right, headers, body: { "no such field": true } });

      stop();
      expect([empty, unknown].map(({ status }) => status >= 400 && status < 500)).toEqual([true, true]);
      expect(told).toEqual([]);
    },
  );

  it.each([
    ["add-group-members", { participants: [], moderators: ["zoe"] }],
    ["add-group-members", { admins: [], moderators: [], participants: [], usersToBan: [] }],
    ["update-message", { data: {} }],
    ["reactivate-users", { uidsToActivate: [] }],
    ["deactivate-users", { uidsToDeactivate: [] }],
    ["add-friend", { accepted: [] }],
    ["remove-friend", { friends: [] }],
    ["block-users", { blockedUids: [] }],
    ["restrict-features", { featuresToRestrict: [] }],
    ["add-triggers", { triggerIds: [] }],
    ["remove-triggers", { triggerIds: [] }],
    ["enable-extension", { enabled: [], disabled: [] }],
    ["add-collaborator", { admins: [] }],
  ])("%s refuses %j, which changes nothing", async (id, body) => {
    const [, , make] = everyRequest().find(([known]) => known === id) ?? [];
    const right = await make?.(platform());

    const answer = right === undefined ? undefined : await sendRaw({ ...right, body });

    expect([answer?.status, answer?.json?.error?.code]).toEqual([400, "ERR_BAD_REQUEST"]);
  });
});

/** A known code in the platform's envelope, or in the entry of a bulk request's only item. */
function isRefusal({ status, json = {} }: RawAnswer, { isUnknown, wrong }: WrongRequest) {
  const [entry] = wrong.includes("*.") ? Object.values<RawAnswer["json"]>(json.data ?? {}) : [];
  const { error } = entry ?? json;
  if (!Object.hasOwn(errorTable, error?.code ?? "")) return false;
  if (entry !== undefined) return entry.success === false;
  return isUnknown && !withoutCode.test(wrong) ? status === 404 : status >= 400 && status < 500;
}

// No page has a code for a missing one of these: ERR_BAD_REQUEST (assumed).
const withoutCode = /^unknown (permission|providerId|pushToken)$/;

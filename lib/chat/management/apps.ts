import * as z from "zod/mini";
import { recordOf } from "../../base/record-of.ts";
import {
  acknowledgement,
  itemResults,
  maybe,
  maybeFlag,
  maybeNumber,
  maybeObject,
  maybeText,
  one,
  record,
} from "../answers.ts";
import type { Family } from "../operation.ts";
import {
  atLeastOne,
  list,
  looseObject,
  opt,
  optional,
  pageFields,
  strictObject,
  word,
  words,
  yesNo,
} from "../schema.ts";

/** An app of the account. Times are unix seconds. */
const appAnswer = () =>
  one(
    looseObject({
      id: word,
      ...recordOf(["name", "plan", "state", "region"], maybeText),
      createdAt: maybeNumber,
      trialEndsAt: maybeNumber,
      /** API keys by their value, each `{apiKey, name, scope, createdBy}`. Secrets. */
      apiKeys: maybeObject,
    }),
  );

/**
 * Apps of the account. See docs/internals/platform/management.md#apps.
 * @example
 * const { id } = await management.apps.create({ name: "Shop", region: "eu" });
 * for await (const app of management.apps.list()) console.log(app.id, app.name);
 */
export const apps = {
  /**
   * Creates an app; the answer holds its first two API keys. Look for the name in the list before you repeat
   * it.
   */
  create: {
    id: "create-app",
    request: "POST /apps",
    input: () =>
      strictObject({
        name: words(100),
        region: z.enum(["us", "eu", "in"]),
        version: opt(z.literal("3")),
        skipSampleData: opt(yesNo),
      }),
    answer: appAnswer,
  },
  /** Lists apps with their API keys. */
  list: {
    id: "list-apps",
    request: "GET /apps",
    input: () =>
      strictObject({
        ...pageFields(),
        /** An app's id or name. */
        searchKey: opt(word),
      }),
    paged: "page",
    answer: appAnswer,
  },
  /** Schedules the deletion of an app, which cannot be canceled here. */
  delete: {
    id: "delete-app",
    request: "DELETE /apps/{appId}",
    answer: () => looseObject({ success: maybeFlag, scheduledToDeleteAt: maybeNumber }),
  },
  /**
   * Sends the usage of a billing cycle by e-mail; `appId` is the app with the subscription. Repeated, it may
   * be sent twice.
   */
  sendUsage: {
    id: "fetch-multi-tenant-usage",
    request: "POST /apps/{appId}/usage",
    input: () => strictObject({ usePreviousBillingCycle: opt(yesNo) }),
    answer: () => looseObject({ success: maybeFlag, message: maybeText }),
  },
} as const satisfies Family;

/**
 * Customer accounts. See docs/internals/platform/management.md#tenants.
 * @example
 * await management.tenants.create({
 *   name: "Zoë",
 *   email: "zoe@example.com",
 *   password: "a1b2c3d4e5",
 *   appName: "Shop",
 *   appRegion: "eu",
 * });
 */
export const tenants = {
  /** Creates a customer account with its first app; needs the client's `basicAuth`. */
  create: {
    id: "add-tenant",
    request: "POST /tenants",
    basicAuth: true,
    input: () =>
      strictObject({
        name: words(1_000),
        email: words(320),
        password: words(1_000),
        appName: words(1_000),
        appRegion: z.enum(["us", "eu", "in"]),
        ...optional({ contactNumber: word, role: word, industry: word, technology: word }),
      }),
    answer: () =>
      looseObject({
        name: maybeText,
        email: maybeText,
        createdAt: maybeNumber,
        /** `{name, appId, region, authKey, apiKey, …}`. Holds secrets. */
        app: maybe(
          looseObject({
            ...recordOf(["appId", "region", "authKey", "apiKey"], maybeText),
          }),
        ),
      }),
  },
} as const satisfies Family;

/**
 * People with access to an app's dashboard. See docs/internals/platform/management.md#team.
 * @example
 * await management.team.change(appId, { admins: ["zoe@example.com"] });
 * for await (const { email, role } of management.team.list(appId)) console.log(email, role);
 */
export const team = {
  /** Lists them. One page. */
  list: {
    id: "list-collaborators",
    request: "GET /apps/{appId}/collaborators",
    paged: "once",
    answer: () =>
      looseObject({
        id: maybeText,
        name: maybeText,
        email: maybeText,
        role: maybeText,
        createdAt: maybeNumber,
      }),
  },
  /** Adds and removes people by e-mail; check each one's `success`. Harmless if repeated. */
  change: {
    id: "add-collaborator",
    request: "POST /apps/{appId}/collaborators",
    input: () =>
      atLeastOne(
        strictObject(
          optional({
            admins: list,
            moderators: list,
            collaboratorsToRemove: list,
          }),
        ),
      ),
    answer: () =>
      looseObject({
        admins: maybe(itemResults),
        moderators: maybe(itemResults),
        collaboratorsToRemove: maybe(itemResults),
      }),
  },
} as const satisfies Family;

/**
 * Settings of an app by dotted keys, such as `core.conversations.updateOnReplies`.
 * @see docs/internals/platform/management.md#settings
 * @example
 * await management.appSettings.set(appId, { settings: { "core.conversations.updateOnReplies": false } });
 * const settings = await management.appSettings.get(appId);
 */
export const appSettings = {
  /** Reads all settings. */
  get: { id: "list-settings", request: "GET /apps/{appId}/settings", answer: record },
  /** Sets the given keys; check each key's `success`. Harmless if repeated. */
  set: {
    id: "map-settings",
    request: "POST /apps/{appId}/settings",
    input: () =>
      strictObject({
        settings: z.record(z.string(), z.union([z.boolean(), z.array(z.string())])),
      }),
    answer: itemResults,
  },
  /** Unsets settings; which ones is not documented. */
  unset: { id: "unmap-settings", request: "DELETE /apps/{appId}/settings", answer: acknowledgement },
} as const satisfies Family;

import * as z from "zod/mini";
import { flag, maybe, number, object, one, text } from "../answers.ts";
import { opt, pageFields, word, words, yesNo } from "../fields.ts";
import type { Family, Schema } from "../operation.ts";

const fields = () =>
  z.looseObject({
    id: z.string(),
    name: text(),
    plan: text(),
    state: text(),
    region: text(),
    createdAt: number(),
    trialEndsAt: number(),
    /** API keys by their value, each `{apiKey, name, scope, createdBy}`. Secrets. */
    apiKeys: object(),
  });

/** An app of the account. Times are unix seconds. */
export interface App extends z.infer<ReturnType<typeof fields>> {}

const appAnswer = (): Schema<App, unknown> => one(fields());

/** Apps of the account. Platform facts: secondary-apis §2. */
export const apps = {
  /** Creates an app; the answer holds its first two API keys. Not repeated after an unclear failure; look for the name in the list first. */
  create: {
    id: "create-app",
    request: "POST /apps",
    input: () =>
      z.strictObject({
        name: words(1_000),
        region: z.enum(["us", "eu", "in"]),
        version: opt(z.literal("3")),
        skipSampleData: opt(yesNo()),
      }),
    answer: appAnswer,
  },
  /** Lists apps with their API keys. `searchKey` matches id or name. May be repeated. */
  list: {
    id: "list-apps",
    request: "GET /apps",
    input: () => z.strictObject({ ...pageFields(), searchKey: opt(word()) }),
    paged: "page",
    answer: appAnswer,
  },
  /** Schedules the deletion of an app, which cannot be called off here. May be repeated. */
  delete: {
    id: "delete-app",
    request: "DELETE /apps/{appId}",
    answer: () => z.looseObject({ success: flag(), scheduledToDeleteAt: number() }),
  },
  /** Has the usage of a billing cycle sent by e-mail; `appId` is the app with the subscription. Not repeated after an unclear failure: the e-mail may come twice. */
  sendUsage: {
    id: "fetch-multi-tenant-usage",
    request: "POST /apps/{appId}/usage",
    input: () => z.strictObject({ usePreviousBillingCycle: opt(yesNo()) }),
    answer: () => z.looseObject({ success: flag(), message: text() }),
  },
} as const satisfies Family;

/** Customer accounts. Platform facts: secondary-apis §2. */
export const tenants = {
  /** Creates a customer account with its first app; needs the client's `basicAuth`. Not repeated after an unclear failure. */
  create: {
    id: "add-tenant",
    request: "POST /tenants",
    basicAuth: true,
    input: () =>
      z.strictObject({
        name: words(1_000),
        email: words(320),
        password: words(1_000),
        appName: words(1_000),
        appRegion: z.enum(["us", "eu", "in"]),
        contactNumber: opt(word()),
        role: opt(word()),
        industry: opt(word()),
        technology: opt(word()),
      }),
    answer: () =>
      z.looseObject({
        name: text(),
        email: text(),
        createdAt: number(),
        /** `{name, appId, region, authKey, apiKey, …}`. Holds secrets. */
        app: maybe(z.looseObject({ appId: text(), region: text(), authKey: text(), apiKey: text() })),
      }),
  },
} as const satisfies Family;

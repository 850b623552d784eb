import * as z from "zod/mini";
import { apartSeedShape } from "./apart.ts";
import { defaultSeed } from "./default-seed.ts";
import { isWebAddress } from "./http/fields.ts";
import { type JsonObject, objectsOf } from "./json.ts";
import { filled, flag, id, readWith, text } from "./read-with.ts";
import type { Seed } from "./seed.ts";
import { groupChatSettings } from "./store/bots.ts";
import { memberScopes } from "./store/groups.ts";
import { currentTriggers, legacyTriggers } from "./webhooks/trigger-table.ts";

export type KnownToSeed = {
  readonly uids: readonly string[];
  /** Whether the seed is added to an app that may have tools. */
  readonly isAddition: boolean;
};

/** Validates a seed, as an object or parsed YAML. @throws SeedError with every mistake and its place */
export function checkSeed(value: unknown, known: KnownToSeed = { uids: [], isAddition: false }): Seed {
  const seed = readWith(seedSchema, value, "", SeedError);
  const { apps } = seed;
  const problems = [
    ...findTwins(
      "apps",
      apps.map(({ appId }) => appId),
    ),
    ...apps.flatMap((app, index) => [...findTwinsIn(app, index), ...findProblems(app, index, known)]),
  ];
  if (problems.length > 0) throw new SeedError(problems.join("\n"));
  return seed;
}

/** The message has one line per mistake. */
export class SeedError extends Error {
  constructor(problems: string) {
    super(`The seed is wrong:\n${problems}`);
    this.name = "SeedError";
  }
}

// The second of two equal ids would be lost silently.
function findTwins(place: string, ids: readonly string[]) {
  const first = new Map<string, number>();
  return ids.flatMap((id, index) => {
    const before = first.get(id);
    if (before === undefined) first.set(id, index);
    return before === undefined ? [] : [`${place}[${index}]: ${id} is taken by ${place}[${before}].`];
  });
}

function findTwinsIn(app: AppInput, index: number) {
  const lists: JsonObject = app;
  const at = `apps[${index}]`;
  // Each engine has its own webhooks.
  const webhooks = (app.webhooks ?? []).map(({ id, generation = 2 }) =>
    generation === 2 ? id : `${id} of engine ${generation}`,
  );
  return [
    ...Object.entries(keys).flatMap(([list, key]) =>
      findTwins(
        `${at}.${list}`,
        objectsOf(lists[list]).map((item) => String(item[key])),
      ),
    ),
    ...(app.groups ?? []).flatMap(({ banned = [] }, of) => findTwins(`${at}.groups[${of}].banned`, banned)),
    ...findTwins(`${at}.webhooks`, webhooks),
  ];
}

const keys = {
  roles: "role",
  users: "uid",
  groups: "guid",
  bots: "uid",
  agents: "uid",
  apiTools: "slug",
  messages: "id",
};

function findProblems(app: AppInput, index: number, known: KnownToSeed) {
  const { users = [], bots = [], groups = [], webhooks = [] } = app;
  const named = [...users, ...bots].map(({ uid }) => uid);
  const uids = new Set([...known.uids, ...named]);
  const roles = new Set(["default", ...(app.roles ?? []).map(({ role }) => role)]);
  const at = `apps[${index}]`;
  return [
    ...users
      .filter(({ role }) => role !== undefined && !roles.has(role))
      .map(({ uid, role }) => `${at}: user ${uid} has the role ${role}, which is not among the roles.`),
    ...groups.flatMap(({ guid, owner, members, banned = [] }) =>
      [...(owner === undefined ? [] : [owner]), ...Object.keys(members ?? {}), ...banned]
        .filter((uid) => !uids.has(uid))
        .map((uid) => `${at}: group ${guid} names the user ${uid}, who is not among the users.`),
    ),
    ...groups.flatMap(({ guid, owner, members = {}, banned = [] }) =>
      banned
        .filter((uid) => uid === owner || Object.hasOwn(members, uid))
        .map((uid) => `${at}: group ${guid} bans ${uid}, who is its owner or a member.`),
    ),
    ...groups
      .filter(({ type, password }) => (type === "password") !== (password !== undefined))
      .map(({ guid }) => `${at}: group ${guid} needs a password if and only if its type is password.`),
    ...webhooks.flatMap(({ id, generation = 2, triggers }) => {
      const known = generation === 2 ? currentTriggers : legacyTriggers;
      return triggers
        .filter((trigger) => !Object.hasOwn(known, trigger))
        .map(
          (trigger) => `${at}: webhook ${id} names the trigger ${trigger}, which its engine does not have.`,
        );
    }),
    ...findProblemsOfAgents(app, at, named, known.isAddition),
  ];
}

function findProblemsOfAgents(
  { agents = [], apiTools = [] }: AppInput,
  at: string,
  uids: readonly string[],
  isAddition: boolean,
) {
  const slugs = new Set(apiTools.map(({ slug }) => slug));
  return agents.flatMap(({ uid, apiTools: named = [], headers, baseUrl }) => {
    const unknown = isAddition ? [] : named.filter((slug) => !slugs.has(slug));
    return [
      ...(uids.includes(uid) ? [`${at}: agent ${uid} has the uid of a user or a bot.`] : []),
      ...(headers !== undefined && baseUrl === undefined
        ? [`${at}: agent ${uid} has headers, which need a baseUrl.`]
        : []),
      ...unknown.map(
        (slug) => `${at}: agent ${uid} names the tool ${slug}, which is not among the apiTools.`,
      ),
    ];
  });
}

const name = filled.check(z.maxLength(100));
const apiKey = z.string().check(z.regex(/^[0-9a-f]{40}$/, "must be 40 hex characters"));
const address = z.string().check(z.refine(isWebAddress, "must be an http address"));
const json = z.record(z.string(), z.unknown());
const second = z.int().check(z.minimum(0));
const optionalSecond = z.exactOptional(second);
const credentials = { username: text, password: text };
const listOf = <T extends z.core.$ZodShape>(shape: T) => z.exactOptional(z.array(z.strictObject(shape)));
const oneOf = <const T extends readonly string[]>(words: T) => z.exactOptional(z.enum(words));
const [defaultApp] = defaultSeed.apps;

const appSchema = z.strictObject({
  appId: z
    .string()
    .check(z.regex(/^[a-z0-9_-]{1,50}$/i, "must hold letters, digits, dashes and underscores")),
  region: z.enum(["us", "eu", "in"]),
  name,
  engine: oneOf(["legacy", "current"]),
  fullAccessKey: z._default(apiKey, defaultApp.fullAccessKey),
  authOnlyKey: z._default(apiKey, defaultApp.authOnlyKey),
  roles: listOf({ role: id, name }),
  users: listOf({
    uid: id,
    name,
    avatar: text,
    role: z.exactOptional(id),
    status: z.exactOptional(z.enum(["online", "offline"])),
    tags: z.exactOptional(z.array(z.string())),
    metadata: z.exactOptional(json),
  }),
  groups: listOf({
    guid: id,
    name,
    type: oneOf(["public", "private", "password"]),
    password: z.exactOptional(filled),
    owner: z.exactOptional(id),
    members: z.exactOptional(z.record(id, z.enum(memberScopes))),
    banned: z.exactOptional(z.array(id)),
  }),
  webhooks: listOf({
    id: filled.check(z.maxLength(50)),
    name: z.exactOptional(name),
    url: address,
    ...credentials,
    retryOnFailure: flag,
    generation: z.exactOptional(z.union([z.literal(1), z.literal(2)])),
    triggers: z.array(z.string()),
  }),
  bots: listOf({
    uid: id,
    name,
    webhookURL: z.exactOptional(address.check(z.maxLength(255))),
    groupChatSetting: oneOf(groupChatSettings),
    enabled: flag,
    useBasicAuth: flag,
    ...credentials,
  }),
  agents: listOf(apartSeedShape.agents),
  apiTools: listOf(apartSeedShape.apiTools),
  messages: listOf({
    id: z.string().check(z.regex(/^[0-9]{1,15}$/, "must be a whole number as a text")),
    muid: text,
    conversationId: filled,
    sender: id,
    receiver: id,
    category: filled,
    type: filled,
    receiverType: z.enum(["user", "group"]),
    parentId: text,
    data: json,
    sentAt: second,
    updatedAt: second,
    editedAt: optionalSecond,
    deletedAt: optionalSecond,
    pinnedAt: optionalSecond,
    editedBy: text,
    deletedBy: text,
    pinnedBy: text,
    tags: z.exactOptional(z.array(z.string())),
    replyCount: z.exactOptional(z.int()),
    lastReply: z.exactOptional(json),
    quotedMessage: z.exactOptional(json),
  }),
});

type AppInput = z.infer<typeof appSchema>;

const seedSchema = z.strictObject({
  management: z._default(z.strictObject({ key: filled, secret: filled }), defaultSeed.management),
  apps: z.array(appSchema).check(z.minLength(1, "needs at least one app")),
});

import { parse, YAMLParseError } from "yaml";
import * as z from "zod";
import { defaultSeed } from "./default-seed.ts";
import type { Seed } from "./seed.ts";
import { memberScopes } from "./store/groups.ts";
import { currentTriggers, legacyTriggers } from "./webhooks/trigger-table.ts";

/**
 * Reads a seed from YAML. `management` and the keys of an app may be left out: they are then those of the default
 * seed, which are public. @throws SeedError telling every mistake with its place
 * @example
 * const seed = seedFromYaml("apps: [{ appId: shop, region: eu, name: Shop, users: [{ uid: ann, name: Ann }] }]");
 */
export function seedFromYaml(text: string): Seed {
  const result = seedSchema.safeParse(readYaml(text));
  if (!result.success) {
    throw new SeedError(
      result.error.issues.map(({ path, message }) => `${showPath(path)}: ${message}`).join("\n"),
    );
  }
  const problems = result.data.apps.flatMap(findProblems);
  if (problems.length > 0) throw new SeedError(problems.join("\n"));
  return result.data;
}

/** Signals a seed that cannot be used; the message has one line per mistake. */
export class SeedError extends Error {
  constructor(problems: string) {
    super(`The seed is wrong:\n${problems}`);
    this.name = "SeedError";
  }
}

function readYaml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    // Its message names line and column; keys of a seed are no secrets of anybody.
    throw error instanceof YAMLParseError ? new SeedError(error.message) : error;
  }
}

// What no single field can tell: that names refer to something.
function findProblems(app: AppInput, index: number): string[] {
  const uids = new Set([...(app.users ?? []), ...(app.bots ?? [])].map(({ uid }) => uid));
  const roles = new Set(["default", ...(app.roles ?? []).map(({ role }) => role)]);
  const at = `apps[${index}]`;
  return [
    ...(app.users ?? [])
      .filter(({ role }) => role !== undefined && !roles.has(role))
      .map(({ uid, role }) => `${at}: user ${uid} has the role ${role}, which is not among the roles.`),
    ...(app.groups ?? []).flatMap(({ guid, owner, members }) =>
      [...(owner === undefined ? [] : [owner]), ...Object.keys(members ?? {})]
        .filter((uid) => !uids.has(uid))
        .map((uid) => `${at}: group ${guid} names the user ${uid}, who is not among the users.`),
    ),
    ...(app.groups ?? [])
      .filter(({ type, password }) => (type === "password") !== (password !== undefined))
      .map(({ guid }) => `${at}: group ${guid} needs a password if and only if its type is password.`),
    ...(app.webhooks ?? []).flatMap(({ id, generation = 2, triggers }) => {
      const known = generation === 2 ? currentTriggers : legacyTriggers;
      return triggers
        .filter((trigger) => !Object.hasOwn(known, trigger))
        .map(
          (trigger) => `${at}: webhook ${id} names the trigger ${trigger}, which its engine does not have.`,
        );
    }),
  ];
}

function showPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "seed";
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}

const id = z
  .string()
  .regex(/^[a-z0-9_-]{1,100}$/, "must hold lower-case letters, digits, dashes and underscores");
const name = z.string().min(1).max(100);
const apiKey = z.string().regex(/^[0-9a-f]{40}$/, "must be 40 hex characters");
const address = z.string().regex(/^https?:\/\/\S+$/, "must be an http address");
const credentials = { username: z.exactOptional(z.string()), password: z.exactOptional(z.string()) };
const [defaultApp] = defaultSeed.apps;

const appSchema = z.strictObject({
  appId: z.string().regex(/^[a-z0-9_-]{1,50}$/i, "must hold letters, digits, dashes and underscores"),
  region: z.enum(["us", "eu", "in"]),
  name,
  engine: z.exactOptional(z.enum(["legacy", "current"])),
  fullAccessKey: apiKey.default(defaultApp.fullAccessKey),
  authOnlyKey: apiKey.default(defaultApp.authOnlyKey),
  roles: z.exactOptional(z.array(z.strictObject({ role: id, name }))),
  users: z.exactOptional(
    z.array(
      z.strictObject({
        uid: id,
        name,
        avatar: z.exactOptional(z.string()),
        role: z.exactOptional(id),
        tags: z.exactOptional(z.array(z.string())),
        metadata: z.exactOptional(z.record(z.string(), z.unknown())),
      }),
    ),
  ),
  groups: z.exactOptional(
    z.array(
      z.strictObject({
        guid: id,
        name,
        type: z.exactOptional(z.enum(["public", "private", "password"])),
        password: z.exactOptional(z.string().min(1)),
        owner: z.exactOptional(id),
        members: z.exactOptional(z.record(id, z.enum(memberScopes))),
      }),
    ),
  ),
  webhooks: z.exactOptional(
    z.array(
      z.strictObject({
        id: z.string().min(1).max(50),
        name: z.exactOptional(name),
        url: address,
        ...credentials,
        retryOnFailure: z.exactOptional(z.boolean()),
        generation: z.exactOptional(z.union([z.literal(1), z.literal(2)])),
        triggers: z.array(z.string()),
      }),
    ),
  ),
  bots: z.exactOptional(
    z.array(
      z.strictObject({
        uid: id,
        name,
        url: z.exactOptional(address),
        ...credentials,
        groupMessages: z.exactOptional(z.enum(["none", "mentioned", "all"])),
      }),
    ),
  ),
});

type AppInput = z.infer<typeof appSchema>;

const seedSchema = z.strictObject({
  management: z
    .strictObject({ key: z.string().min(1), secret: z.string().min(1) })
    .default(defaultSeed.management),
  apps: z.array(appSchema).min(1, "needs at least one app"),
});

import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod/mini";
import { replacePrivateFile } from "../files/private-files.ts";
import { localAccountId } from "./local-aws.ts";
import { SecretsManagerError } from "./secrets-manager-error.ts";

/** A secret as it is stored, with the values of all its versions. */
export const secretSchema = z.object({
  name: z.string(),
  arn: z.string(),
  description: z.optional(z.string()),
  kmsKeyId: z.optional(z.string()),
  tags: z.array(z.object({ Key: z.string(), Value: z.string() })),
  createdAtMs: z.number(),
  changedAtMs: z.number(),
  deletedAtMs: z.optional(z.number()),
  /** The end of the recovery window. */
  forgottenAtMs: z.optional(z.number()),
  /** What rotates the secret, where something does. */
  rotation: z.optional(z.object({ lambdaArn: z.string(), rules: z.record(z.string(), z.unknown()) })),
  rotatedAtMs: z.optional(z.number()),
  versions: z.array(
    z.object({
      id: z.string(),
      createdAtMs: z.number(),
      stages: z.array(z.string()),
      value: z.object({ text: z.optional(z.string()), base64: z.optional(z.string()) }),
    }),
  ),
});

export type Secret = z.infer<typeof secretSchema>;

export interface SecretStore {
  list(): Secret[];
  /** Finds by name, ARN or ARN without its random end. @throws SecretsManagerError */
  get(secretId: string): Secret;
  has(secretId: string): boolean;
  /** Adds a secret without a version. @throws SecretsManagerError if the name is taken */
  add(secret: { name: string; region: string; createdAtMs: number }): Secret;
  remove(secret: Secret): void;
  /** Has these secrets in the place of all others. */
  putBack(kept: readonly Secret[]): void;
  /** Removes those whose recovery window is over. */
  forgetUntil(nowMs: number): void;
  /** Writes the file, if there is one. Call it after a change. */
  save(): void;
}

/** Opens the secrets of one local account, in memory or in a file that only this user may read. */
export function openSecretStore(file: string | undefined): SecretStore {
  const secrets = file !== undefined && existsSync(file) ? readSecrets(file) : [];
  const find = (secretId: string) =>
    secrets.find(({ name, arn }) => [name, arn, arn.slice(0, -randomSuffixLength)].includes(secretId));
  const remove = (secret: Secret) => {
    const index = secrets.indexOf(secret);
    if (index >= 0) secrets.splice(index, 1);
  };

  const store: SecretStore = {
    list: () => [...secrets],
    putBack(kept) {
      // The functions know secrets by the ARNs of this run.
      const arns = new Map(secrets.map(({ name, arn }) => [name, arn]));
      const known = structuredClone([...kept]).map((one) => ({ ...one, arn: arns.get(one.name) ?? one.arn }));
      secrets.splice(0, secrets.length, ...known);
      store.save();
    },
    has: (secretId) => find(secretId) !== undefined,
    get(secretId) {
      const secret = find(secretId);
      if (secret) return secret;
      throw new SecretsManagerError(
        "ResourceNotFoundException",
        "Secrets Manager can't find the specified secret.",
      );
    },
    add({ name, region, createdAtMs }) {
      const existing = find(name);
      if (existing?.deletedAtMs !== undefined) {
        throw new SecretsManagerError(
          "InvalidRequestException",
          "You can't create this secret because a secret with this name is already scheduled for deletion.",
        );
      }
      if (existing) {
        throw new SecretsManagerError(
          "ResourceExistsException",
          `The operation failed because the secret ${name} already exists.`,
        );
      }
      const secret: Secret = {
        name,
        arn: `arn:aws:secretsmanager:${region}:${localAccountId}:secret:${name}-${randomSuffix()}`,
        tags: [],
        createdAtMs,
        changedAtMs: createdAtMs,
        versions: [],
      };
      secrets.push(secret);
      return secret;
    },
    remove,
    forgetUntil(nowMs) {
      for (const secret of secrets.filter(
        ({ forgottenAtMs = Number.POSITIVE_INFINITY }) => forgottenAtMs <= nowMs,
      )) {
        remove(secret);
      }
    },
    save() {
      if (file === undefined) return;
      mkdirSync(dirname(file), { recursive: true });
      replacePrivateFile(file, JSON.stringify(secrets));
    },
  };
  return store;
}

const randomSuffixLength = 7; // a hyphen and six characters

function randomSuffix(): string {
  return randomBytes(3).toString("hex");
}

function readSecrets(file: string): Secret[] {
  const hint = `The local secrets file ${file} cannot be read. Delete it to start with empty secrets.`;
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw new Error(hint); // without its cause, which quotes the file
  }
  const secrets = z.array(secretSchema).safeParse(content);
  if (!secrets.success) throw new Error(hint);
  return secrets.data;
}

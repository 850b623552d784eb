import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod/mini";
import { DataFault } from "../files/data-fault.ts";
import { replacePrivateFile } from "../files/private-files.ts";
import { AwsError } from "./aws-error.ts";
import { localAccountId } from "./local-aws.ts";

export const secretSchema = z.object({
  name: z.string(),
  arn: z.string(),
  description: z.optional(z.string()),
  tags: z.array(z.object({ Key: z.string(), Value: z.string() })),
  createdAtMs: z.number(),
  changedAtMs: z.number(),
  deletedAtMs: z.optional(z.number()),
  forgottenAtMs: z.optional(z.number()),
  rotation: z.optional(z.object({ lambdaArn: z.string(), rules: z.record(z.string(), z.unknown()) })),
  rotatedAtMs: z.optional(z.number()),
  versions: z.array(
    z.object({
      id: z.string(),
      createdAtMs: z.number(),
      stages: z.array(z.string()),
      value: z.object({ text: z.optional(z.string()) }),
    }),
  ),
});

export type Secret = z.infer<typeof secretSchema>;

export class SecretStore {
  readonly #file: string | undefined;
  #secrets: Secret[];

  constructor(file?: string) {
    this.#file = file;
    this.#secrets = file !== undefined && existsSync(file) ? readSecrets(file) : [];
  }

  list(): readonly Secret[] {
    return this.#secrets;
  }

  /** Replaces all secrets. Existing ones keep their ARNs, which functions know. */
  replace(kept: readonly Secret[]): void {
    this.#secrets = structuredClone([...kept]).map((secret) => ({
      ...secret,
      arn: this.find(secret.name)?.arn ?? secret.arn,
    }));
    this.save();
  }

  /** Finds a secret by name, ARN, or ARN without the random suffix. */
  find(secretId: string): Secret | undefined {
    return this.#secrets.find(({ name, arn }) =>
      [name, arn, arn.slice(0, -randomSuffixLength)].includes(secretId),
    );
  }

  get(secretId: string): Secret {
    const secret = this.find(secretId);
    if (secret) return secret;
    throw new AwsError("ResourceNotFoundException", "Secrets Manager can't find the specified secret.");
  }

  add(given: Pick<Secret, "name" | "description" | "tags" | "createdAtMs">, region: string): Secret {
    const { name } = given;
    const existing = this.find(name);
    if (existing?.deletedAtMs !== undefined) {
      throw new AwsError(
        "InvalidRequestException",
        "You can't create this secret because a secret with this name is already scheduled for deletion.",
      );
    }
    if (existing) {
      const text = `The operation failed because the secret ${name} already exists.`;
      throw new AwsError("ResourceExistsException", text);
    }
    const suffix = randomBytes(3).toString("hex");
    const arn = `arn:aws:secretsmanager:${region}:${localAccountId}:secret:${name}-${suffix}`;
    const secret = { ...given, arn, changedAtMs: given.createdAtMs, versions: [] };
    this.#secrets.push(secret);
    return secret;
  }

  remove(secretId: string): void {
    const removed = this.find(secretId);
    this.#secrets = this.#secrets.filter((secret) => secret !== removed);
  }

  forgetUntil(nowMs: number): void {
    this.#secrets = this.#secrets.filter(({ forgottenAtMs = Infinity }) => forgottenAtMs > nowMs);
  }

  save(): void {
    if (this.#file === undefined) return;
    mkdirSync(dirname(this.#file), { recursive: true });
    replacePrivateFile(this.#file, JSON.stringify(this.#secrets));
  }
}

/** A hyphen and six characters. */
const randomSuffixLength = 7;

function readSecrets(file: string): Secret[] {
  const hint = `The local secrets file ${file} cannot be read. Delete it to start with empty secrets.`;
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw new DataFault(hint);
  }
  const secrets = z.array(secretSchema).safeParse(content);
  if (!secrets.success) throw new DataFault(hint);
  return secrets.data;
}

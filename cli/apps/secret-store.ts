import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  paginateListSecrets,
  ResourceExistsException,
  ResourceNotFoundException,
  RestoreSecretCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import type { Target } from "../target/target.ts";

export interface FoundSecret {
  readonly name: string;
  readonly state: "there" | "being deleted";
  /** Milliseconds since 1970. */
  readonly changedAtMs: number | undefined;
}

/** All methods throw the SDK's errors. */
export interface SecretStore {
  find(name: string): Promise<FoundSecret | undefined>;
  /**
   * Includes secrets being deleted. Changes of the last minutes may be missing:
   * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_ListSecrets.html
   */
  list(beginning: string): Promise<readonly FoundSecret[]>;
  /** Undefined if the secret has no text value. */
  read(name: string): Promise<string | undefined>;
  /** Returns false if another process created the secret meanwhile. */
  make(
    name: string,
    value: string,
    facts: { description: string; tags: Readonly<Record<string, string>> },
  ): Promise<boolean>;
  /** May be repeated with the same token. */
  change(name: string, value: string, token: string): Promise<void>;
  restore(name: string): Promise<void>;
  /** Returns the day after which the secret cannot be restored. */
  remove(name: string, recoveryDays: number): Promise<Date | undefined>;
}

export function openSecretStore(
  { client: makeClient, kmsKey }: Pick<Target, "client" | "kmsKey">,
  token: () => string,
): SecretStore {
  const client = makeClient(SecretsManagerClient, "SECRETS_MANAGER");
  return {
    find: async (name) => {
      try {
        const { DeletedDate, LastChangedDate } = await client.send(
          new DescribeSecretCommand({ SecretId: name }),
        );
        return found(name, { DeletedDate, LastChangedDate });
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return undefined;
        throw error;
      }
    },
    list: async (beginning) => {
      const listed: FoundSecret[] = [];
      const filters = {
        Filters: [{ Key: "name" as const, Values: [beginning] }],
        IncludePlannedDeletion: true,
      };
      for await (const { SecretList = [] } of paginateListSecrets({ client, pageSize: 100 }, filters)) {
        for (const { Name = "", ...dates } of SecretList) listed.push(found(Name, dates));
      }
      return listed;
    },
    read: async (name) => {
      try {
        return (await client.send(new GetSecretValueCommand({ SecretId: name }))).SecretString;
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return undefined;
        throw error;
      }
    },
    make: async (Name, SecretString, { description, tags }) => {
      const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
      const secret = { Name, SecretString, Tags, Description: description, ClientRequestToken: token() };
      const key = kmsKey === undefined ? {} : { KmsKeyId: kmsKey };
      try {
        await client.send(new CreateSecretCommand({ ...secret, ...key }));
        return true;
      } catch (error) {
        if (error instanceof ResourceExistsException) return false;
        throw error;
      }
    },
    change: async (SecretId, SecretString, ClientRequestToken) => {
      await client.send(new PutSecretValueCommand({ SecretId, SecretString, ClientRequestToken }));
    },
    restore: async (SecretId) => {
      await client.send(new RestoreSecretCommand({ SecretId }));
    },
    remove: async (SecretId, RecoveryWindowInDays) =>
      (await client.send(new DeleteSecretCommand({ SecretId, RecoveryWindowInDays }))).DeletionDate,
  };
}

function found(
  name: string,
  dates: { DeletedDate?: Date | undefined; LastChangedDate?: Date | undefined },
): FoundSecret {
  return {
    name,
    state: dates.DeletedDate === undefined ? "there" : "being deleted",
    changedAtMs: dates.LastChangedDate?.getTime(),
  };
}

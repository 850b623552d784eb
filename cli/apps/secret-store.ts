import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  type DescribeSecretResponse,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  RestoreSecretCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { unlessNotFound } from "../../lib/aws/is-not-found.ts";
import type { Target } from "../target/target.ts";

export interface FoundSecret {
  readonly name: string;
  readonly state: "there" | "being deleted";
  /** Milliseconds since 1970. */
  readonly changedAtMs: number | undefined;
}

export type SecretStore = ReturnType<typeof openSecretStore>;

/** All methods throw the SDK's errors. */
export function openSecretStore(
  { client: makeClient, kmsKey: KmsKeyId }: Pick<Target, "client" | "kmsKey">,
  token: () => string,
) {
  const client = makeClient(SecretsManagerClient, "SECRETS_MANAGER");
  return {
    find: async (name: string): Promise<FoundSecret | undefined> => {
      const found = await unlessNotFound(client.send(new DescribeSecretCommand({ SecretId: name })));
      return found && toFound(name, found);
    },
    /** Undefined if the secret has no text value. */
    read: async (SecretId: string): Promise<string | undefined> => {
      const found = await unlessNotFound(client.send(new GetSecretValueCommand({ SecretId })));
      return found?.SecretString;
    },
    /** Returns false if another process created the secret meanwhile. */
    make: async (
      Name: string,
      SecretString: string,
      { description: Description, appId }: { readonly description: string; readonly appId?: string },
    ): Promise<boolean> => {
      const Tags = appId === undefined ? [] : [{ Key: "appId", Value: appId }];
      const secret = { Name, SecretString, Tags, Description, ClientRequestToken: token(), KmsKeyId };
      try {
        await client.send(new CreateSecretCommand(secret));
        return true;
      } catch (error) {
        if (error instanceof ResourceExistsException) return false;
        throw error;
      }
    },
    /** Creates a version. */
    change: async (SecretId: string, SecretString: string): Promise<void> => {
      const version = { SecretId, SecretString, ClientRequestToken: token() };
      await client.send(new PutSecretValueCommand(version));
    },
    restore: async (SecretId: string): Promise<void> => {
      await client.send(new RestoreSecretCommand({ SecretId }));
    },
    /** Returns the day after which the secret cannot be restored. */
    remove: async (SecretId: string, RecoveryWindowInDays: number): Promise<Date | undefined> =>
      (await client.send(new DeleteSecretCommand({ SecretId, RecoveryWindowInDays }))).DeletionDate,
  };
}

function toFound(
  name: string,
  { DeletedDate, LastChangedDate }: Pick<DescribeSecretResponse, "DeletedDate" | "LastChangedDate">,
): FoundSecret {
  return {
    name,
    state: DeletedDate === undefined ? "there" : "being deleted",
    changedAtMs: LastChangedDate?.getTime(),
  };
}

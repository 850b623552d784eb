import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  RestoreSecretCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { unlessNotFound } from "../../lib/aws/is-not-found.ts";
import type { Target } from "../target/target.ts";

export type SecretStore = ReturnType<typeof openSecretStore>;

/** All methods throw the SDK's errors. */
export function openSecretStore(
  { client: makeClient, kmsKey: KmsKeyId }: Pick<Target, "client" | "kmsKey">,
  token: () => string,
) {
  const client = makeClient(SecretsManagerClient, "SECRETS_MANAGER");
  return {
    /** Undefined if it does not exist. */
    stateOf: async (SecretId: string): Promise<"there" | "being deleted" | undefined> => {
      const found = await unlessNotFound(client.send(new DescribeSecretCommand({ SecretId })));
      return found && (found.DeletedDate === undefined ? "there" : "being deleted");
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

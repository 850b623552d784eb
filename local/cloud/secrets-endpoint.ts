import { randomUUID } from "node:crypto";
import { AwsError } from "./aws-error.ts";
import { startAwsJsonServer } from "./aws-json-server.ts";
import { findOperation } from "./aws-operation.ts";
import type { ServiceFaults } from "./faults/cloud-faults.ts";
import { type CallRotation, operations } from "./secret-operations.ts";
import { type Secret, SecretStore } from "./secret-store.ts";

export type SecretsEndpoint = Awaited<ReturnType<typeof startSecretsEndpoint>>;

export async function startSecretsEndpoint(
  options: {
    file?: string | undefined;
    now?: () => number;
    callRotation?: CallRotation;
    faults?: ServiceFaults | undefined;
  } = {},
) {
  const { file, now = Date.now, callRotation, faults } = options;
  const store = new SecretStore(file);
  const call = (operation: string, input: unknown, region: string) => {
    const nowMs = now();
    store.forgetUntil(nowMs);
    return findOperation(operations, operation)(input, { store, nowMs, region, callRotation });
  };
  const server = await startAwsJsonServer({
    target: "secretsmanager",
    version: "1.1",
    faults,
    answer({ operation, input, region, request }) {
      if (request.headers.authorization?.startsWith("AWS4-HMAC-SHA256 "))
        return call(operation, input, region);
      throw new AwsError("MissingAuthenticationTokenException", "Missing Authentication Token");
    },
    describeError: ({ message }) => ({ body: { message: undefined, Message: message } }),
  });
  return {
    url: server.url,
    /** Writes JSON. Creates the secret if needed. */
    put(name: string, value: object) {
      const request = { SecretString: JSON.stringify(value), ClientRequestToken: randomUUID() };
      if (store.find(name)) call("PutSecretValue", { SecretId: name, ...request }, "us-east-1");
      else call("CreateSecret", { Name: name, ...request }, "us-east-1");
    },
    contents: () => structuredClone([...store.list()]),
    putBack: (secrets: readonly Secret[]) => store.replace(secrets),
    call,
    close: () => server.close(),
  };
}

import type { MakeClient } from "../../cli/target/identity.ts";

type Settings = ConstructorParameters<Parameters<MakeClient>[0]>[0];

/** Makes AWS clients for this address, with credentials without rights. */
export const clientTo =
  (endpoint: string, maxAttempts = 1) =>
  <Client>(Client: new (settings: Settings) => Client): Client =>
    new Client({
      endpoint,
      region: "eu-central-1",
      maxAttempts,
      credentials: async () => ({ accessKeyId: "AKIAOPERATOR", secretAccessKey: "of-nobody" }),
    });

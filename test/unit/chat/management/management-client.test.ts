import { describe, expect, it } from "vitest";
import { InvalidInputError } from "../../../../lib/chat/errors.ts";
import { createManagementClient } from "../../../../lib/chat/management/management-client.ts";
import { caught } from "../caught-client.ts";

describe("createManagementClient", () => {
  const credentials = { key: "management-key", secret: "management-secret" };

  it("sends key, secret and the webhook generation", async () => {
    const { seen, fetch } = caught({ id: "hook" });
    const management = createManagementClient({ credentials, fetch });

    await management.webhooks.get("app1", "hook");

    expect(seen[0]).toMatchObject({
      url: "https://apimgmt.cometchat.io/apps/app1/webhooks/hook",
      init: { headers: { ...credentials, "x-webhook-version": "2" } },
    });
  });

  it("accepts a webhook within a list, as in the documentation's examples", async () => {
    const { fetch } = caught([{ data: { id: "hook" } }]);

    expect(await createManagementClient({ credentials, fetch }).webhooks.get("app1", "hook")).toEqual({
      id: "hook",
    });
  });

  it("creates tenants with HTTP Basic beside key and secret", async () => {
    const { seen, fetch } = caught({ name: "N" });
    const tenant = {
      name: "N",
      email: "n@example.com",
      password: "pass-1234",
      appName: "A",
      appRegion: "us",
    } as const;
    const basicAuth = { username: "u", password: "p" };

    await createManagementClient({ credentials, fetch, basicAuth }).tenants.create(tenant);

    expect(seen[0]?.init.headers).toMatchObject({ authorization: "Basic dTpw", ...credentials });
    await expect(createManagementClient({ credentials, fetch }).tenants.create(tenant)).rejects.toThrow(
      InvalidInputError,
    );
  });

  it("names a missing setting before anything is sent", async () => {
    const { seen, fetch } = caught();
    const { extensionSettings } = createManagementClient({ credentials, fetch });

    await expect(
      extensionSettings.store("app1", "e2ee", { virgilAppID: "x" } as never),
    ).rejects.toMatchObject({
      field: "settings.virgilAppKeyID",
    });
    expect(seen).toHaveLength(0);
  });
});

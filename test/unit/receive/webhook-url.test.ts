import { describe, expect, it } from "vitest";
import { setPlatformCredentials } from "../../../lib/operate/rotation/rotate-webhook-password.ts";
import { isSameReceiver } from "../../../lib/receive/webhook-url.ts";

const url = "https://api.example/webhooks/app1";

describe("isSameReceiver", () => {
  it.each([
    [url, true],
    [`${url}?x=1`, true],
    [`${url}/`, true],
    ["https://API.example/webhooks/app1#top", true],
    ["https://api.example/webhooks/app12", false],
    ["https://other.example/webhooks/app1", false],
    ["not an address", false],
  ])("compares it with %s: %s", (other, isSame) => {
    expect(isSameReceiver(url, other)).toBe(isSame);
  });

  it("does not match invalid addresses", () => {
    expect(isSameReceiver("none", "none")).toBe(false);
  });

  it("rotates the same webhook that setup and doctor find for the app", async () => {
    const changed: string[] = [];
    const webhooks = {
      list: async function* () {
        yield { id: "own", webhookURL: `${url}?x=1` };
        yield { id: "other", webhookURL: "https://other.example/webhooks/app1" };
      },
      update: async (_appId: string, id: string) => void changed.push(id),
    };

    const fields = { webhookUsername: "u", webhookPassword: "p" };
    await setPlatformCredentials(webhooks, "app1", url, fields, async () => ({ deadlineMs: 1 }));

    expect(changed).toEqual(["own"]);
  });
});

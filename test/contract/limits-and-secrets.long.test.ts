import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createChatClient } from "../../lib/chat/client.ts";
import { createPlatform } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { createJumpingTime } from "../helpers/jumping-time.ts";

const [app] = defaultSeed.apps;

describe("many calls at once against the local platform", () => {
  it("collect no 429 and send nothing twice: two loops of 1,000 sends, 100 per minute", async () => {
    const time = createJumpingTime();
    const platform = await createPlatform({ clock: time, switches: { standardRateLimit: 100 } });
    const statuses: (number | undefined)[] = [];
    const clients = [1, 2].map(() =>
      createChatClient({
        appId: app.appId,
        apiKey: app.fullAccessKey,
        baseUrlTemplate: `${platform.url}/{appId}.{service}-{region}/v3`,
        now: time.now,
        sleep: time.sleep,
        fetch: time.fetch,
        onTry: ({ status }) => statuses.push(status),
      }),
    );

    const sends = Promise.all(
      clients.flatMap((chat, loop) =>
        Array.from({ length: 1_000 }, (_, n) =>
          chat.messages.send(
            { receiver: "bob", receiverType: "user", data: { text: "hi" }, muid: `${loop}-${n}` },
            { onBehalfOf: "alice" },
          ),
        ),
      ),
    );
    const messages = await time.passUntil(sends);

    await platform.close();
    expect(new Set(messages.map(({ muid }) => muid)).size).toBe(2_000);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(2_000);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2_000);
    // Each window costs each client a few refusals until both know that it is over, not one per waiting call.
    expect(statuses.filter((status) => status === 429).length).toBeLessThan(2_000);
  });
});

describe("the platform's refusals, which quote the key", () => {
  it.each([
    ["401", "fedcba9876543210fedcba9876543210fedcba98", /check the API key, the app id and the region/],
    ["403", app.authOnlyKey, /needs a key of scope fullAccess/],
  ])("become errors without it: %s", async (status, apiKey, hint) => {
    const platform = await createPlatform();
    const chat = createChatClient({
      appId: app.appId,
      apiKey,
      baseUrlTemplate: `${platform.url}/{appId}.{service}-{region}/v3`,
    });
    const raw = await (
      await fetch(`${platform.appUrl(app.appId)}/users/alice`, { headers: { apikey: apiKey } })
    ).text();

    const error: unknown = await chat.users.get("alice").catch((thrown: unknown) => thrown);

    await platform.close();
    expect(raw).toContain(apiKey);
    expect(error).toMatchObject({ status: Number(status), message: expect.stringMatching(hint) });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(apiKey);
  });
});

import { describe, expect, it, onTestFinished } from "vitest";
import { composeChatClient } from "../../../lib/chat/compose.ts";
import { reasons } from "../../../lib/chat/resources/reasons.ts";
import { seedApps } from "../../../lib/seeding/seed-apps.ts";
import { seedReasons } from "../../../lib/seeding/seed-reasons.ts";
import { createPlatform } from "../../../local/platform/create-platform.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";

const [app] = defaultSeed.apps;
const declared = [
  { id: "spam", name: "Spam, and nothing but" },
  { id: "violence", name: "Violence", description: "Threats" },
  { id: "other", name: "Something else" },
];

/** A client of a fresh platform, through a network on which `intercept` may answer in the platform's place. */
async function createReasons(
  intercept: (request: Request, body: string) => Response | undefined = () => undefined,
) {
  const platform = await createPlatform();
  onTestFinished(() => platform.close());
  const fetchThrough: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    return intercept(request, await request.clone().text()) ?? fetch(request);
  };
  const chat = composeChatClient(
    {
      appId: app.appId,
      apiKey: app.fullAccessKey,
      baseUrlTemplate: `${platform.url}/{appId}.{service}-{region}/v3`,
      fetch: fetchThrough,
    },
    { reasons },
  );
  return chat.reasons;
}

const refused = () =>
  Response.json({ error: { code: "ERR_BAD_REQUEST", message: "no such luck" } }, { status: 400 });
const deadlineMs = Date.now() + 60_000;

describe("seedReasons", () => {
  it("goes on after one reason's failure and reports its cause", async () => {
    const api = await createReasons((request, body) =>
      request.method === "POST" && body.includes("violence") ? refused() : undefined,
    );

    const outcomes = await seedReasons({ reasons: api, declared, dryRun: false, deadlineMs });

    expect(outcomes).toEqual([
      { id: "spam", outcome: "updated" },
      { id: "violence", outcome: "failed", cause: expect.stringContaining("ERR_BAD_REQUEST") },
      { id: "other", outcome: "created" },
    ]);
  });

  it("looks a reason up by its id before it counts as missing from a list that may be cut", async () => {
    const api = await createReasons((request) =>
      request.method === "GET" && request.url.endsWith("/moderation/reasons")
        ? Response.json({ data: [], meta: { current: { limit: 10, count: 0 } } })
        : undefined,
    );

    const outcomes = await seedReasons({ reasons: api, declared, dryRun: true, deadlineMs });

    expect(outcomes).toEqual([
      { id: "spam", outcome: "updated" },
      { id: "violence", outcome: "created" },
      { id: "other", outcome: "created" },
    ]);
  });

  it("reports as failed a description that the platform did not take", async () => {
    const api = await createReasons((request) =>
      request.method === "POST" ? Response.json({ data: { id: "violence", name: "Violence" } }) : undefined,
    );

    const outcomes = await seedReasons({ reasons: api, declared, dryRun: false, deadlineMs });

    expect(outcomes[1]).toEqual({
      id: "violence",
      outcome: "failed",
      cause: expect.stringContaining("kept another name or description"),
    });
  });
});

describe("seedApps", () => {
  it("seeds the next app after one that failed, and ends in an error that holds the whole result", async () => {
    const seeded: string[] = [];

    const run = seedApps(["broken", "sound"], false, { deadlineMs: 1_000, now: () => 0 }, async (appId) => {
      if (appId === "broken") throw new Error("no secret");
      seeded.push(appId);
      return [{ id: "spam", outcome: "created" }];
    });

    await expect(run).rejects.toThrow(/no secret.*sound.*created/);
    expect(seeded).toEqual(["sound"]);
  });
});

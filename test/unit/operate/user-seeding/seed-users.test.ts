import { describe, expect, it } from "vitest";
import type { DeclaredUser } from "../../../../lib/operate/user-seeding/declared-users.ts";
import { buildUserSeeding, type SeededUsers } from "../../../../lib/operate/user-seeding/seed-users.ts";
import { callMemoryApp } from "../../../helpers/call-app.ts";
import { createOwnWorld, invocation } from "../../../helpers/own-world.ts";

const declared: readonly DeclaredUser[] = [
  { uid: "support", name: "Support Team" },
  { uid: "alice", name: "Alice Meyer" },
  { uid: "ann", name: "Ann Berger", avatar: "https://example.com/ann.png", metadata: { team: ["Sales"] } },
];
const nobodyElse = { failed: 0, left: 0, failures: [] };

describe("seeding users", () => {
  it("creates and changes users, and changes nothing the second time", async () => {
    const { seed, world } = createSeeding(declared);

    const first = await seed();
    world.requests.length = 0;
    const second = await seed();

    expect(first).toEqual({ created: 1, changed: 1, unchanged: 1, ...nobodyElse });
    expect(second).toEqual({ created: 0, changed: 0, unchanged: 3, ...nobodyElse });
    expect(world.requests).toEqual(["GET /users"]);
  });

  it("only reports in a rehearsal", async () => {
    const { seed, world } = createSeeding(declared);

    expect(await seed({ dryRun: true })).toEqual({ created: 1, changed: 1, unchanged: 1, ...nobodyElse });
    expect(world.requests).toEqual(["GET /users"]);
  });

  it.each([
    { dryrun: true },
    { "dry-run": true },
    { dryRun: "true" },
    { rehearsal: true },
    { input: { dryRun: true } },
  ])("refuses %j, which may be meant as a rehearsal", async (input) => {
    const { seed, world } = createSeeding(declared);

    await expect(seed(input)).rejects.toThrow(/DryRunError.*nothing was done/);
    expect(world.requests).toEqual([]);
  });

  it("runs for the event of a schedule", async () => {
    const { seed } = createSeeding(declared);

    const seeded = await seed({
      version: "0",
      source: "aws.events",
      "detail-type": "Scheduled Event",
      detail: {},
    });

    expect(seeded).toMatchObject({ created: 1, changed: 1 });
  });

  it("sends no request if no user is declared", async () => {
    const { run, world } = createSeeding([]);

    expect(await run({}, invocation)).toEqual({ apps: [] });
    expect([world.requests.length, world.readings()]).toEqual([0, 0]);
  });

  it("continues after a failed user, reports the cause, and fails at the end", async () => {
    const { seed, world } = createSeeding(declared);
    world.answer = ({ method }) =>
      method === "PUT"
        ? Response.json({ error: { code: "ERR_ROLE_NOT_FOUND", message: "no role" } }, { status: 404 })
        : undefined;

    await expect(seed()).rejects.toThrow(/"failed":1.*"uid\\":\\"alice|alice.*ERR_ROLE_NOT_FOUND/);
    expect(world.requests).toContain("POST /users");
  });

  it("does not change a deactivated user, and reports it", async () => {
    const { seed, world } = createSeeding([{ uid: "bob", name: "Bob" }]);
    await callMemoryApp(world.platform, "DELETE /users", { uidsToDeactivate: ["bob"] });

    await expect(seed()).rejects.toThrow("it is deactivated");
    expect(world.requests.filter((line) => !line.startsWith("GET"))).toEqual([]);
  });

  it("changes a user whose deactivatedAt is 0", async () => {
    const { seed, world } = createSeeding([{ uid: "alice", name: "Alice Meyer" }]);
    world.answer = ({ method }) =>
      method === "GET" ? pageOf(1, { uid: "alice", name: "Alice Nguyen", deactivatedAt: 0 }) : undefined;

    expect(await seed()).toMatchObject({ changed: 1 });
  });

  it("updates an existing user that the list left out", async () => {
    const { seed, world } = createSeeding([{ uid: "alice", name: "Alice Meyer" }]);
    world.answer = ({ method, path }) =>
      method === "GET" && path === "/users" ? Response.json({ data: [], meta: {} }) : undefined;

    expect(await seed()).toEqual({ created: 0, changed: 1, unchanged: 0, ...nobodyElse });
    expect(world.requests).toEqual(["GET /users", "POST /users", "GET /users/alice", "PUT /users/alice"]);
  });

  it("asks for each declared user where listing all would take more requests", async () => {
    const { seed, world } = createSeeding([{ uid: "alice", name: "Alice Nguyen" }]);
    world.answer = ({ path }) => (path === "/users" ? pageOf(90_000) : undefined);

    expect(await seed()).toEqual({ created: 0, changed: 0, unchanged: 1, ...nobodyElse });
    expect(world.requests).toEqual(["GET /users", "GET /users/alice"]);
  });

  it("leaves time to write if an app is too large to read", async () => {
    const { seed, world } = createSeeding(people(200));
    world.answer = ({ method, path }) => {
      if (method !== "GET" || path !== "/users") return undefined;
      world.advance(300);
      return pageOf(9_000_000);
    };

    await seed().catch(() => undefined);

    expect(world.requests.filter((line) => line === "POST /users").length).toBeGreaterThan(0);
  });

  it("seeds a thousand users, and reads them by the page the next night", async () => {
    const { seed, world } = createSeeding(people(1_000));

    const first = await seed();
    world.requests.length = 0;
    const second = await seed();

    expect([first.created, second.unchanged]).toEqual([1_000, 1_000]);
    expect(world.requests).toEqual(["GET /users", "GET /users"]);
  });

  it("stops shortly before its deadline, reports how many are left, and continues in the next run", async () => {
    const { seed, world } = createSeeding(people(40));
    let posted = 0;
    world.answer = ({ method }) => {
      posted += method === "POST" ? 1 : 0;
      if (posted === 10) world.advance(5_000);
      return undefined;
    };

    await expect(seed()).rejects.toThrow(/"left":2\d|\\"left\\":2\d/);
    world.answer = () => undefined;
    const next = await seed();

    expect(next.unchanged).toBeGreaterThanOrEqual(10);
    expect(next.created + next.unchanged).toBe(40);
  });

  it("seeds every user in a few nights with time for a third each", async () => {
    const { seed, world } = createSeeding(people(40));
    let read = 0;
    world.answer = ({ method, path }) => {
      if (method === "GET" && path === "/users") return pageOf(90_000);
      read += method === "GET" ? 1 : 0;
      if (read === 12) world.advance(5_000);
      return undefined;
    };

    for (let night = 0; night < 6; night += 1) {
      read = 0;
      await seed().catch(() => undefined);
      world.advance(86_400_000);
    }

    const { data } = await callMemoryApp(world.platform, "GET /users?searchKey=person-&perPage=100");
    expect(data).toHaveLength(40);
  });

  it("seeds every one of many apps", async () => {
    const appIds = Array.from({ length: 20 }, (_, index) => `app-${index}`);
    const world = createOwnWorld({ appIds });
    const run = buildUserSeeding(() => [{ uid: "ann", name: "Ann" }]).on(world.services);

    const { apps } = await run({}, invocation);

    expect(apps.map((app) => "result" in app && app.result.created)).toEqual(appIds.map(() => 1));
  });

  it("keeps undeclared metadata", async () => {
    const { seed, world } = createSeeding([
      { uid: "alice", name: "Alice Nguyen", metadata: { team: "Sales" } },
    ]);
    await callMemoryApp(world.platform, "PUT /users/alice", { metadata: { theme: "dark" } });

    await seed();

    const { data } = await callMemoryApp(world.platform, "GET /users/alice");
    expect(data).toMatchObject({ metadata: { theme: "dark", team: "Sales" } });
  });

  it("keeps metadata that was written after the list was read", async () => {
    const { seed, world } = createSeeding([{ uid: "alice", name: "Alice", metadata: { team: "Sales" } }]);
    await callMemoryApp(world.platform, "PUT /users/alice", { metadata: { theme: "dark" } });
    world.answer = ({ method, path }) =>
      method === "GET" && path === "/users" ? pageOf(1, { uid: "alice", name: "Alice" }) : undefined;

    await seed();

    const { data } = await callMemoryApp(world.platform, "GET /users/alice");
    expect(data).toMatchObject({ name: "Alice", metadata: { theme: "dark", team: "Sales" } });
  });
});

/** A page of an app with `total` users, by default without declared ones. */
function pageOf(total: number, user: object = { uid: "zoe", name: "Zoe" }): Response {
  const meta = {
    pagination: { total, count: 1, per_page: 1_000, current_page: 1, total_pages: Math.ceil(total / 1_000) },
  };
  return Response.json({ data: [user], meta });
}

function createSeeding(users: readonly DeclaredUser[]) {
  const world = createOwnWorld();
  const run = buildUserSeeding(() => users).on(world.services);
  const seed = async (input: object = {}): Promise<SeededUsers> => {
    const { apps } = await run(input, invocation);
    const [app] = apps;
    if (app === undefined || !("result" in app)) throw new Error("The run has no result.");
    return app.result;
  };
  return { world, run, seed };
}

const people = (length: number) =>
  Array.from({ length }, (_, index) => ({ uid: `person-${index}`, name: `P ${index}` }));

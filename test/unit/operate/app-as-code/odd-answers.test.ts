import { describe, expect, it } from "vitest";
import { isRecord } from "../../../../lib/base/json.ts";
import { keywordLists } from "../../../../lib/chat/resources/moderation-rules.ts";
import { applyPlan } from "../../../../lib/operate/app-as-code/apply-plan.ts";
import { rolesSubject } from "../../../../lib/operate/app-as-code/subjects/roles.ts";
import { webhooksSubject } from "../../../../lib/operate/app-as-code/subjects/webhooks.ts";
import { startApp, startApps, type TestApp, toldOf } from "../../../helpers/app-apis.ts";

const archive = {
  webhooks: {
    webhooks: [{ id: "archive", url: "https://archive.example.com/", triggers: ["message_sent"] }],
  },
};
const ours = { webhooks: { webhooks: [{ id: "functions" }] } };
const words = (...terms: string[]) => ({
  "keyword-lists": { lists: [{ id: "rude", name: "Rude", category: "word", terms }] },
});

/** Shows of every webhook what no page says that it shows. */
async function withCredentials(request: Request, answer: Response) {
  if (!answer.ok || request.method !== "GET" || !/\/webhooks(\/[^/]+)?$/.test(new URL(request.url).pathname))
    return undefined;
  const body: unknown = await answer.json();
  const add = (webhook: object) => ({
    ...webhook,
    useBasicAuth: true,
    username: "somebody",
    password: "hunter2hunter2",
    retryOnFailure: true,
  });
  const { data } = isRecord(body) ? body : {};
  return Response.json({ ...Object(body), data: Array.isArray(data) ? data.map(add) : add(Object(data)) });
}

/** Leaves the terms out of lists of lists. */
async function withoutTerms(request: Request, answer: Response) {
  if (request.method !== "GET" || !new URL(request.url).pathname.endsWith("/moderation/keywords"))
    return undefined;
  const body: unknown = await answer.json();
  const { data } = isRecord(body) ? body : {};
  const lists = (Array.isArray(data) ? data : []).map(({ searchTerms: _, ...list }) => list);
  return Response.json({ ...Object(body), data: lists });
}

async function exportedWebhooks(apis: TestApp) {
  const { files } = await apis.export([webhooksSubject]);
  return files[0]?.content;
}

describe("a platform that shows a webhook's credentials", () => {
  it("has them in no file: the file names fields of the app's secret, and can be read again", async () => {
    const { apis } = startApp({ after: withCredentials });
    await apis.apply(archive);

    const content = await exportedWebhooks(apis);

    expect(JSON.stringify(content)).not.toContain("hunter2");
    expect(webhooksSubject.schema.safeParse(content).error).toBeUndefined();
    expect(content).toMatchObject({
      webhooks: [
        {
          id: "archive",
          credentials: { username: "somebody", password: { secret: "webhook-archive-password" } },
        },
      ],
    });
  });

  it("has this deployment's own credentials left to the app's secret", async () => {
    const { apis } = startApp({ after: withCredentials });
    await apis.apply(ours);

    const content = await exportedWebhooks(apis);

    expect(webhooksSubject.schema.safeParse(content).error).toBeUndefined();
    expect(content).toEqual({
      webhooks: [
        { id: "functions", name: "functions", triggers: "needed", enabled: true, retryOnFailure: true },
      ],
    });
  });
});

describe("a list that shows less than its things", () => {
  it("hides no change made by hand", async () => {
    const { apis } = startApp({ after: withoutTerms });
    await apis.apply(words("ass"));
    await apis.chat.call(keywordLists.update, "rude", { searchTerms: ["hat"], category: "word" });

    expect(await apis.toDo(words("ass"))).toEqual(["update keyword list rude: terms"]);
  });

  it("hides no change between a plan and its carrying out", async () => {
    const { apis } = startApp({ after: withoutTerms });
    await apis.apply(words("ass"));
    const planned = await apis.plan(words("donkey"));
    await apis.chat.call(keywordLists.update, "rude", { searchTerms: ["hat"], category: "word" });

    expect((await apis.plan(words("donkey"))).state).not.toBe(planned.state);
  });
});

it("what is declared twice is there once, and leaves nothing to do", async () => {
  const { apis } = startApp();
  const declared = {
    roles: { roles: [{ role: "agent", name: "Agent", restricted: ["createGroup", "u.createGroup"] }] },
  };

  const outcomes = await apis.apply(declared);

  expect(toldOf(outcomes)).toEqual(["created role agent", "created restricted features of the role agent"]);
  expect(await apis.toDo(declared)).toEqual([]);
});

it("a webhook whose making is interrupted is seen to be unfinished, whatever the platform shows of it", async () => {
  let left = Number.POSITIVE_INFINITY;
  const { apisOf, requests } = startApps({
    before: ({ method }) => {
      if (method === "GET") return undefined;
      left -= 1;
      return left < 0
        ? Response.json({ error: { code: "ERR_NO", message: "no" } }, { status: 400 })
        : undefined;
    },
  });
  await apisOf("whole").apply(ours);
  const writes = requests.filter((request) => !request.startsWith("GET")).length;

  for (let written = 1; written < writes; written += 1) {
    const appId = `cut-${written}`;
    left = written;
    await applyPlan(await apisOf(appId).plan(ours), apisOf(appId));
    left = Number.POSITIVE_INFINITY;
    const changes = (await apisOf(appId).plan(ours)).steps.flatMap((step) => step.changes);
    expect(changes.map(({ field }) => field)).toContain("triggers");
  }
});

it("a deletion whose answer is lost is done where the thing is gone", async () => {
  const { apis } = startApp({
    after: (request) =>
      request.method === "DELETE"
        ? Response.json({ error: { code: "ERR_ROLE_NOT_FOUND" } }, { status: 404 })
        : undefined,
  });
  await apis.apply({ roles: { roles: [{ role: "agent", name: "Agent" }] } });
  const plan = await apis.plan(
    { roles: { roles: [], absent: ["agent"] } },
    { switches: { mayDelete: true } },
  );

  expect(toldOf(await applyPlan(plan, apis))).toEqual(["deleted role agent"]);
});

describe("permissions that could not be set", () => {
  const refusal = { error: { code: "ERR_NO", message: "no" } };

  it.each([
    ["as a whole", refusal, 400],
    ["one of them", { data: { permissions: {}, "core.x": { success: false } } }, 200],
    ["one of them, with an error alone", { data: { permissions: {}, "core.x": refusal } }, 200],
  ])("are told as what the next plan may not see: %s", async (_, body, status) => {
    const { apisOf } = startApps({
      before: ({ url }) => (url.includes("permissions") ? Response.json(body, { status }) : undefined),
    });
    const declared = {
      roles: { roles: [{ role: "agent", name: "Agent", permissions: { "core.x": "all" } }] },
    };

    const outcomes = await apisOf("one").apply(declared);

    expect(await apisOf("one").toDo(declared)).toEqual([]);
    expect(outcomes.at(-1)).toMatchObject({
      outcome: "failed",
      cause: expect.stringContaining("app apply --write-unknown"),
    });
  });
});

it("what the platform has and a file may not say is told of what is exported, so that no file is written that nobody can read again", async () => {
  const long = "d".repeat(300);
  const { apisOf } = startApps({
    after: ({ method, url }) =>
      method === "GET" && url.includes("/roles?")
        ? Response.json({ data: [{ role: "agent", name: "Agent", description: long }] })
        : undefined,
  });

  const { files } = await apisOf("one").export([rolesSubject]);

  expect(files).toMatchObject([
    { subject: "roles", unfit: [expect.stringContaining("roles.0.description: ")] },
  ]);
});

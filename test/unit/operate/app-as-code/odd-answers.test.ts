import { describe, expect, it } from "vitest";
import { isRecord } from "../../../../lib/base/json.ts";
import { keywordLists } from "../../../../lib/chat/resources/moderation-rules.ts";
import { applyPlan } from "../../../../lib/operate/app-as-code/apply-plan.ts";
import { rolesSubject } from "../../../../lib/operate/app-as-code/subjects/roles.ts";
import { webhooksSubject } from "../../../../lib/operate/app-as-code/subjects/webhooks.ts";
import {
  startApp,
  startApps,
  type TestApp,
  testFacts,
  testSecrets,
  toldOf,
} from "../../../helpers/app-apis.ts";

const archive = {
  webhooks: {
    webhooks: [{ id: "archive", url: "https://archive.example.com/", triggers: ["message_sent"] }],
  },
};
const ours = { webhooks: { webhooks: [{ id: "functions" }] } };
const words = (...terms: string[]) => ({
  "keyword-lists": { lists: [{ id: "rude", name: "Rude", category: "word", terms }] },
});

/** Adds undocumented fields to every webhook. */
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

/** Removes the terms from lists of lists. */
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
  it("exports references to the app's secret in place of credentials", async () => {
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

  it("does not export the credentials of this deployment's own webhook", async () => {
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

it.each(["merge", "replace"] as const)(
  "a change of a webhook keeps all of it: %s",
  async (webhookChanges) => {
    const { apis, platform } = startApp({ switches: { webhookChanges, webhookSettingsEchoed: false } });
    await apis.apply(ours);
    const shown = () => {
      platform.switches.webhookSettingsEchoed = true;
      return apis.management?.webhooks.get(apis.appId, "functions");
    };

    await apis.apply({ webhooks: { webhooks: [{ id: "functions", name: "Renamed" }] } });

    expect(await shown()).toMatchObject({
      name: "Renamed",
      webhookURL: testFacts.webhookUrl,
      enabled: true,
      retryOnFailure: true,
      useBasicAuth: true,
      username: testSecrets.webhookUsername,
    });
  },
);

describe("a list that leaves out fields", () => {
  it("hides no change made by hand", async () => {
    const { apis } = startApp({ after: withoutTerms });
    await apis.apply(words("ass"));
    await apis.chat.call(keywordLists.update, "rude", { searchTerms: ["hat"], category: "word" });

    expect(await apis.toDo(words("ass"))).toEqual(["update keyword list rude: terms"]);
  });

  it("does not hide a change between plan and apply", async () => {
    const { apis } = startApp({ after: withoutTerms });
    await apis.apply(words("ass"));
    const planned = await apis.plan(words("donkey"));
    await apis.chat.call(keywordLists.update, "rude", { searchTerms: ["hat"], category: "word" });

    expect((await apis.plan(words("donkey"))).state).not.toBe(planned.state);
  });
});

it("a value that is declared twice is created once", async () => {
  const { apis } = startApp();
  const declared = {
    roles: { roles: [{ role: "agent", name: "Agent", restricted: ["createGroup", "u.createGroup"] }] },
  };

  const outcomes = await apis.apply(declared);

  expect(toldOf(outcomes)).toEqual(["created role agent", "created restricted features of the role agent"]);
  expect(await apis.toDo(declared)).toEqual([]);
});

it("an interrupted webhook creation leaves missing triggers in the next plan", async () => {
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

it("a deletion that is answered with 404 counts as done", async () => {
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
    ["one of them, with only an error", { data: { permissions: {}, "core.x": refusal } }, 200],
  ])("fail with a hint at --write-unknown: %s", async (_, body, status) => {
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

it("an export reports the platform's values that the file's schema refuses", async () => {
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

import { expect, it } from "vitest";
import { keepApp } from "../../../../lib/operate/app-as-code/keep-apps.ts";
import { declareApp } from "../../../../lib/operate/app-as-code/plan-app.ts";
import type { AppApis } from "../../../../lib/operate/app-as-code/resource.ts";
import { subjects } from "../../../../lib/operate/app-as-code/subjects.ts";
import { startApp, startApps, testFacts, toldOf } from "../../../helpers/app-apis.ts";

/** An app that refuses moderation requests. */
function startOne(code = "ERR_FEATURE_NOT_ACCESSIBLE", part = "/moderation/") {
  const { apisOf, requests } = startApps({
    before: ({ url }) =>
      url.includes(part) ? Response.json({ error: { code, message: "no" } }, { status: 403 }) : undefined,
  });
  return { apis: apisOf("one"), requests };
}

const roles = { roles: { roles: [{ role: "agent", name: "Agent" }] } };
const reasons = { "moderation-reasons": { reasons: [{ id: "own", name: "Own" }] } };
const refused = ["moderation-reasons", "keyword-lists", "moderation-rules"];

it("blocks resources of a refused feature, names the plan, and applies the others", async () => {
  const { apis, requests } = startOne();

  const outcomes = await apis.apply({ ...roles, ...reasons });

  expect(outcomes).toEqual([
    { kind: "role", id: "agent", outcome: "created" },
    {
      kind: "moderation reason",
      id: "own",
      outcome: "blocked",
      cause: expect.stringMatching(/403 ERR_FEATURE_NOT_ACCESSIBLE.*plan/),
    },
  ]);
  expect(requests).not.toContain("POST /moderation/reasons");
});

const keep = (apis: AppApis, contents: Readonly<Record<string, unknown>>, isRehearsal: boolean) =>
  keepApp({
    kinds: subjects.flatMap(({ kinds }) => kinds),
    declared: declareApp(subjects, (name) => contents[name], testFacts),
    apis,
    secretOf: async () => undefined,
    isRehearsal,
    isRotating: async () => false,
  });

it("fails the nightly comparison only for that resource", async () => {
  const { things } = await keep(startOne().apis, { ...roles, ...reasons }, false);

  expect(things.map(({ id, outcome }) => [id, outcome])).toEqual([
    ["agent", "created"],
    ["own", "blocked"],
  ]);
});

const outage = () => new Response("<html>", { status: 503 });
const unknownForm = () => Response.json({ data: "none" });
const tooMany = () => new Response("{}", { status: 429 });
const silence = () => {
  throw new TypeError("fetch failed", { cause: Object.assign(new Error("gone"), { code: "ECONNRESET" }) });
};

it.each([outage, unknownForm, tooMany, silence])("blocks only what cannot be read: %o", async (answer) => {
  const { apis } = startApp({ before: ({ url }) => (url.includes("/moderation/") ? answer() : undefined) });

  await expect(keep(apis, { ...roles, ...reasons }, true)).rejects.toThrow(/list-reasons/);
  expect(await apis.apply({ ...roles, ...reasons })).toEqual([
    { kind: "role", id: "agent", outcome: "created" },
    {
      kind: "moderation reason",
      id: "own",
      outcome: "blocked",
      cause: expect.stringMatching(/^It could not be read: .*list-reasons/),
    },
  ]);
});

it("blocks everything if the platform answers that it fails", async () => {
  const { apis } = startApp({ before: outage });

  expect(toldOf(await apis.apply({ ...roles, ...reasons }))).toEqual([
    "blocked role agent",
    "blocked moderation reason own",
  ]);
});

it.each([tooMany, silence])("does not wait for each resource of a platform with %o", async (answer) => {
  const { apis, requests } = startApp({ before: answer });

  await expect(apis.plan({ ...roles, ...reasons })).rejects.toThrow(/list-roles/);
  expect(requests.filter((request) => request.includes("moderation"))).toEqual([]);
});

it("gives the plan another state once the app has the feature", async () => {
  const one = await startOne().apis.plan(reasons);
  const other = await startOne("ERR_SOMETHING", "/nothing/").apis.plan(reasons);

  expect(one.state).not.toBe(other.state);
});

it("plans no step for a resource that is declared absent", async () => {
  const plan = await startOne().apis.plan({ "moderation-reasons": { reasons: [], absent: ["own"] } });

  expect(plan.steps).toEqual([]);
});

it("exports the other files, and names those that are left out", async () => {
  const { files, refused: leftOut } = await startOne().apis.export(subjects);

  expect(leftOut.map(({ what, error }) => [what, error.code])).toEqual(
    refused.map((name) => [name, "ERR_FEATURE_NOT_ACCESSIBLE"]),
  );
  expect(files.map(({ subject }) => subject)).toEqual(
    subjects.map(({ name }) => name).filter((name) => !refused.includes(name)),
  );
});

it("names the part of a file that is left out", async () => {
  const { apis } = startOne("ERR_PLAN_RESTRICTION", "/ai-agents/tools");

  const { files, refused: leftOut } = await apis.export(subjects);

  expect(leftOut.map(({ what }) => what)).toEqual([expect.stringMatching(/^agents \(.*tool.*\)$/)]);
  expect(files).toHaveLength(subjects.length);
});

it.each([
  ["all requested files are refused", "ERR_FEATURE_NOT_ACCESSIBLE", "moderation-rules"],
  ["the key is refused", "AUTH_ERR_NO_ACCESS", ""],
  ["the key may not read it", "ERR_PERMISSION_DENIED", ""],
])("exports nothing if %s", async (_, code, only) => {
  const chosen = subjects.filter(({ name }) => name.includes(only));

  await expect(startOne(code).apis.export(chosen)).rejects.toMatchObject({ code });
});

it("treats settings of an inactive extension as missing, so that the plan can enable it", async () => {
  const { apis, requests } = startApp({
    before: ({ method, url }) =>
      method === "GET" && url.endsWith("/xss-filter/v1/settings") && !requests.includes("POST /extensions")
        ? Response.json({ error: { code: "ERR_EXTENSION_INACTIVE", message: "no" } }, { status: 400 })
        : undefined,
  });

  const outcomes = await apis.apply({
    extensions: { extensions: { "xss-filter": { enabled: true, settings: { dropMessage: true } } } },
  });

  expect(outcomes.map(({ outcome }) => outcome)).toEqual(["updated", "created"]);
});

import { describe, expect, it } from "vitest";
import { roles } from "../../../../lib/chat/resources/roles.ts";
import { applyPlan } from "../../../../lib/operate/app-as-code/apply-plan.ts";
import { startApp, startApps, toldOf } from "../../../helpers/app-apis.ts";

const reasonsFile = (...list: { id: string; name: string; description?: string }[]) => ({
  "moderation-reasons": { reasons: list },
});
const agents = (fields: object = {}) => ({ roles: { roles: [{ role: "agent", name: "Agent", ...fields }] } });
const refusal = () =>
  Response.json({ error: { code: "ERR_BAD_REQUEST", message: "no such luck" } }, { status: 400 });
const silence = () => {
  throw new TypeError("fetch failed", { cause: Object.assign(new Error("gone"), { code: "ECONNRESET" }) });
};

describe("applyPlan", () => {
  it("continues after a failed resource, and reports the cause", async () => {
    const { apisOf } = startApps({
      before: async (request) =>
        request.method === "POST" && (await request.text()).includes("violence") ? refusal() : undefined,
    });

    const outcomes = await apisOf("one").apply(
      reasonsFile(
        { id: "spam", name: "Spam!" },
        { id: "violence", name: "Violence" },
        { id: "other", name: "Other" },
      ),
    );

    expect(toldOf(outcomes)).toEqual([
      "updated moderation reason spam",
      "failed moderation reason violence",
      "created moderation reason other",
    ]);
    expect(outcomes[1]).toMatchObject({ cause: expect.stringContaining("ERR_BAD_REQUEST") });
  });

  it("reports fields that the platform did not store", async () => {
    const { apisOf } = startApps({
      before: (request) =>
        request.method === "POST" ? Response.json({ data: { id: "violence", name: "Violence" } }) : undefined,
    });

    const outcomes = await apisOf("one").apply(
      reasonsFile({ id: "violence", name: "Violence", description: "Threats" }),
    );

    expect(outcomes).toMatchObject([
      { outcome: "failed", cause: "The platform took the moderation reason, but not: name, description." },
    ]);
  });

  it("does not overwrite a resource that changed after the plan", async () => {
    const { apis } = startApp();
    await apis.apply(agents());
    const plan = await apis.plan(agents({ description: "Answers." }));
    await apis.chat.call(roles.update, "agent", { name: "Renamed by hand" });

    const outcomes = await applyPlan(plan, apis);

    expect(outcomes).toMatchObject([
      { outcome: "overtaken", cause: "It was changed since it was read: plan again." },
    ]);
    expect(await apis.chat.call(roles.get, "agent")).not.toHaveProperty("description");
  });

  it("does not create a resource that appeared after the plan", async () => {
    const { apis, requests } = startApp();
    const plan = await apis.plan(agents());
    await apis.chat.call(roles.create, { role: "agent", name: "Somebody else's" });
    requests.length = 0;

    expect(toldOf(await applyPlan(plan, apis))).toEqual(["overtaken role agent"]);
    expect(requests).toEqual(["GET /roles/agent"]);
  });

  it("counts an existing resource as created if it is as declared", async () => {
    const { apis, requests } = startApp();
    const plan = await apis.plan(agents());
    await apis.chat.call(roles.create, { role: "agent", name: "Agent" });
    requests.length = 0;

    expect(toldOf(await applyPlan(plan, apis))).toEqual(["created role agent"]);
    expect(requests).toEqual(["GET /roles/agent"]);
  });

  it("checks whether a creation without an answer succeeded, and creates no duplicate", async () => {
    let isLost = false;
    const { apisOf, requests } = startApps({
      after: (request) => {
        if (request.method !== "POST" || isLost) return undefined;
        isLost = true;
        return silence();
      },
    });

    const outcomes = await apisOf("one").apply(agents());

    expect(toldOf(outcomes)).toEqual(["created role agent"]);
    expect(requests.filter((request) => !request.startsWith("GET"))).toEqual(["POST /roles"]);
  });

  it("retries a creation that was not carried out", async () => {
    let isLost = false;
    const { apisOf, requests } = startApps({
      before: (request) => {
        if (request.method !== "POST" || isLost) return undefined;
        isLost = true;
        return Response.json({ error: { code: "ERR_INTERNAL", message: "later" } }, { status: 503 });
      },
    });

    const outcomes = await apisOf("one").apply(agents());

    expect(toldOf(outcomes)).toEqual(["created role agent"]);
    expect(requests.filter((request) => request.startsWith("POST"))).toHaveLength(2);
  });

  it.each([
    ["there is no answer", silence],
    [
      "the key is refused",
      () => Response.json({ error: { code: "AUTH_ERR_APIKEY_NOT_FOUND", message: "no" } }, { status: 401 }),
    ],
  ])("skips the rest when %s", async (_case, answer) => {
    let isOff = false;
    const { apis, requests } = startApp({ before: () => (isOff ? answer() : undefined) });
    const plan = await apis.plan(
      reasonsFile({ id: "a", name: "A" }, { id: "b", name: "B" }, { id: "c", name: "C" }),
    );
    isOff = true;
    requests.length = 0;

    const outcomes = await applyPlan(plan, apis);

    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["failed", "skipped", "skipped"]);
    expect(requests.length).toBeLessThan(4);
  });
});

it("omits empty fields from a new resource, and clears them in an existing one", async () => {
  const { apisOf } = startApps();
  const [one, two] = [apisOf("one"), apisOf("two")];
  const empty = agents({ description: "", metadata: {} });
  await two.apply(agents({ description: "Answers.", metadata: { team: "a" } }));

  const made = await one.apply(empty);
  const cleared = await two.apply(empty);

  expect([toldOf(made), toldOf(cleared)]).toEqual([["created role agent"], ["updated role agent"]]);
  expect(await two.chat.call(roles.get, "agent")).not.toHaveProperty("description");
});

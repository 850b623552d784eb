import { expect, it } from "vitest";
import { agents, agentTools } from "../../../../lib/chat/agents/agents.ts";
import { roles } from "../../../../lib/chat/resources/roles.ts";
import { applyPlan } from "../../../../lib/operate/app-as-code/apply-plan.ts";
import { startApp, toldOf } from "../../../helpers/app-apis.ts";

const tool = { slug: "s", name: "S", description: "d", endpoint: "https://a.example/", method: "GET" };
const base = { apiTools: [tool], texts: [{ title: "t", text: "x" }] };
const whole = { name: "A", instruction: "x", tools: ["gmail", "slack"], apiTools: ["s"], texts: ["t"] };
const declare = (...all: object[]) => ({ agents: { ...base, agents: all } });

it("succeeds when another run adds or removes the same parts", async () => {
  const { apis } = startApp();
  await apis.apply(declare({ ...whole, tools: ["gmail", "notion"], apiTools: [], texts: [] }));
  const plan = await apis.plan(declare(whole), { switches: { mayDelete: true } });
  const both = await Promise.all([applyPlan(plan, apis), applyPlan(plan, apis)]);

  expect(both.map(toldOf)).toEqual([["updated agent A"], ["updated agent A"]]);
  expect(await apis.toDo(declare(whole), { switches: { mayDelete: true } })).toEqual([]);
});

it("adds the remaining parts when another run has added one", async () => {
  const other: { add?: () => Promise<unknown> } = {};
  const { apis } = startApp({
    before: async ({ url }) => {
      if (url.endsWith("/tools/add")) await other.add?.();
      return undefined;
    },
  });
  await apis.apply(declare({ ...whole, tools: [] }));
  const chat = apis.chat.using({ agents, agentTools });
  other.add = async () => {
    delete other.add;
    const [agent] = await Array.fromAsync(chat.agents.list());
    await chat.agentTools.add(String(agent?.uid), { tools: ["gmail"] });
  };

  const outcomes = await apis.apply(declare(whole));

  expect(toldOf(outcomes)).toEqual(["updated agent A"]);
  const [agent] = await Array.fromAsync(chat.agents.list());
  expect(agent?.tools?.toSorted()).toEqual(["gmail", "slack"]);
});

it("counts a refused creation as done if another run created the declared state", async () => {
  const other: { make?: () => Promise<unknown> } = {};
  const { apis } = startApp({
    before: async ({ method, url }) => {
      if (method === "POST" && url.endsWith("/roles")) await other.make?.();
      return undefined;
    },
  });
  const content = (name: string) => ({ roles: { roles: [{ role: "expert", name }] } });
  const apply = (name: string) => {
    other.make = async () => {
      delete other.make;
      await apis.chat.call(roles.create, { role: "expert", name: "Expert" });
    };
    return apis.apply(content(name));
  };

  expect(await apply("Expert")).toMatchObject([{ outcome: "created" }]);
  await apis.chat.call(roles.delete, "expert");
  expect(await apply("Other")).toMatchObject([{ outcome: "failed" }]);
});

it("names the part that failed, and skips its dependents", async () => {
  const { apis, requests } = startApp({
    before: ({ method, url }) =>
      method === "POST" && url.endsWith("/text")
        ? Response.json({ statusCode: 400, message: "no", error: "Bad Request" }, { status: 400 })
        : undefined,
  });

  const outcomes = await apis.apply(declare(whole, { name: "B", instruction: "x", apiTools: ["s"] }));

  expect(outcomes).toMatchObject([
    { id: "t", outcome: "failed" },
    { id: "s", outcome: "created" },
    { id: "A", outcome: "skipped", cause: "Not begun, as it needs what failed: text t." },
    { id: "B", outcome: "created" },
  ]);
  expect(requests.filter((request) => request === "POST /ai-agents/agent-builder/agents")).toHaveLength(1);
});

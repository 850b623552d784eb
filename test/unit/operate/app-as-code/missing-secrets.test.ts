import { expect, it } from "vitest";
import { startApps, testSecrets, toDoOf } from "../../../helpers/app-apis.ts";

const secrets = { ...testSecrets, agentKey: "agent-key-4711", shop: "shop4711", next: "next4711" };
const [a, b] = ["https://a.example/", "https://b.example/"];
const tool = { slug: "s", name: "S", description: "d" };
const own = { name: "o", icon: "https://i.example/i", integrateWith: "ag-ui" };
const tools = (...apiTools: object[]) => ({
  agents: { apiTools: apiTools.map((one) => ({ ...tool, ...one })) },
});
const owned = (one: object) => ({ agents: { ownAgents: [{ ...own, ...one }] } });
const bot = (one: object) => ({ bots: { bots: [{ uid: "robot", name: "R", ...one }] } });
const hook = (one: object) => ({
  webhooks: { webhooks: [{ id: "w", name: "W", triggers: ["message_sent"], ...one }] },
});
const usual = { isEnabled: true, useBasicAuth: true, basicAuthUsername: "u" };
const provider = (one: object) => ({ notifications: { providers: { customPush: { ...usual, ...one } } } });
const header = (secret: string) => ({ headers: { Authorization: { secret } } });
const basic = (secret: string, username: unknown = { secret }) => ({
  credentials: { username, password: { secret } },
});

it.each([
  ["a tool's address", tools({ endpoint: a, ...header("shop") }), tools({ endpoint: b, ...header("none") })],
  ["a tool of another host", tools({ tool: "t" }), tools({ endpoint: b, ...header("none") })],
  [
    "a tool's template",
    tools({ endpoint: a, bodyTemplate: { secret: "shop" } }),
    tools({ endpoint: b, bodyTemplate: { secret: "none" } }),
  ],
  [
    "a tool's credentials",
    tools({ endpoint: a, ...basic("shop") }),
    tools({ endpoint: b, ...basic("none") }),
  ],
  [
    "a tool's headers, its address is missing",
    tools({ endpoint: a, ...header("shop") }),
    tools({ endpoint: { secret: "none" }, ...header("next") }),
  ],
  [
    "an own agent's address",
    owned({ baseUrl: a, ...header("shop") }),
    owned({ baseUrl: b, ...header("none") }),
  ],
  ["a bot's address", bot({ url: a, ...basic("shop", "u") }), bot({ url: b, ...basic("none", "u") })],
  ["a bot's username", bot({ url: a, ...basic("shop", "u") }), bot({ url: a, ...basic("none", "v") })],
  ["a webhook's address", hook({ url: a, ...basic("shop", "u") }), hook({ url: b, ...basic("none", "u") })],
  [
    "a provider's address",
    provider({ webhookURL: a, basicAuthPassword: { secret: "shop" } }),
    provider({ webhookURL: b, basicAuthPassword: { secret: "none" } }),
  ],
])("writes nothing of %s while a secret is missing, and names it", async (_what, first, second) => {
  const { apisOf, requests } = startApps();
  const apis = apisOf("local-app");
  const made = await apis.apply(first, { secrets });
  requests.length = 0;

  const outcomes = await apis.apply(second, { secrets, switches: { writesUnknown: true } });

  expect(made).toMatchObject([{ outcome: "created" }]);
  expect(outcomes).toMatchObject([{ outcome: "blocked", cause: 'The app\'s secret has no field "none".' }]);
  expect(requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
});

it("updates fields that need no secret, and names the missing secret", async () => {
  const { apisOf } = startApps();
  const apis = apisOf("local-app");
  await apis.apply(tools({ endpoint: a, ...header("shop") }), { secrets });
  const later = tools({ endpoint: a, ...header("none"), description: "e" });

  const plan = await apis.plan(later, { secrets });

  expect(toDoOf(plan)).toEqual(["update API tool s: description"]);
  expect(plan.steps).toMatchObject([{ missingSecrets: ["none"], unknown: [] }]);
});

it("blocks only resources whose secret cannot be read, with the cause", async () => {
  const { apisOf } = startApps();
  const apis = apisOf("local-app");
  await apis.apply(bot({}), { secrets });

  const { steps } = await apis.plan(
    { ...bot({ name: "Robot" }), roles: { roles: [{ role: "agent", name: "Agent" }] } },
    { secretOf: () => Promise.reject(new TypeError("AccessDenied")) },
  );

  expect(steps.map(({ id, action }) => [id, action])).toEqual([
    ["agent", "create"],
    ["robot", "blocked"],
  ]);
  expect(steps.flatMap(({ refusals }) => refusals)).toEqual([
    expect.stringMatching(/^The app's secrets cannot be read: TypeError/),
  ]);
});

it("sends a webhook's new address its own credentials, also where they are hidden", async () => {
  const { apisOf } = startApps({
    after: async ({ method, url }, answer) =>
      method === "GET" && url.includes("/webhooks")
        ? new Response((await answer.text()).replaceAll(/"(username|password)":"[^"]*",?/g, ""), answer)
        : undefined,
  });
  const apis = apisOf("local-app");
  await apis.apply(hook({ url: a, ...basic("shop", "u") }), { secrets });

  const plan = await apis.plan(hook({ url: b, ...basic("next", "v") }), { secrets });

  expect(plan.steps[0]?.target).toMatchObject({ webhookURL: b, username: "v", password: secrets.next });
});

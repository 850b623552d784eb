import { expect, it } from "vitest";
import { agentApiTools } from "../../../../lib/chat/agents/agent-parts.ts";
import { agents } from "../../../../lib/chat/agents/agents.ts";
import { byoAgents } from "../../../../lib/chat/agents/byo-agents.ts";
import { referencesIn } from "../../../../lib/operate/app-as-code/secret-reference.ts";
import { subjects } from "../../../../lib/operate/app-as-code/subjects.ts";
import { type Contents, startApps, toDoOf } from "../../../helpers/app-apis.ts";

const icon = "https://i.example/i";
const secrets = { shopPin: "48151623", crmToken: "tok-4711-crm", address: "https://me:p4711@crm.example/h" };
const tool = { name: "T", description: "d", method: "GET", enableBasicAuth: false } as const;

function startOne() {
  const apis = startApps().apisOf("local-app");
  const calls = apis.chat.using({ agentApiTools, agents, byoAgents });
  const exportIt = async (secret: Readonly<Record<string, string>>, before: Contents = {}) => {
    const { files, ...notes } = await apis.export(subjects, secret, { contentOf: (name) => before[name] });
    const contents: Contents = Object.fromEntries(files.map(({ subject, content }) => [subject, content]));
    return { ...notes, contents, unfit: files.flatMap(({ unfit }) => unfit) };
  };
  return { apis, exportIt, ...calls };
}

it("finds secrets by the file's structure, independent of item, header and key names", async () => {
  const { apis: _, exportIt, ...calls } = startOne();
  const headers = JSON.stringify({ key: "h-4711", "User-Agent": "Bearer live-4711-key", Accept: "a/b" });
  const parameters = [{ key: "apiKey", type: "string", description: "Its key", required: true } as const];
  await calls.agentApiTools.create({ ...tool, slug: "parameters", endpoint: icon, headers, parameters });
  const metaData = {
    parameters: { key: "sk-4711", list: [{ key: "sl-4711" }] },
    pin: Number(secrets.shopPin),
    [secrets.crmToken]: 1,
  };
  await calls.agents.create({ name: "A", instruction: "Say ***this*** or p4711-free text", metaData });
  await calls.byoAgents.create({
    name: "headers",
    icon,
    integrateWith: "ag-ui",
    integrationType: "agent",
    integrationMeta: { baseUrl: "https://o.example/" },
  });

  const { contents, unfit } = await exportIt(secrets);

  expect(JSON.stringify(contents)).not.toMatch(/4711(?!-free)|48151623/);
  expect(contents.agents).toMatchObject({
    apiTools: [{ endpoint: icon, parameters: [{ key: "apiKey" }], headers: { Accept: "a/b" } }],
    agents: [{ instruction: expect.stringContaining("***this***"), metaData: { "[redacted]": 1 } }],
    ownAgents: [{ name: "headers", icon, integrateWith: "ag-ui", baseUrl: "https://o.example/" }],
  });
  expect(unfit).toEqual(["agents.0.metaData.[redacted]: has a value of the app's secret in its name"]);
});

it("gives no field a name that a file outside the export uses", async () => {
  const { apis, agentApiTools: calls } = startOne();
  const headers = JSON.stringify({ Authorization: "Bearer one-4711" });
  await calls.create({ ...tool, slug: "stock", endpoint: icon, headers });
  const name = "tool-stock-headers-Authorization";

  const { files } = await apis.export(subjects, { [name]: "Bearer one-4711" }, { elsewhere: [name] });

  expect(referencesIn(files)).toEqual([`${name}-2`]);
});

it("reads no reference from the platform, and reports values that no file can hold", async () => {
  const { exportIt, byoAgents: calls } = startOne();
  await calls.create({
    name: "o",
    icon,
    integrateWith: "ag-ui",
    integrationType: "agent",
    integrationMeta: {
      baseUrl: "https://o.example/",
      headers: { one: { secret: "shopPin" }, list: ["l-4711"], secret: "s-4711" },
    },
  });

  const { contents, unfit } = await exportIt(secrets);

  expect(JSON.stringify(contents)).not.toContain("4711");
  expect(referencesIn(contents).filter((name) => name in secrets)).toEqual([]);
  expect(unfit).toHaveLength(2);
});

it("treats an address with a secret's name as a secret, in files, exports and plans", async () => {
  const { apis, exportIt } = startOne();
  const [url = "", ...others] = [
    "sig",
    "pwd",
    "pass",
    "signature",
    "code",
    "auth",
    "access_token",
    "apikey",
    "client_secret",
  ].map((name) => `https://crm.example/hook?a=1&${name}=v4711`);
  const triggers = ["message_sent"];
  const reference = { secret: "crmUrl" };
  const contentsWith = (address: unknown) => ({
    webhooks: { webhooks: [{ id: "crm", url: address, triggers }] },
    bots: { bots: [{ uid: "robot", name: "Robot", url: address }] },
    agents: { mcpServers: [{ slug: "m", name: "M", url: address }] },
  });
  const made = await apis.plan(contentsWith(reference), { secrets: { crmUrl: url } });
  await apis.apply(contentsWith(reference), { secrets: { crmUrl: url } });

  const { contents, unfit } = await exportIt({ crmUrl: url }, contentsWith(reference));
  const moved = await apis.plan(contentsWith("https://b.example/"));
  const taken = [url, ...others].filter((address) =>
    subjects.some(({ name, schema }) => schema.safeParse(Reflect.get(contentsWith(address), name)).success),
  );

  expect(unfit).toEqual([]);
  expect(contents).toMatchObject(contentsWith(reference));
  expect(JSON.stringify([made, moved].map(({ steps }) => steps.map(({ changes }) => changes)))).not.toMatch(
    /4711/,
  );
  expect(taken).toEqual([]);
});

it("keeps names of hidden credentials only for the same origin", async () => {
  const { apis, exportIt, agentApiTools: tools } = startOne();
  const reference = (end: string) => ({ secret: `tool-stock-${end}` });
  const credentials = { username: reference("username"), password: reference("password") };
  const { enableBasicAuth: _, ...usual } = tool;
  const stock = { ...usual, slug: "stock", endpoint: "https://old.example/a", credentials };
  const before = { agents: { apiTools: [stock] } };
  const secret = { "tool-stock-username": "shop", "tool-stock-password": "shop-4711" };
  await apis.apply(before, { secrets: secret });

  const same = await exportIt(secret, before);
  await tools.update("stock", {
    endpoint: "https://new.example/a",
    basicAuthUsername: "n",
    basicAuthPassword: "n",
  });
  const moved = await exportIt(secret, before);
  const planned = await apis.plan(moved.contents, { secrets: secret });

  const held = ["tool-stock-password", "tool-stock-username"];
  expect([same.uncompared, referencesIn(same.contents).toSorted()]).toEqual([held, held]);
  expect([moved.uncompared, referencesIn(moved.contents).toSorted()]).toEqual([
    held,
    held.map((name) => `${name}-2`),
  ]);
  expect(planned.steps.flatMap(({ missingSecrets }) => missingSecrets)).toHaveLength(2);
});

it("sends hidden credentials only when the address changes", async () => {
  const { apis } = startOne();
  const credentials = { username: { secret: "user" }, password: { secret: "pass" } };
  const stock = { slug: "stock", name: "S", description: "d", endpoint: icon, method: "GET", credentials };
  const contents = (change: object) => ({ agents: { apiTools: [{ ...stock, ...change }] } });
  const options = { secrets: { user: "shop", pass: "shop-4711" } };
  await apis.apply(contents({}), options);
  const targetOf = async (change: object, writesUnknown = false) =>
    Object.keys(
      (await apis.plan(contents(change), { ...options, switches: { writesUnknown } })).steps[0]?.target ?? {},
    );

  expect(await targetOf({ description: "other" })).toEqual(["description"]);
  expect(await targetOf({ endpoint: "https://b.example/" })).toContain("basicAuthPassword");
  expect(await targetOf({}, true)).toContain("basicAuthPassword");
  await apis.apply(contents({ credentials: undefined }), options);
  expect(await targetOf({})).toContain("basicAuthPassword");
});

it("writes no masked value to a file or to the platform", async () => {
  const shown = { mask: false };
  const { apisOf } = startApps({
    after: async ({ url }, answer) =>
      shown.mask && url.includes("/ai-agents/")
        ? new Response((await answer.text()).replaceAll(/[a-z]*4711/g, "****"), answer)
        : undefined,
  });
  const apis = apisOf("local-app");
  const file = (isActive: boolean) => ({
    agents: {
      variables: [{ name: "v", sourceType: "constant", constantValue: { secret: "one" } }],
      ownAgents: [{ name: "o", icon, integrateWith: "ag-ui", baseUrl: { secret: "two" }, isActive }],
    },
  });
  const secret = { one: "one4711", two: "https://o.example/two4711" };
  await apis.apply(file(true), { secrets: secret });
  shown.mask = true;

  const { files } = await apis.export(subjects, secret);
  const plan = await apis.plan(file(false), { secrets: secret });
  await apis.apply(file(false), { secrets: secret });
  await apis.apply({
    agents: { ownAgents: [{ name: "o", icon, integrateWith: "ag-ui", agentId: "other" }] },
  });
  shown.mask = false;

  expect(JSON.stringify(files)).not.toMatch(/\*\*\*|4711/);
  expect(toDoOf(plan)).toEqual(["update own agent o: isActive"]);
  const [agent] = await Array.fromAsync(apis.chat.using({ byoAgents }).byoAgents.list());
  expect(agent).toMatchObject({ isActive: false, integrationMeta: { agentId: "other" } });
  expect(JSON.stringify(agent)).not.toContain("***");
});

import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { agentApiTools } from "../../../../lib/chat/agents/agent-parts.ts";
import { agents } from "../../../../lib/chat/agents/agents.ts";
import { secretNameAt } from "../../../../lib/operate/app-as-code/name-secrets.ts";
import { referencesIn } from "../../../../lib/operate/app-as-code/secret-reference.ts";
import { agentsSubject } from "../../../../lib/operate/app-as-code/subjects/agents.ts";
import { subjects } from "../../../../lib/operate/app-as-code/subjects.ts";
import { startApp, startApps } from "../../../helpers/app-apis.ts";

const secrets = {
  region: "us-west",
  webhookUsername: "platform",
  apiKey: "key-4711-key",
  mcp: "https://mcp.example/s/u4711abcdef",
  plain: "s3cr3t4711value",
  template: "<pin>b4711</pin>",
};
const [mcp, plain, template] = ["mcp", "plain", "template"].map((secret) => ({ secret }));
const tool = { slug: "s", name: "platform", description: "us-west" };
const icon = "https://i.example/i";

it("exports each text with a value of the app's secret as a reference, wherever it is", async () => {
  const { apis } = startApp();
  const content = {
    variables: [
      { name: "login", sourceType: "constant", constantValue: plain },
      { name: "usual", sourceType: "user_metadata", sourcePath: "k", defaultValue: plain },
    ],
    texts: [],
    apiTools: [{ ...tool, endpoint: mcp, bodyTemplate: template }],
    mcpServers: [{ slug: "m", name: "M", url: mcp }],
    frontendActions: [],
    agents: [{ name: "A", modelMetaData: { credential: plain }, metaData: { inner: { pin: plain } } }],
    ownTools: [],
    ownAgents: [{ name: "o", icon, integrateWith: "ag-ui", baseUrl: mcp, headers: {} }],
  };
  await apis.apply({ agents: content }, { secrets });
  const part = { name: "B", metaData: { note: `pin ${secrets.plain}`, other: secrets.apiKey } };
  await apis.apply({ agents: { agents: [part] } });

  const { files } = await apis.export([agentsSubject], secrets, { contentOf: () => content });

  expect(JSON.stringify(files)).not.toContain("4711");
  expect(files[0]?.unfit).toEqual([]);
  expect(files[0]?.content).toMatchObject({
    variables: content.variables,
    mcpServers: content.mcpServers,
    apiTools: content.apiTools,
    agents: [
      content.agents[0],
      {
        metaData: {
          note: { secret: "agent-B-metaData-note" },
          other: { secret: expect.any(String) },
        },
      },
    ],
    ownAgents: [{ name: "o", icon, integrateWith: "ag-ui", baseUrl: mcp }],
  });
});

it("exports no value of a variable that is named like a secret, and refuses it in a file", async () => {
  const { apis } = startApp();
  const variable = { name: "shopKey", sourceType: "user_metadata", sourcePath: "k" };
  const secret = { secret: "plain" };
  await apis.apply({ agents: { variables: [{ ...variable, defaultValue: secret }] } }, { secrets });

  const { files } = await apis.export([agentsSubject]);
  const file = { variables: [{ ...variable, defaultValue: secrets.plain }] };

  expect(files[0]?.content.variables).toEqual([
    { ...variable, defaultValue: { secret: "variable-shopKey-defaultValue" } },
  ]);
  expect(agentsSubject.schema.safeParse(file).success).toBe(false);
});

it("names a field by its resource, independent of list order", async () => {
  const { apis } = startApp();
  const add = async (name: string) => {
    const metaData = {
      site: `of ${secrets.plain}`,
      list: [{ name: "b", a: secrets.apiKey }, secrets.apiKey],
    };
    await apis.apply({ agents: { agents: [{ name, metaData }] } });
    const { files } = await apis.export([agentsSubject], secrets);
    const made = z.array(z.looseObject({ name: z.string() })).parse(files[0]?.content.agents);
    return new Map(made.map((agent) => [agent.name, referencesIn(agent)]));
  };

  const before = await add("Echo");
  await add("Ärger_1");
  const after = await add("Advisor");

  expect(after.get("Echo")).toEqual(before.get("Echo"));
  expect(before.get("Echo")).toEqual(
    ["site", "list-b-a", "list-1"].map((field) => `agent-Echo-metaData-${field}`),
  );
  expect(new Set([...after.values()].flat()).size).toBe(9);
});

it("puts no secret value into a field's name", async () => {
  const { apis } = startApp();
  const list = [
    { key: "unknown-4711", token: "other-4711" },
    { id: secrets.plain, token: "third-4711" },
  ];
  const headers = JSON.stringify({ [secrets.plain]: "fourth-4711" });
  const calls = apis.chat.using({ agents, agentApiTools });
  await calls.agents.create({ name: "A", instruction: "a", metaData: { list } });
  const one = { slug: "s", name: "S", description: "d", endpoint: icon, enableBasicAuth: false } as const;
  await calls.agentApiTools.create({ ...one, method: "GET", headers });

  const { files } = await apis.export([agentsSubject], secrets);

  const names = referencesIn(files);
  expect(names).toContain("agent-A-metaData-list-0-token");
  expect(names.length).toBe(5);
  expect(names.join()).not.toMatch(/4711/);
});

it("lists the secret's fields that differ from the platform's values", async () => {
  const { apis } = startApp();
  const header = (secret: string) => ({ headers: { Authorization: { secret } } });
  const tools = ["old", "same", "none"].map((slug) => ({ ...tool, slug, endpoint: icon, ...header(slug) }));
  const shown = { old: "Bearer new-4711", same: "Bearer same-4711", none: "Bearer none-4711" };
  await apis.apply({ agents: { apiTools: tools } }, { secrets: shown });
  const held = {
    "tool-old-headers-Authorization": "Bearer old-4711",
    "tool-same-headers-Authorization": shown.same,
    another: shown.same,
  };

  const exported = await apis.export([agentsSubject], held);

  expect(exported.otherValues).toEqual(["tool-old-headers-Authorization"]);
  const names = referencesIn(exported.files[0]?.content);
  expect(names).toContain("tool-same-headers-Authorization");
  expect(names).toContain("tool-old-headers-Authorization-2");
});

it("does not search for ids, regions, user names, hosts and everyday words", async () => {
  const apis = startApps().apisOf("local-app");
  const open = {
    appId: "local-app",
    region: "us-west",
    botUsername: "platform",
    webhookSignature: "required",
    plan: "premium",
    shop: "https://shop.example/",
  };
  const contents = {
    webhooks: { webhooks: [{ id: "crm", url: "https://crm.example/local-app", triggers: ["message_sent"] }] },
    bots: { bots: [{ uid: "robot", name: "Robot", url: "https://shop.example/us-west" }] },
    roles: { roles: [{ role: "expert", name: "Expert", description: "Of premium users of local-app" }] },
    agents: {
      agents: [{ name: "A", instruction: "On this platform, be kind to premium users." }],
      ownAgents: [{ name: "O", icon, integrateWith: "ag-ui", baseUrl: "https://o.example/local-app" }],
    },
  };
  await apis.apply(contents);

  const { files } = await apis.export(subjects, open);

  expect(referencesIn(files)).toEqual([]);
  expect(files.flatMap(({ unfit }) => unfit)).toEqual([]);
});

it("reports a secret's value in a field that allows no reference", async () => {
  const { apis } = startApp();
  const role = { role: "expert", name: "Expert", description: `Knows ${secrets.plain}` };
  await apis.apply({ roles: { roles: [role] } });

  const { files } = await apis.export(subjects, secrets);

  expect(files.flatMap(({ unfit }) => unfit)).toEqual([
    "roles.0.description: has a value of the app's secret, and no reference may stand there",
  ]);
});

const path = fc.array(fc.stringMatching(/^[a-z_-]{1,5}$/), { minLength: 1, maxLength: 3 });

it("gives different paths different names", () => {
  fc.assert(
    fc.property(path, path, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(secretNameAt(one) === secretNameAt(other)).toBe(isSame);
      expect(secretNameAt(one)).toMatch(/^[A-Za-z][\w-]{0,127}$/);
    }),
    {
      examples: [
        [["a", "b"], ["a-b"]],
        [["a-b"], ["a_b"]],
        [
          ["fcm", "x y.1/ü"],
          ["fcm", "x.y.1/ü"],
        ],
        [
          ["x".repeat(200), "a"],
          ["x".repeat(200), "b"],
        ],
      ],
    },
  );
});

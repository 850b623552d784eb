import fc from "fast-check";
import { expect, it } from "vitest";
import { exportApp } from "../../../../lib/operate/app-as-code/export-app.ts";
import { findSecrets, secretNameAt } from "../../../../lib/operate/app-as-code/secret-reference.ts";
import { agentsSubject } from "../../../../lib/operate/app-as-code/subjects/agents.ts";
import { startApps, testFacts } from "../../../helpers/app-apis.ts";
import { applyToApp } from "../../../helpers/plan-of-app.ts";

const secrets = {
  ...{ region: "us-west", webhookUsername: "platform", apiKey: "key-4711-key" },
  ...{ mcp: "https://mcp.example/s/u4711abcdef", plain: "s3cr3t4711value", template: "<pin>b4711</pin>" },
};
const [mcp, plain, template] = ["mcp", "plain", "template"].map((secret) => ({ secret }));
const tool = { slug: "s", name: "platform", description: "us-west" };
const icon = "https://i.example/i";

it("exports each text with a value of the app's secret as a reference, wherever it is", async () => {
  const apis = startApps().apisOf("one");
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
  await applyToApp(apis, { agents: content }, { secrets });
  const part = { name: "B", metaData: { note: `pin ${secrets.plain}`, other: secrets.apiKey } };
  await applyToApp(apis, { agents: { agents: [part] } });

  const facts = { ...testFacts, ...findSecrets(secrets) };
  const { files } = await exportApp([agentsSubject], apis, facts);

  expect(JSON.stringify(files)).not.toContain("4711");
  expect(files[0]?.unfit).toEqual([]);
  expect(files[0]?.content).toMatchObject({
    ...{ variables: content.variables, mcpServers: content.mcpServers, apiTools: content.apiTools },
    agents: [
      content.agents[0],
      {
        metaData: {
          note: { secret: "agents-agents-1-metaData-note" },
          other: { secret: expect.any(String) },
        },
      },
    ],
    ownAgents: [{ name: "o", icon, integrateWith: "ag-ui", baseUrl: mcp }],
  });
});

it("exports no value of a variable that is named like a secret, and refuses it in a file", async () => {
  const apis = startApps().apisOf("one");
  const variable = { name: "shopKey", sourceType: "user_metadata", sourcePath: "k" };
  const secret = { secret: "plain" };
  await applyToApp(apis, { agents: { variables: [{ ...variable, defaultValue: secret }] } }, { secrets });

  const { files } = await exportApp([agentsSubject], apis, testFacts);
  const file = { variables: [{ ...variable, defaultValue: secrets.plain }] };

  expect(files[0]?.content.variables).toEqual([
    { ...variable, defaultValue: { secret: "variable-shopKey-defaultValue" } },
  ]);
  expect(agentsSubject.schema.safeParse(file).success).toBe(false);
});

const path = fc.array(fc.stringMatching(/^[a-z_-]{1,5}$/), { minLength: 1, maxLength: 3 });

it("gives different paths different names", () => {
  fc.assert(
    fc.property(path, path, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(secretNameAt(one) === secretNameAt(other)).toBe(isSame);
    }),
    {
      examples: [
        [["a", "b"], ["a-b"]],
        [["a-b"], ["a_b"]],
      ],
    },
  );
});

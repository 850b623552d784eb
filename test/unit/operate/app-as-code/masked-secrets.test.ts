import { expect, it } from "vitest";
import { keepApp } from "../../../../lib/operate/app-as-code/keep-apps.ts";
import { declareApp } from "../../../../lib/operate/app-as-code/plan-app.ts";
import { subjects } from "../../../../lib/operate/app-as-code/subjects.ts";
import { startApps, testFacts, testSecrets, toDoOf, toldOf } from "../../../helpers/app-apis.ts";

const secrets = { ...testSecrets, agentKey: "agent-key-4711", own: "own-4711" };
const contents = (note: string) => ({
  agents: {
    variables: [{ name: "v", sourceType: "constant", constantValue: { secret: "own" } }],
    apiTools: [{ slug: "s", name: "S", description: "d", tool: "s", headers: { ...header, Accept: note } }],
    agents: [{ name: "A", metaData: { inner: [{ apiKey: { secret: "own" } }], note } }],
    ownAgents: (["ag-ui", "ag2", "rasa"] as const).map((integrateWith) => ({
      name: integrateWith,
      icon: "https://i.example/i",
      integrateWith,
      baseUrl: "https://o.example/",
      headers: { ...header, Accept: note },
    })),
  },
});
const header = { "X-API-Key": { secret: "agentKey" } };

it.each([
  ["each secret", /agent-key-4711|own-4711/g, "***"],
  ["whole headers", /"(\\"|[^"])*agent-key-4711(\\"|[^"])*"/g, '"••••"'],
])("counts %s as unknown when masked, in applies and nightly repairs", async (_what, secret, mask) => {
  const { apisOf } = startApps({
    after: async ({ url }, answer) =>
      url.includes("/ai-agents/")
        ? new Response((await answer.text()).replaceAll(secret, mask), answer)
        : undefined,
  });
  const apis = apisOf("local-app");
  const declared = (note: string) => declareApp(subjects, (name) => Object(contents(note))[name], testFacts);
  const keep = (note: string) =>
    keepApp({
      kinds: subjects.flatMap(({ kinds }) => kinds),
      declared: declared(note),
      apis,
      isRehearsal: false,
      isRotating: async () => false,
      secretOf: async (name) => new Map(Object.entries(secrets)).get(name),
    });

  const made = await apis.apply(contents("text/plain"), { secrets });
  const plan = await apis.plan(contents("text/plain"), { secrets });
  const night = await keep("text/plain");
  const changed = await keep("text/html");
  const written = await apis.apply(contents("text/html"), {
    secrets,
    switches: { writesUnknown: true },
  });

  expect(made.filter((one) => "cause" in one)).toEqual([]);
  expect(toDoOf(plan)).toEqual([]);
  expect(plan.steps.flatMap(({ unknown }) => unknown)).toContain("headers");
  expect(night.drift).toBe(0);
  expect(changed.things.filter((one) => "cause" in one)).toEqual([]);
  expect(toldOf(written)).toContain("updated API tool s");
  expect(written.filter((one) => "cause" in one)).toEqual([]);
});

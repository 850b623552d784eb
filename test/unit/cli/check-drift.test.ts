import { expect, it } from "vitest";
import { checkDrift } from "../../../cli/doctor/check-drift.ts";
import { remediesFor } from "../../../lib/operate/doctor/remedies.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

const kind = "local";
const current = { state: "live", isPartial: false, problems: [], needsRestart: [] };
const fixCode = "Correct the code: the local stack then builds it by itself";
const { signal } = new AbortController();
const served = { appIds: [], triggers: [], flows: [], needs: [], canaries: [] };
const configured = { ...served, triggers: [{ name: "echo", isShadowed: false }] };

it.each([
  ["builds an edit", { state: "building", isPartial: false }],
  ["runs a part of an edit", { state: "live", isPartial: true }],
])("checkDrift does not compare while the local stack %s", async (_, state) => {
  const { url } = await startLoopbackServer((_request, response) =>
    response.end(JSON.stringify({ ...current, ...state })),
  );

  const found = await checkDrift(
    configured,
    served,
    { kind, consoleUrl: url },
    remediesFor("--local"),
    signal,
  );

  expect(found).toEqual({
    status: "unknown",
    says: "An edit is being built: ask again when it is live.",
  });
});

it("checkDrift names edits that need a restart", async () => {
  const { url } = await startLoopbackServer((_request, response) =>
    response.end(JSON.stringify({ ...current, needsRestart: ["the new function notify"] })),
  );

  const found = await checkDrift(served, served, { kind, consoleUrl: url }, remediesFor("--local"), signal);

  expect(found).toEqual({
    status: "wrong",
    says: "The local stack needs a restart to apply the new function notify.",
    remedy: "End the running npm start, then: npm start",
  });
});

it.each([
  [
    { file: "functions/own/team-call.ts", line: 15, text: "Error: boom", functionKeys: ["processEvents"] },
    fixCode,
  ],
  [{ file: "lib/word.ts", line: 1, text: 'Unexpected ";"' }, fixCode],
  [{ text: "Runtime.HandlerNotFound: no handler", functionKeys: ["word"] }, fixCode],
  [{ file: "config/triggers.yml", text: "unknown" }, "npm run config"],
  [{ file: "serverless.yml", text: "no YAML" }, "npm run config"],
  [{ text: "config/ is missing" }, "npm run config"],
])("checkDrift suggests `npm run config` only for problems that it checks: %o", async (problem, remedy) => {
  const { url } = await startLoopbackServer((_request, response) =>
    response.end(JSON.stringify({ ...current, state: "broken", problems: [problem] })),
  );

  const found = await checkDrift(served, served, { kind, consoleUrl: url }, remediesFor("--local"), signal);

  expect(found).toMatchObject({ status: "wrong", says: expect.stringContaining(problem.text), remedy });
});

it("checkDrift suggests restarting the running local stack", async () => {
  const found = await checkDrift(configured, served, { kind }, remediesFor("--local"), signal);

  expect(found).toMatchObject([{ status: "wrong", remedy: "End the running npm start, then: npm start" }]);
});

it("checkDrift warns of a rolled-back version before a deployment", async () => {
  const found = await checkDrift(configured, served, { kind: "stage" }, remediesFor("--stage prod"), signal);

  expect(found).toEqual([
    {
      status: "wrong",
      says: "config/ names triggers that are not deployed: echo. After a rollback, correct the code before you deploy it again.",
      remedy: "npx cometchat-functions deploy --stage prod",
    },
  ]);
});

it.each([
  ["trigger", { triggers: configured.triggers }],
  ["app", { appIds: ["shop"] }],
])("checkDrift does not suggest to undo what another checkout deployed: a %s", async (_, more) => {
  const deployed = { ...served, ...more };

  const found = await checkDrift(served, deployed, { kind: "stage" }, remediesFor("--stage prod"), signal);

  expect(found).toMatchObject([
    {
      status: "unknown",
      says: expect.stringContaining(
        "Another checkout or a rollback may have deployed them: deploy this one only after git pull.",
      ),
      remedy: "git pull, then: npx cometchat-functions doctor --stage prod",
    },
  ]);
});

it("checkDrift suggests no deployment that would turn a deployed trigger off or into a shadow", async () => {
  const shadowed = { ...served, triggers: [{ name: "echo", isShadowed: true }] };

  const found = await checkDrift(
    shadowed,
    configured,
    { kind: "stage" },
    remediesFor("--stage prod"),
    signal,
  );

  expect(found).toMatchObject([{ status: "unknown" }, { status: "unknown" }]);
  expect(JSON.stringify(found)).not.toContain("functions deploy");
});

it("checkDrift suggests restarting a local stack that serves more than config/", async () => {
  const found = await checkDrift(served, configured, { kind }, remediesFor("--local"), signal);

  expect(found).toMatchObject([{ status: "wrong", remedy: "End the running npm start, then: npm start" }]);
});

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { startLocalServer } from "../../local/cloud/local-server.ts";
import { operatorOf } from "../../local/console/operate.ts";
import { createFlowActions } from "../../local/console/routes/flows-routes.ts";
import { type RunningConsole, startConsole } from "../../local/console/start-console.ts";
import { noFaults } from "../../local/platform/faults/control.ts";
import { publishAddresses } from "../../local/stack/publish-addresses.ts";
import { firstByDay, isNight } from "../helpers/by-day.ts";
import { callApp } from "../helpers/call-app.ts";
import { editFile } from "../helpers/edit-file.ts";
import { copyWithFlows, flowsCloud } from "../helpers/flows-project.ts";
import { plantPerson } from "../helpers/plant-person.ts";
import { expectEnd, type Ran } from "../helpers/run-chat.ts";
import { settle, unsubscribe } from "../helpers/settle.ts";
import { chat, useChat, world } from "../helpers/use-chat.ts";

const folder = await copyWithFlows({
  "config/users.yml": "legalHold: [held-5]\nusers: [{ uid: declared-5, name: Declared }]\n",
});
const project = useChat({ cloud: flowsCloud(folder) });
let view: RunningConsole;
beforeAll(async () => {
  view = await startConsole({ localStack: world, report: (text) => process.stderr.write(`${text}\n`) });
  publishAddresses(project.folder, world.cloud, world.clock, view.url);
});
afterAll(() => view.close());

describe("flows", () => {
  let remind: string;
  let listening: string;
  beforeAll(async () => {
    const { start } = createFlowActions(world, operatorOf(world.cloud, Date.now));
    const of = { appId: "local-app", region: "us", waitsFor: [] };
    ({ id: remind } = await start({
      ...of,
      flow: "remind",
      waitsFor: ["message_sent"],
      input: { uid: "alice", what: "a secret wish" },
    }));
    ({ id: listening } = await start({ ...of, flow: "long", input: { steps: 0 } }));
    const showsWait = async () =>
      expect((await chat(`flows ${listening} --local`)).stdout).toMatch(/wait started/);
    await vi.waitFor(showsWait, { timeout: 60_000 });
  });

  it("lists running flows, and shows one with its steps, and with its input only if requested", async () => {
    const listed = await chat("flows --local --json");
    const shown = await chat(`flows ${remind} --local`);
    const all = await chat(`flows ${remind} --local --with-content`);

    const flows = [remind, listening].map((id) => expect.objectContaining({ id, status: "RUNNING" }));
    expect(listed.json).toEqual([{ flows: expect.arrayContaining(flows) }]);
    expectEnd(
      shown,
      0,
      "remind of app local-app, RUNNING",
      `flows --local ${remind} --cancel`,
      /step succeeded +greet/,
    );
    expect(shown.stdout).not.toContain("secret wish");
    expect(all.stdout).toContain("a secret wish");
  });

  it("does not call the newest flows all flows", async () => {
    expectEnd(await chat("flows --local --limit 1"), 0, /^the newest 1 flow, RUNNING\n/, "--limit");
    expectEnd(await chat("flows --local"), 0, /^2 flows, RUNNING\n/);
  });

  describe("a failed flow", () => {
    let failed: string;
    const failedIds = async (options = "") => {
      const { json } = await chat(`flows --local --status FAILED --json ${options}`);
      return listedSchema.parse(json[0]).flows.map(({ id }) => id);
    };
    beforeAll(async () => {
      const { start } = createFlowActions(world, operatorOf(world.cloud, Date.now));
      const of = { appId: "local-app", region: "us", waitsFor: [] };
      ({ id: failed } = await start({ ...of, flow: "slips", input: { uid: "alice" } }));
      await vi.waitFor(async () => expect(await failedIds()).toEqual([failed]), { timeout: 60_000 });
    });

    it("is listed by its flow and app", async () => {
      expect(await failedIds("--flow slips --app local-app")).toEqual([failed]);
      expect(await failedIds("--flow remind")).toEqual([]);
      expect(await failedIds("--app school")).toEqual([]);
    });

    it("is started again, once, and sends once what it had sent", async () => {
      const all = "flows --local --status FAILED --flow slips --restart";
      const restartedIn = (answer: Ran) => restartedSchema.parse(answer.json[0]).restarted;

      expectEnd(await chat(`${all} --dry-run`), 0, "Start 1 flow slips, FAILED, in", "Nothing was changed.");
      const first = await chat(`flows ${failed} --restart --local --yes --json`);
      const [started] = restartedIn(first);
      await expect.poll(() => failedIds(), { timeout: 60_000 }).toHaveLength(2);
      const second = await chat(`flows ${failed} --restart --local --yes --json`);
      const rest = await chat(`${all} --yes`);

      expect(started).toMatchObject({ id: failed, isNew: true });
      expect(restartedIn(second)).toEqual([{ ...started, isNew: false }]);
      expectEnd(
        rest,
        0,
        `The flow ${started?.newId} is started again, as slips_`,
        "  1 skipped: started again before",
      );
      await expect.poll(() => failedIds(), { timeout: 60_000 }).toHaveLength(3);
      const { messages = [] } = world.platform.snapshot().tables;
      expect(messages.filter(({ body }) => String(body).includes("I greet you once"))).toHaveLength(1);
      const shown = await chat(`flows ${failed} --local`);
      expectEnd(shown, 0, `started again as ${started?.newId}`);
      expect(shown.stdout + shown.stderr).not.toContain("--restart");
    });

    it.each([
      ["flows --restart", 2, "--restart needs a flow's id, or --flow and a --status of failed flows."],
      ["flows --restart --flow slips", 2, "a --status of failed flows"],
      ["flows slips_0 --restart --cancel", 2, "cannot be combined"],
      ["flows slips_0 --flow slips", 2, "Omit them, or the id."],
      ["flows slips_0 --restart --yes", 6, 'There is no flow "slips_0".'],
      ["flows --restart --flow slips --status STOPPED --yes", 0, "No flow was started again."],
    ])("ends '%s' with %d", async (line, code, says) => {
      expectEnd(await chat(`${line} --local`), code, says);
    });

    it("is not started again while it runs", async () => {
      expectEnd(
        await chat(`flows ${remind} --restart --local --yes`),
        3,
        `The flow ${remind} has not failed`,
      );
    });
  });

  it("ends a flow that awaits something that never ends", async () => {
    const { start } = createFlowActions(world, operatorOf(world.cloud, Date.now));
    const of = { appId: "local-app", region: "us", waitsFor: [] };
    const { id } = await start({ ...of, flow: "slips", input: { uid: "bob" } });

    const shown = async () => (await chat(`flows ${id} --local`)).stdout;
    await expect
      .poll(shown, { timeout: 60_000 })
      .toContain("cause: The flow awaits something that never ends");
  });

  it("cancels a flow: immediately, or, if it listens, at the second attempt", async () => {
    expectEnd(await chat(`flows ${remind} --cancel --local --yes`), 0, `The flow ${remind} is stopped.`);
    expectEnd(
      await chat(`flows ${remind} --cancel --local --yes`),
      3,
      `The flow ${remind} has ended already, and waits for nothing.`,
    );
    const { stderr } = await chat(`flows ${remind} --local`);
    expect(stderr).not.toContain("--restart");
    expectEnd(await chat(`flows ${remind} --restart --local --dry-run`), 3, "waits for events");
    expectEnd(await chat(`flows ${listening} --cancel --local --yes`), 0, "is asked to end, and cleans up");
    await expect
      .poll(async () => (await chat("flows --local --status SUCCEEDED")).stdout)
      .toContain(listening);
    expectEnd(await chat("flows --local --status STOPPED"), 0, remind);
  });

  it("reports that a flow does not exist", async () => {
    expectEnd(await chat("flows remind_0 --local"), 6, 'There is no flow "remind_0".');
    expectEnd(await chat("flows remind_0 --cancel --local --yes"), 6, 'There is no flow "remind_0".');
  });
});

const flowSchema = z.object({ id: z.string() });
const listedSchema = z.object({ flows: z.array(flowSchema) });
const restartedSchema = z.object({
  restarted: z.array(z.object({ id: z.string(), newId: z.string(), isNew: z.boolean() })),
});

const mia = "mia-77";
let ofMia: readonly string[];

async function plantMia() {
  await world.reset();
  await unsubscribe(world);
  ofMia = await plantPerson(world, mia);
  await settle(world);
  // Two texts are compressed; that of the flow that ends directly is nowhere else; two are in the console.
  await vi.waitFor(() => expect(textsIn(ofMia).stored).toHaveLength(ofMia.length - 5));
}

/**
 * Which texts are in queues, tables and what the platform stores, and which in flows. Leaves out the
 * platform's notes about added members, flags and records of moderation, which nothing can delete,
 * and its deliveries.
 */
function textsIn(texts: readonly string[]) {
  const { queues, tables, executions } = world.cloud.contents();
  const { deliveries: _, documents = [], messages = [], ...rows } = world.platform.snapshot().tables;
  const others = messages.filter(({ body }) => !String(body).includes('"action":"added"'));
  const kept = documents.filter(({ kind }) => !/^moderation-(flagged|reviewed)$/.test(String(kind)));
  const stored = JSON.stringify([queues, tables, rows, others, kept]);
  const flows = JSON.stringify(executions);
  return {
    stored: texts.filter((text) => stored.includes(text)),
    inFlows: texts.filter((text) => flows.includes(text)),
  };
}

/** Which texts the console shows, in its calls, its events or its log. */
async function textsInConsole(texts: readonly string[]): Promise<readonly string[]> {
  const isShown = async (text: string) => {
    const lists = ["calls?text", "journeys?search", "log?level=debug&text"].map(async (list) => {
      const url = `${view.url}/api/${list}=${encodeURIComponent(text)}`;
      const response = await fetch(url, { headers: { connection: "close" } });
      return await response.text();
    });
    return (await Promise.all(lists)).some((list) => list.includes('"id"'));
  };
  const shown = await Promise.all(texts.map(async (text) => ((await isShown(text)) ? [text] : [])));
  return shown.flat();
}

/** The events whose texts contain this one, with their outcomes. */
async function outcomesInConsole(text: string) {
  const response = await fetch(`${view.url}/api/journeys?search=${text}`, {
    headers: { connection: "close" },
  });
  return shownSchema.parse(await response.json()).rows.map(({ id, title }) => ({ id, title }));
}

const shownSchema = z.object({ rows: z.array(z.object({ id: z.string(), title: z.string() })) });

const itemSchema = z.object({ stays: z.optional(z.string()) });
const exportedSchema = z.object({
  stores: z.array(z.object({ store: z.string(), items: z.array(itemSchema) })),
});

const erasedSchema = z.object({
  stores: z.array(z.object({ store: z.string(), cause: z.optional(z.string()) })),
});

const erase = (options = "", edges = {}) => chat(`people erase ${mia} --local ${options}`, { edges });

describe("people export", () => {
  beforeEach(plantMia);

  it.runIf(isNight)("finds a user who is only in a snapshot", async () => {
    const { stored } = textsIn(ofMia);
    await plantPerson(world, mia, "school");
    const bot = { uid: mia, webhookURL: "http://127.0.0.1:9/", useBasicAuth: true, username: "bot" };
    await callApp(world, "POST /bots", { ...bot, password: "a-bots-password" });
    await world.snapshots.save("with mia");
    await world.reset();

    const { stdout } = await chat(`people export ${mia} --local --json`);
    await world.snapshots.restore("with mia");
    const { exitCode } = await erase("--yes");

    expect(stored.filter((text) => !stdout.includes(text))).toEqual([]);
    expect(stdout).toContain("groupMessages");
    expect(stdout).not.toContain("a-bots-password");
    expect([exitCode, world.snapshots.list()]).toEqual([0, []]);
  });

  it("shows no token, and writes a file that only its user can read, once", async () => {
    const file = join(project.folder, "mia.json");
    const { auth_tokens: tokens = [] } = world.platform.snapshot().tables;
    const { exitCode, stdout } = await chat(`people export ${mia} --local --to ${file}`);
    const again = await chat(`people export ${mia} --local --to ${file}`);
    const trail = await chat("logs --local --function audit");

    const text = readFileSync(file, "utf8");
    expect([exitCode, again.exitCode, statSync(file).mode & 0o777]).toEqual([0, 2, 0o600]);
    expect(ofMia.filter((one) => !text.includes(one))).toEqual([]);
    expect(ofMia.filter((one) => stdout.includes(one))).toEqual([]);
    expect(tokens.length).toBeGreaterThan(0);
    expect(tokens.filter(({ auth_token: token }) => text.includes(String(token)))).toEqual([]);
    // The second ends before it searches.
    expect(trail.stdout.match(/ended a command.*command="?people export/g)).toHaveLength(1);
  });
});

describe("people erase", () => {
  beforeEach(plantMia);

  it("deletes all that an export finds, and nothing of other users or apps", async () => {
    const ofOthers = [...(await plantPerson(world, "ben-12")), ...(await plantPerson(world, mia, "school"))];
    const others = textsIn(ofOthers).stored;
    const outcomesBefore = await outcomesInConsole("ben-12");
    await world.snapshots.save("with mia");
    const exportMia = () => chat(`people export ${mia} --local --json`);
    const storesOf = ({ json }: Ran) => exportedSchema.parse(json[0]).stores;

    expect(outcomesBefore.length).toBeGreaterThan(0);
    const tag = ofMia[0]?.slice(0, 15) ?? "";
    expect(await textsInConsole([tag, mia])).toEqual([tag, mia]);

    const found = await exportMia();
    const { exitCode, stdout, stderr } = await erase("--yes");

    expectEnd(found, 0);
    expect(ofMia.length).toBeGreaterThanOrEqual(40);
    expect(ofMia.filter((text) => !found.stdout.includes(text))).toEqual([]);
    expect(ofOthers.filter((text) => found.stdout.includes(text))).toEqual([]);
    expect(found.json).toMatchObject([
      { uid: mia, unreachable: expect.arrayContaining([{ what: expect.any(String) }]) },
    ]);
    expect(storesOf(found).filter(({ items }) => items.length === 0)).toEqual([]);
    expect([exitCode, textsIn(ofMia)]).toEqual([0, { stored: [], inFlows: [] }]);
    expect(await textsInConsole([tag, mia])).toEqual([]);
    expect(await outcomesInConsole("ben-12")).toEqual(outcomesBefore);
    expect(world.snapshots.list()).toEqual([]);
    expect(textsIn(ofOthers).stored).toEqual(expect.arrayContaining(others));
    expect(ofMia.filter((text) => `${stdout}${stderr}`.includes(text))).toEqual([]);
    expect(stdout).toMatch(/[12] in platform notes: /);
    expect(stdout).toContain("1 in platform calls: no operation deletes a call's record");
    const left = storesOf(await exportMia()).filter(({ items }) =>
      items.some(({ stays }) => stays === undefined),
    );
    expect(left).toEqual([]);
  });

  it("erases the other stores if the platform refuses one, and ends with 7", async () => {
    const refuse = {
      on: "request",
      operationId: "delete-message",
      fault: "serverError",
      status: 403,
    } as const;
    world.platform.faults.set({ ...noFaults, rules: [refuse] });

    const { exitCode, json } = await erase("--yes --json");

    world.platform.faults.set(noFaults);
    expect(exitCode).toBe(7);
    const { stores } = erasedSchema.parse(json[0]);
    expect(stores.flatMap(({ store, cause }) => (cause === undefined ? [] : [store]))).toEqual([
      "platform messages",
    ]);
    expect(textsIn(ofMia).stored).toEqual([]);
  });

  it.each(firstByDay(["--dry-run --yes", ""]))("changes nothing with '%s'", async (options) => {
    const before = textsIn(ofMia);

    expectEnd(await erase(options), options === "" ? 3 : 0, /^platform messages {2}\d+ found$/m);
    expect(textsIn(ofMia)).toEqual(before);
  });

  it.each(["before", "during"])("refuses a user whose legal hold begins %s the search", async (when) => {
    const before = textsIn(ofMia);
    const hold = () => editFile(join(project.folder, "config/users.yml"), () => "legalHold: [MIA-77]\n");
    const answer = () => {
      hold();
      return true;
    };
    if (when === "before") hold();

    const ended = await chat(`people erase ${mia} --local`, { answers: [answer] });

    expectEnd(ended, 3, "The user is under a legal hold. Nothing was changed.");
    expect(textsIn(ofMia)).toEqual(before);
  });

  it.each([
    ["held-5", "The user is under a legal hold. Nothing was changed."],
    ["Declared-5", "the nightly job would create the user again. Nothing was changed."],
  ])("refuses %s of the deployed config/users.yml", async (uid, says) => {
    expectEnd(await chat(`people erase ${uid} --local --yes`), 3, says);
  });
});

it.runIf(isNight)("leaves out flows in a stage without their function (`flows: off`)", async () => {
  const { region, endpoints } = world.cloud;
  const front = await startLocalServer(async (request, response) => {
    const body = new Uint8Array(await buffer(request));
    const headers = { "content-type": request.headers["content-type"] ?? "" };
    const answer = await fetch(endpoints.AWS_ENDPOINT_URL_CLOUDFORMATION, { method: "POST", body, headers });
    const text = (await answer.text()).replaceAll("FlowsLambdaFunction", "OtherLambdaFunction");
    response.writeHead(answer.status, { "content-type": "text/xml" }).end(text);
  });
  const publish = (of: typeof endpoints) =>
    publishAddresses(project.folder, { region, endpoints: of }, world.clock, view.url);
  await plantMia();
  publish({ ...endpoints, AWS_ENDPOINT_URL_CLOUDFORMATION: front.url });

  const ended = await chat(`people export ${mia} --local --json`);

  publish(endpoints);
  await front.close();
  expectEnd(ended, 0);
  const stores = exportedSchema.parse(ended.json[0]).stores.map(({ store }) => store);
  expect(stores).not.toContain("flows");
  expect(stores).toContain("FlowsTable");
});

it("does not count the console's record of the operator's own commands as found", async () => {
  const looked = await chat("trace --user nobody-8 --local");
  const ended = await chat("people export nobody-8 --local --json");

  expect(looked.stderr + looked.stdout).toContain("nobody-8");
  expect(ended.stdout).toContain('"store":"local console","count":1');
  expect(ended.exitCode).toBe(6);
});

it.each([
  ["erase nobody-9 --yes", 0, "Nothing was found of nobody-9.\n"],
  ["export a.b", 2, "is not a uid"],
])("ends people %s with %d", async (line, code, says) => {
  expectEnd(await chat(`people ${line} --local`), code, says);
});

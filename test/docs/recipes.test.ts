import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messageBody } from "../../local/testing/events/message-body.ts";
import { signedRequest } from "../../local/testing/signed-request.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";
import { runVitest } from "../helpers/run-vitest.ts";
import { signWithSecret } from "../helpers/tokens.ts";
import { joinRecipes, readRecipes } from "./read-recipes.ts";
import {
  createRecipeWorld,
  eventually,
  type OtherHosts,
  type RecipeWorld,
  startOtherHosts,
} from "./recipe-world.ts";

const root = join(import.meta.dirname, "../..");
const bin = (name: string) => join(root, "node_modules/.bin", name);
const run = promisify(execFile);
const recipes = readRecipes();
const files = joinRecipes(recipes);
const sources = Object.keys(files).filter((file) => file.endsWith(".ts"));

const newcomers = ["group_member_joined", "group_member_added"];
/** The names in the table of triggers: what an operator turns on. */
const triggers = readTriggerNames(files["functions/own/triggers.ts"] ?? "");
const hostNames = ["tickets.example.com", "model.example.com"];
const loginSecret = "a-secret-of-forty-characters-and-no-less";

describe("docs/recipes, written into a copy of the project", () => {
  let hosts: OtherHosts;
  let folder: string;

  beforeAll(async () => {
    hosts = await startOtherHosts(hostNames, () => ({ score: 0.9, label: "threat" }));
    const ofHosts = new RegExp(`(${hostNames.join("|")})`, "g");
    const written = Object.entries(files).map(([path, text]) => [
      path,
      text.replaceAll(ofHosts, `$1:${hosts.port}`),
    ]);
    folder = copyProject({
      ...Object.fromEntries(written),
      "config/triggers.yml": `local: ${triggers.join(", ")}`,
    });
  });
  afterAll(async () => {
    await hosts?.close();
    removeCopy(folder);
  });

  it.each(recipes)("has a test, and is named in the list of recipes: $name", ({ name, files: own }) => {
    expect(Object.keys(own).filter((file) => file.endsWith(".test.ts"))).toHaveLength(1);
    expect(readFileSync(join(root, "docs/recipes/README.md"), "utf8")).toContain(`(${name}.md)`);
  });

  it("writes the refund ticket, with its flow, in less than 40 lines", () => {
    const lines = files["functions/own/refund.ts"]?.split("\n").filter((line) => /^[^/]/.test(line.trim()));

    expect(lines?.length).toBeLessThan(40);
  });

  it("compiles", async () => {
    const tsconfig = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
    const compiled = ["config/modules.d.ts", "functions/process-events.ts", "functions/flows.ts", ...sources];
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ ...tsconfig, include: undefined, files: compiled }),
    );

    const outcome = await run(bin("tsc"), ["-p", folder]).catch((error: { stdout: string }) => error);

    expect(outcome.stdout).toBe("");
  });

  it("is written in the project's style", async () => {
    for (const { name, files: own } of recipes) {
      for (const [file, text] of Object.entries(own)) {
        const path = join(folder, "style", name, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
    }
    const { linter, formatter, assist, plugins } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
    cpSync(join(root, "scripts"), join(folder, "style/scripts"), { recursive: true });
    const json = { formatter: { enabled: false } };
    const files = { includes: ["**", "!scripts"] };
    const settings = { root: true, files, json, linter, formatter, assist, plugins };
    writeFileSync(join(folder, "style/biome.json"), JSON.stringify(settings));

    const told = await run(bin("biome"), ["ci", "--error-on-warnings", "--colors=off", "."], {
      cwd: join(folder, "style"),
    }).catch((error: { stdout: string; stderr: string }) => error);

    const all = recipes.flatMap(({ files: own }) => Object.keys(own)).filter((file) => file.endsWith(".ts"));
    expect(told.stderr).toBe("");
    expect(told.stdout).toMatch(new RegExp(`^Checked ${all.length + 1} files`));
  });

  it("has files of config/ that fit", async () => {
    const { stdout } = await run(process.execPath, [join(folder, "scripts/config.ts")], {
      env: { PATH: process.env.PATH },
    }).catch((error: { stdout: string; stderr: string }) => ({ stdout: error.stdout + error.stderr }));

    expect(stdout).toMatch(/^All of config\/ fits/);
  });

  it("passes its own tests", async () => {
    const tests = recipes
      .flatMap(({ files: own }) => Object.keys(own))
      .filter((file) => file.endsWith(".test.ts"));

    const outcome = await runVitest(folder, tests);

    expect(outcome).toMatchObject({ files: recipes.length, failed: [] });
  }, 600_000);

  describe("deployed on this machine", () => {
    let world: RecipeWorld;
    const log: string[] = [];

    beforeAll(async () => {
      const secret = { "ticket-token": "the-ticket-token", modelToken: "the-model-token", loginSecret };
      world = await createRecipeWorld(
        folder,
        secret,
        ["message_sent", ...newcomers],
        hosts.environment,
        (line) => log.push(line),
      );
    });
    afterAll(() => world?.close());

    it("makes the users of the file", async () => {
      const { payload } = await world.cloud.invoke("seedUsers", {});

      expect(payload).toMatchObject({ apps: [{ result: { failed: 0, left: 0 } }] });
      expect(await world.api("GET", "/users/bela")).toMatchObject({
        name: "Kovács, Béla",
        metadata: { team: "legal" },
      });
      for (const guid of ["on-call", "escalations", "billing", "support-eu"]) {
        await world.api("POST", "/groups", { guid, name: guid, type: "public" });
        const members = { participants: ["alice", "bob", "support"] };
        await world.api("POST", `/groups/${guid}/members`, members);
      }
    });

    it("takes care of a refund: ticket, tag, whoever is on call, and the escalation after ten minutes", async () => {
      await world.say("alice", { group: "support-eu" }, "I want a refund!");

      await world.heard("groups/on-call", 1);
      await eventually(async () => hosts.requests.find(({ path }) => path === "/tickets"));
      await world.pass(11 * 60_000);

      expect(await world.heard("groups/escalations", 1)).toEqual(["Nobody answers alice in support-eu."]);
      expect(await world.heard("groups/on-call", 1)).toEqual(["alice asks for a refund in support-eu."]);
      const [ticket, ...others] = hosts.requests.filter(({ path }) => path === "/tickets");
      expect(others).toEqual([]);
      expect(ticket).toMatchObject({
        headers: { authorization: "Bearer the-ticket-token", "idempotency-key": expect.any(String) },
        body: { from: "alice", group: "support-eu" },
      });
      const { about } = Object(ticket?.body);
      const found = `/messages?affix=append&id=${about - 1}&limit=1&withTags=true`;
      expect(await world.api("GET", found)).toMatchObject([{ sender: "alice", tags: ["refund"] }]);
    });

    it("escalates nothing that was answered", async () => {
      await world.say("alice", { group: "support-eu" }, "Another refund, please");
      await world.heard("groups/on-call", 2);
      await world.say("bob", { group: "support-eu" }, "Gladly.");

      await eventually(async () => flowsThatEnded().length === 2 || undefined);

      expect(await world.heard("groups/escalations", 1)).toHaveLength(1);
    });

    it("welcomes on three days", async () => {
      await world.api("POST", "/groups/lobby/members", { participants: ["ann"] });

      await world.heard("users/ann", 1);
      await world.pass(86_400_000);
      await world.heard("users/ann", 2);
      await world.pass(86_400_000);

      expect(await world.heard("users/ann", 3)).toEqual([
        expect.stringMatching(/^Welcome/),
        expect.stringMatching(/^Did you know/),
        expect.stringMatching(/three days/),
      ]);
    });

    it("answers for who is away", async () => {
      await world.say("bela", { user: "assistant" }, "/away Back on Monday");
      await world.heard("users/bela", 2);

      await world.say("bob", { user: "bela" }, "Are you there?");
      await world.say("bob", { user: "bela" }, "Hello?");

      // The answer to the first may come before the second.
      const heard = await world.heard("users/bob", 3);
      expect(heard.toSorted()).toEqual(["Are you there?", "Back on Monday", "Hello?"]);
    });

    it("forwards to the team that is called", async () => {
      await world.say("bob", { group: "support-eu" }, "That is for @billing");

      expect(await world.heard("groups/billing", 1)).toEqual(["bob in support-eu:\nThat is for @billing"]);
    });

    it("gives a customer who is logged in a token", async () => {
      const seconds = Math.floor(Date.now() / 1_000);
      const claims = {
        iss: "https://shop.example.com/",
        aud: "chat",
        sub: "Ann-7",
        name: "Ann",
        iat: seconds,
      };
      const token = signWithSecret(loginSecret, { claims: { ...claims, exp: seconds + 120 } });

      const answer = await fetch(`${world.cloud.httpUrl}/auth-token/local-app`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
      });

      expect(JSON.parse(await answer.text())).toMatchObject({
        uid: "c-ann-7",
        authToken: expect.any(String),
      });
    });

    it("asks the model about a message that the lists let pass", async () => {
      const { username, password } = world.webhook;
      const target = { url: `${world.cloud.httpUrl}/moderation/local-app`, username, password };
      const question = { contextMessages: [{ alice: messageBody({ text: "odd words", sender: "alice" }) }] };

      // What takes too long to start lets the message pass, as it must.
      const ask = async () => JSON.parse(await (await fetch(signedRequest(target, question))).text());

      await expect.poll(ask).toEqual({
        isMatchingCondition: true,
        confidence: 0.9,
        reason: "Model: threat",
      });
      expect(hosts.requests.at(-1)).toMatchObject({
        headers: { authorization: "Bearer the-model-token" },
        body: { text: "odd words" },
      });
    });

    it("wrote no secret into the log", () => {
      expect(log.join("\n")).not.toMatch(/the-ticket-token|the-model-token|a-secret-of-forty/);
    });

    function flowsThatEnded() {
      const { DurableExecutions = [] } = world.cloud.durable.list("cometchat-functions-local-flows", {});
      return DurableExecutions.filter(({ Status }) => Status === "SUCCEEDED");
    }
  });
});

function readTriggerNames(table: string): readonly string[] {
  const [, entries = ""] = /TriggerTable = {(.*)};/s.exec(table) ?? [];
  return entries.split(",").map((entry) => entry.replace(/:.*/s, "").replaceAll('"', "").trim());
}

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { secretOf } from "../helpers/cloud-data.ts";
import { createProjectFolder, createRunChat, expectEnd } from "../helpers/run-chat.ts";
import { startPatientWorld } from "../helpers/start-patient-world.ts";
import { chat, useChat, world } from "../helpers/use-chat.ts";

describe("app apply, when something is wrong", () => {
  const project = useChat();
  const shipped = (name: string) => readFileSync(join(project.folder, name), "utf8");
  const stages = shipped("config/apps.yml");

  beforeEach(async () => {
    await world.reset();
    await world.cloud.putAppSecret(secretOf(world));
    write("config/apps.yml", stages);
    declare("roles", "roles: [{ role: agent, name: Agent }]\n");
    declare("webhooks", "webhooks: []\n");
  });

  const write = (name: string, text: string) => writeFileSync(join(project.folder, name), text);
  const declare = (name: string, text: string) => write(`config/app/${name}.yml`, text);
  const plan = (words = "") => chat(`app apply --dry-run --local ${words}`);
  const apply = (words: string) => chat(`app apply --local --yes ${words}`);

  const postTool = (slug: string, headers: object) =>
    fetch(`${world.platform.appUrl("local-app")}/ai-agents/agent-builder/api-tools`, {
      method: "POST",
      headers: { apikey: world.app.fullAccessKey, "content-type": "application/json" },
      body: JSON.stringify({
        slug,
        name: "Stock",
        description: "Stock",
        endpoint: "https://shop.example.com/",
        method: "GET",
        enableBasicAuth: false,
        headers: JSON.stringify(headers),
      }),
    });

  it.each([
    [
      "roles",
      "roles:\n  - role: agent\n    nmae: Agent\n",
      '3:5: roles.0.nmae: there is no such key; did you mean "name"?',
    ],
    [
      "extensions",
      "extensions:\n  gifs-giphy:\n    settings: { giphyApiKey: 0123456789 }\n",
      "3:17: extensions.gifs-giphy.settings.giphyApiKey: a secret must not stand here",
    ],
  ])("say which line and column of %s does not fit, and show no secret", async (name, text, message) => {
    declare(name, text);

    const ran = await plan();
    declare("extensions", "extensions: {}\n");

    expectEnd(ran, 2, `config/app/${name}.yml:${message}`);
    expect(ran.stderr).not.toContain("0123456789");
  });

  it.each([
    ["--only rolse", "There is no file config/app/rolse.yml."],
    ["--app strange", 'config/apps.yml names no app "strange" for the stage local.'],
  ])("refuse %j, and name what there is", async (words, message) => {
    expectEnd(await plan(words), 2, message);
  });

  it("say that an app has no secret, and how it gets one", async () => {
    write("config/apps.yml", "local: [local-app, forgotten]\n");

    expectEnd(
      await plan("--app forgotten"),
      6,
      "There is no secret cometchat-functions/local/forgotten",
      "setup --local --app forgotten",
    );
  });

  it("say that the platform refuses the key, without the key", async () => {
    const apiKey = "0123456789012345678901234567890123456789";
    await world.cloud.putAppSecret({ ...secretOf(world), apiKey });

    const { exitCode, stdout, stderr } = await apply("");

    expect(exitCode).toBe(4);
    expect(stdout + stderr).not.toContain(apiKey);
  });

  it("say what was done and what was not, and go on when they are repeated", async () => {
    declare("roles", 'roles: [{ role: agent, name: Agent, permissions: { "no.such": allow } }]\n');

    const first = await apply("--only roles");
    declare("roles", 'roles: [{ role: agent, name: Agent, permissions: { "listUsers.mode": friends } }]\n');
    const second = await apply("--only roles --write-unknown --json");

    expectEnd(
      first,
      7,
      "✓ role agent: created",
      "✗ permissions of the role agent: failed: ItemsRefusedError: The platform refused of the permissions: no.such.",
      "it continues with what is left",
    );
    expect(second.json).toMatchObject([{ apps: [{ outcomes: [{ outcome: "updated" }], unchanged: 1 }] }]);
  });

  it("make no webhook without its password, and name the field that the secret lacks", async () => {
    declare(
      "webhooks",
      "webhooks: [{ id: more, url: 'https://more.example.com/', triggers: [message_sent], credentials: { username: me, password: { secret: morePassword } } }]\n",
    );

    expectEnd(
      await apply("--only webhooks"),
      7,
      '✗ webhook more: blocked: The app\'s secret has no field "morePassword".',
    );
  });

  it("name what the secret lacks of a resource that is there, and do not call it as declared", async () => {
    await postTool("there", {});
    const tool =
      "slug: there, name: Stock, description: Stock, endpoint: 'https://shop.example.com/', method: GET";
    declare("agents", `apiTools: [{ ${tool}, headers: { X-Key: { secret: shopKey } } }]\n`);

    const checked = await plan("--only agents --check");
    const applied = await apply("--only agents");
    const later = await apply("--only agents --json");
    declare("agents", "agents: []\n");

    const lack = 'API tool there: blocked: The app\'s secret has no field "shopKey".';
    expect([checked.exitCode, applied.exitCode]).toEqual([1, 7]);
    expect(checked.stdout).toContain("1 partly compared");
    expect(checked.stdout).toContain("API tool there (shopKey)");
    expect(applied.stdout).toContain(`✗ ${lack}`);
    expect(later.json).toMatchObject([{ apps: [{ unchanged: 0, outcomes: [{ outcome: "blocked" }] }] }]);
  });

  it("say after an export which fields of the secret it lacks, and which have other values", async () => {
    const headers = { Authorization: "Bearer new-token-2" };
    for (const slug of ["stock", "more"]) await postTool(slug, headers);
    const [held, lacking] = ["stock", "more"].map((slug) => `tool-${slug}-headers-Authorization`);
    await world.cloud.putAppSecret({ ...secretOf(world), [String(held)]: "Bearer old-token-1" });

    const { exitCode, stdout } = await chat("app export --local --yes --only agents");
    const { json } = await chat("app export --local --yes --only agents --json");

    expect(exitCode).toBe(0);
    expect(json).toMatchObject([{ missingSecrets: [lacking, `${held}-2`], otherValues: [] }]);
    expect(stdout).toContain(`other values than the platform: ${held}.`);
    expect(stdout).not.toMatch(/-token-/);
  });

  it("name in one line what a plan without moderation lacks, and export the rest", async () => {
    world.platform.switches.missingFeature = "moderation";

    const planned = await plan("--only roles --only moderation-reasons");
    const exported = await chat(
      "app export --local --yes --only moderation-rules --only moderation-reasons --only roles",
    );
    world.platform.switches.missingFeature = "none";

    const refusal = "403 ERR_FEATURE_NOT_ACCESSIBLE";
    expect(planned.stdout.split("\n").filter((line) => line.includes(refusal))).toEqual([
      expect.stringMatching(/^ {2}Cannot be made: moderation reason spam, .*the app's plan/),
    ]);
    expect([exported.exitCode, exported.stdout]).toEqual([
      0,
      expect.stringContaining(`(${refusal}): moderation-reasons, moderation-rules. See in the CometChat`),
    ]);
  });

  it("refuse what is no plan, a plan of elsewhere, and a plan with more words", async () => {
    write("config.json", "{}");
    await plan("--out plan.json");
    write("other.json", shipped("plan.json").replace('"stage": "local"', '"stage": "prod"'));

    const none = await apply("config.json");
    const missing = await apply("nowhere.json");
    const other = await apply("other.json");
    const more = await apply("plan.json --delete");

    expect([none, missing, other, more].map(({ exitCode }) => exitCode)).toEqual([2, 2, 3, 2]);
    expect(other.stderr).toContain("The plan was made for the stage prod");
  });

  it("refuse a plan when the files have changed since, and write no secret into it", async () => {
    declare("webhooks", "webhooks: [{ id: another, triggers: needed }]\n");
    await plan("--out plan.json");
    declare("roles", "roles: [{ role: agent, name: Other }]\n");

    const { exitCode, json } = await apply("plan.json --json");

    expect(exitCode).toBe(3);
    expect(json).toEqual([{ error: expect.objectContaining({ code: "STATE_CHANGED" }) }]);
    expect(shipped("plan.json")).not.toContain(world.webhook.password);
    expect(shipped("plan.json")).toContain("(secret)");
  });

  it("ask the deployment which triggers are needed, and subscribe to them", async () => {
    declare("webhooks", "webhooks: [{ id: functions, name: Functions }]\n");

    const { exitCode, stdout } = await apply("--only webhooks");
    const again = await plan("--only webhooks --check");

    expect([exitCode, again.exitCode]).toEqual([0, 0]);
    expect(stdout).toContain("webhook functions");
  });

  it("say which field of the management credentials is missing", async () => {
    declare("webhooks", "webhooks: [{ id: functions, triggers: [message_sent] }]\n");
    const prefix = world.cloud.outputs.SecretPrefix;
    await world.cloud.putSecret(`${prefix}/management`, {});

    const { exitCode, stdout, stderr } = await plan();
    await world.cloud.putSecret(`${prefix}/management`, {
      key: "local-management-key-not-secret",
      secret: "local-management-secret-not-secret",
    });

    expect([exitCode, stdout, stderr]).toEqual([1, "", expect.stringContaining('has no text in "key"')]);
  });
});

describe("app apply --dry-run, without a platform", () => {
  it("says that nobody answers", async () => {
    const project = createProjectFolder();
    const world = await startPatientWorld();
    await world.platform.close();

    const ran = await createRunChat(project.folder, world.cloud)("app apply --dry-run --local");
    await world.close();
    project.remove();

    expectEnd(ran, 5, "No usable answer");
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { defineCommand, type ListedCommand, type WorkContext } from "../../cli/command.ts";
import { type Endpoints, startCloudServices } from "../../local/cloud/cloud-services.ts";
import { startLocalServer } from "../../local/cloud/local-server.ts";
import { StackClock } from "../../local/stack/clock/stack-clock.ts";
import { publishAddresses } from "../../local/stack/publish-addresses.ts";
import { type Account, startAccount } from "../helpers/account/account.ts";
import { createProjectFolder, createRunChat, expectEnd, type RunChat } from "../helpers/run-chat.ts";

const minute = 60_000;

describe("the target of a command", () => {
  const project = createProjectFolder();
  const folder = mkdtempSync(join(tmpdir(), "identity-"));
  const files = {
    AWS_SHARED_CREDENTIALS_FILE: join(folder, "credentials"),
    AWS_CONFIG_FILE: join(folder, "config"),
  };
  const issued = join(folder, "issued.json");
  const otherAccounts: Record<string, string> = {
    AKIAPROD: "222222222222",
    AKIADEFAULT: "333333333333",
    AKIAISSUED: "444444444444",
  };
  let account: Account;
  let base: Readonly<Record<string, string>>;

  const run: RunChat = (line, options) => createRunChat(project.folder)(line, options);
  const services = new AsyncDisposableStack();
  let local: { readonly region: string; readonly endpoints: Endpoints };
  const chat = (line: string, env: Readonly<Record<string, string>>) =>
    createRunChat(project.folder)([...line.split(" "), "--region", "eu-central-1"], {
      edges: { env: { ...base, ...files, ...env } },
    });

  beforeAll(async () => {
    account = await startAccount({ otherAccounts });
    local = { region: "us-east-1", endpoints: (await startCloudServices({}, folder, services)).endpoints };
    writeFileSync(join(project.folder, "config/apps.yml"), "prod:\n  - an-app\n");
    base = { AWS_ENDPOINT_URL: account.url };
    writeFileSync(
      files.AWS_SHARED_CREDENTIALS_FILE,
      "[prod]\naws_access_key_id = AKIAPROD\naws_secret_access_key = of-prod\n" +
        "[default]\naws_access_key_id = AKIADEFAULT\naws_secret_access_key = of-default\n",
    );
    const program = join(folder, "issue.cjs");
    writeFileSync(
      program,
      `const [first, ...next] = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
       if (next.length > 0) fs.writeFileSync(process.argv[2], JSON.stringify(next));
       console.log(JSON.stringify(first));`.replaceAll("fs.", 'require("fs").'),
    );
    writeFileSync(
      files.AWS_CONFIG_FILE,
      `[profile issued]\ncredential_process = "${process.execPath}" "${program}" "${issued}"\n`,
    );
  });
  beforeEach(() => {
    account.accessKeys.clear();
  });
  afterAll(async () => {
    await account.close();
    await services.disposeAsync();
    project.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it("is the default stage of config/stages.yml, except for the most disruptive commands", async () => {
    const file = join(project.folder, "config/stages.yml");
    const before = readFileSync(file, "utf8");
    writeFileSync(file, `default: dev\n${before}`);
    const env = { edges: { env: account.env } };

    const asked = await run("status", env);
    const removing = await run("remove --dry-run", env);
    writeFileSync(file, `default: prod\n${before.replace(/^prod:$/m, "prod:\n  production: true")}`);
    const production = await run("status", env);
    writeFileSync(file, before);

    expect(asked.stderr).toContain("acts on stage dev (");
    expectEnd(removing, 2, "No target is given");
    expectEnd(production, 2, "default: a production stage must be named by --stage");
  });

  it.each([
    [["status", "--local", "--stage", "prod"], 2, "--local and --stage cannot be combined."],
    [["status", "--stage", "porduction"], 2, 'config/stages.yml names no stage "porduction".'],
    [["status", "--local", "--region", "eu-central-1"], 2, "--region requires --stage."],
    [["status", "--stage", "prod", "--region", "bad/region"], 2, '--region cannot be "bad/region".'],
    [["dead-letters", "replay", "--local", "--app", " "], 2, "--app is given without a value."],
    [["dead-letters", "list", "--local", "--id", "a", "--id="], 2, "--id is given without a value."],
    [["status", "--lcoal"], 2, "unknown option '--lcoal'"],
    [["statsu", "--local"], 2, "unknown command 'statsu'"],
    [
      ["dead-letters", "--local"],
      2,
      "Name what to do: dead-letters list, dead-letters replay, dead-letters drop.",
    ],
  ])("refuses %j", async (args, code, message) => {
    expectEnd(await run(args), code, message);
  });

  it("may be a stage that is not deployed yet", async () => {
    expectEnd(
      await run("status --stage dev --region eu-central-1", { edges: { env: account.env } }),
      6,
      "acts on stage dev (eu-central-1, account 123456789012, by AWS_ACCESS_KEY_ID)",
      "Nothing is deployed as cometchat-functions-dev in stage dev",
      "npx cometchat-functions setup --stage dev",
    );
  });

  it("has the time of the local stack, also after its clock was moved", async () => {
    const clock = new StackClock({ offsetMs: 0, frozenAtMs: 1_000 });
    const other = createProjectFolder();
    const here = createRunChat(other.folder, local, clock);
    const times: number[] = [];
    const commands = listedAs(async ({ edges }) => times.push(edges.now()));
    const look = () => here("probe --local", { commands, edges: { now: () => 5_000_000 } });

    await look();
    clock.set({ offsetMs: 3_600_000 });
    await look();
    other.remove();

    expect(times).toEqual([1_000, 8_600_000]);
  });

  it.each([
    [{ AWS_PROFILE: "" }, "to act on stage dev (us-east-1)", "Set AWS_PROFILE, or log in: aws sso login"],
    [
      { AWS_PROFILE: "none" },
      "Could not",
      "Check this profile, or log in: aws sso login --profile none (without SSO: aws login --profile none)",
    ],
  ])("is refused with what to set if there are no credentials: %j", async (set, ...said) => {
    const env = { ...set, AWS_CONFIG_FILE: "/dev/null", AWS_SHARED_CREDENTIALS_FILE: "/dev/null" };
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
    onTestFinished(() => void vi.unstubAllEnvs());

    const asked = await run("status --stage dev", { edges: { env } });
    const json = await run("deploy --stage dev --dry-run --json", { edges: { env } });

    expectEnd(asked, 4, "There are no AWS credentials", ...said);
    expect(json).toMatchObject({ exitCode: 4, json: [{ error: { code: "NO_RIGHTS" } }] });
  });

  it("is refused for the clock of a deployed stage, before credentials are read", async () => {
    expectEnd(await run("clock +2h --stage dev"), 2, "clock acts on the local stack only.", "Add --local.");
  });

  it("reports where an interrupted move of the clock stands, and how to go on", async () => {
    const interruption = new AbortController();
    let nowMs = 0;
    const console = await startLocalServer((request, response) => {
      if (request.method !== "POST") {
        response.end(JSON.stringify({ nowMs, machineMs: 0, isFrozen: false }));
        return;
      }
      nowMs = 300_000;
      interruption.abort();
    });
    const other = createProjectFolder();
    const run = createRunChat(other.folder, local);
    publishAddresses(other.folder, local, undefined, console.url);

    const ended = await run(["clock", "+15m", "--local"], { edges: { signal: interruption.signal } });
    await console.close();
    other.remove();

    expectEnd(ended, 130, "1970-01-01T00:05:00.000Z", "npx cometchat-functions clock --local +600s");
  });

  it("has a clock if it is a local stack with a console, moved in several requests if much falls due", async () => {
    const asked: string[] = [];
    const minuteMs = 60_000;
    const answers = [10, 4, 0, 9, 9].map((left) => ({
      clock: { nowMs: (15 - left) * minuteMs, machineMs: 0, isFrozen: false },
      isDone: left === 0,
      steps: 1,
      leftMs: left * minuteMs,
      leftItems: 600,
    }));
    const console = await startLocalServer(async (request, response) => {
      asked.push(`${request.method} ${request.url} ${await text(request)}`);
      const now = { nowMs: 0, machineMs: 0, isFrozen: false };
      response.end(JSON.stringify(request.method === "POST" ? answers.shift() : now));
    });
    const other = createProjectFolder();
    const here = createRunChat(other.folder, local);
    const unmoved = await here("clock --local");
    publishAddresses(other.folder, local, undefined, console.url);

    const shown = await here("clock --local");
    const moved = await here("clock +15m --local --json");
    const stopped = await here("clock +15m --local");
    const wrong = await here("clock 2h --local");
    const strange = await here("clock --local --world 1x");
    await console.close();
    other.remove();

    expect([unmoved.exitCode, wrong.exitCode]).toEqual([6, 2]);
    expectEnd(strange, 6, "No local stack has the pid 1x.");
    expect(shown.stdout).toBe("1970-01-01T00:00:00.000Z  the machine's time\n");
    expect(moved.json).toMatchObject([{ aheadMs: 15 * minuteMs, isDone: true, leftMs: 0 }]);
    expectEnd(stopped, 7, "600 items", "npx cometchat-functions clock --local +540s");
    expect(asked).toEqual([
      ...["", "", 15, 10, 4, "", 15, 9].map((left) =>
        left === "" ? "GET /api/stack/clock " : `POST /api/stack/clock {"byMs":${Number(left) * minuteMs}}`,
      ),
    ]);
  });

  it("is not a local stack that has ended", async () => {
    const other = createProjectFolder();
    createRunChat(other.folder, local);
    writeFileSync(
      join(other.folder, ".worlds", `${process.pid}.json`),
      JSON.stringify({ pid: 2 ** 22 + 1, region: "us-east-1", endpoints: {} }),
    );

    const ran = await createRunChat(other.folder)(["status", "--local"]);
    other.remove();

    expectEnd(ran, 6, "Start one: npm start");
  });

  /** The results of the profile "issued", one after the other. */
  const issue = (...given: readonly (readonly [accessKey: string, lastsMs: number])[]) =>
    writeFileSync(
      issued,
      JSON.stringify(
        given.map(([AccessKeyId, lastsMs]) => ({
          Version: 1,
          AccessKeyId,
          SecretAccessKey: "of-a-program",
          SessionToken: "of-a-session",
          Expiration: new Date(Date.now() + lastsMs).toISOString(),
        })),
      ),
    );

  const deployAsIssued = () => chat("deploy --package nowhere --stage prod --yes", { AWS_PROFILE: "issued" });

  const keys = { AWS_ACCESS_KEY_ID: "AKIAKEYS", AWS_SECRET_ACCESS_KEY: "of-keys" };
  const profile = { AWS_PROFILE: "prod" };
  const ofOthers = {
    ...keys,
    AWS_DEFAULT_PROFILE: "default",
    AWS_PROD_PROFILE: "default",
    AWS_PROD_ACCESS_KEY_ID: "AKIASTAGE",
    AWS_PROD_SECRET_ACCESS_KEY: "of-stage",
  };
  const unused = "AWS_DEFAULT_PROFILE, AWS_PROD_PROFILE, AWS_PROD_ACCESS_KEY_ID";

  it.each([
    ["keys", keys, "AKIAKEYS", "account 123456789012, by AWS_ACCESS_KEY_ID", ""],
    ["a profile", profile, "AKIAPROD", "account 222222222222, by AWS_PROFILE=prod", ""],
    [
      "a profile before keys",
      { ...keys, ...profile },
      "AKIAPROD",
      "by AWS_PROFILE=prod",
      "AWS_ACCESS_KEY_ID",
    ],
    ["the profile default", {}, "AKIADEFAULT", "account 333333333333, by the profile default", ""],
    ["half a pair of keys", { AWS_ACCESS_KEY_ID: "AKIAKEYS" }, "AKIADEFAULT", "by the profile default", ""],
    ["an empty profile", { ...keys, AWS_PROFILE: "" }, "AKIAKEYS", "by AWS_ACCESS_KEY_ID", ""],
    [
      "keys beside variables that only the framework or the AWS CLI reads",
      ofOthers,
      "AKIAKEYS",
      "by AWS_ACCESS_KEY_ID",
      unused,
    ],
  ])("has the expected credentials with %s", async (_, env, accessKey, by, passedOver) => {
    const { stderr } = await chat("status --stage prod", env);

    expect(stderr).toContain(`${by})\n`);
    expect([...account.accessKeys]).toEqual([accessKey]);
    expect(/^not used: (.*)$/m.exec(stderr)?.[1] ?? "").toBe(passedOver);
    expect(stderr).not.toMatch(/of-(keys|prod|stage|default)/);
  });

  it("is refused if the profile is unknown", async () => {
    expectEnd(await chat("status --stage prod", { ...keys, AWS_PROFILE: "prdo" }), 4, "prdo");
    expect(account.accessKeys.size).toBe(0);
  });

  it("may have credentials that expire soon if the command only reads", async () => {
    issue(["AKIAISSUED", 20 * minute]);

    const { stderr } = await chat("status --stage prod", { AWS_PROFILE: "issued" });

    expect(stderr).toContain("account 444444444444, by AWS_PROFILE=issued)");
  });

  it.each(["deploy --package nowhere", "rollback"])("needs credentials that last for %s", async (line) => {
    const ending = { ...keys, AWS_CREDENTIAL_EXPIRATION: new Date(Date.now() + 20 * minute).toISOString() };

    expectEnd(
      await chat(`${line} --stage prod --yes`, ending),
      3,
      /The credentials \(AWS_ACCESS_KEY_ID\) end in (19|20) minutes/,
      "unset them and set AWS_PROFILE",
    );
    expect(account.calls.join()).not.toMatch(/Delete|Create|Execute/);
  });

  it("is renewed once if the credentials expire soon", async () => {
    issue(["AKIAISSUED", 20 * minute], ["AKIAISSUED", 60 * minute]);

    expectEnd(await deployAsIssued(), 2, "There is no package in");
  });

  it("may have sessions that are shorter than a deployment if its source renews them", async () => {
    issue(["AKIAISSUED", 12 * minute]);

    expectEnd(await deployAsIssued(), 2, "There is no package in");
  });

  it("is refused if a renewal is due and its source keeps the old credentials", async () => {
    issue(["AKIAISSUED", 4 * minute]);

    expectEnd(
      await deployAsIssued(),
      3,
      /The credentials \(AWS_PROFILE=issued\) end in [34] minutes/,
      "Their source did not renew them. Log in again",
    );
  });

  it("is compared again before each change, after the question", async () => {
    const changes: string[] = [];
    const commands = listedAs(async ({ confirm }) => {
      for (const change of ["first", "second"]) {
        await confirm(`Make the ${change} change?`);
        changes.push(change);
      }
    });
    const changeAccount = () => {
      otherAccounts.AKIAKEYS = "555555555555";
      return true;
    };

    const edges = { env: { ...base, ...files, ...keys } };
    const ran = await run("probe --stage prod", { answers: [true, changeAccount], edges, commands });
    delete otherAccounts.AKIAKEYS;

    expectEnd(ran, 3, "belonged to account 123456789012 at the start, and belong to 555555555555 now");
    expect(changes).toEqual(["first"]);
  });

  it("ignores a profile's `endpoint_url`, which the framework does not know", async () => {
    const given: object[] = [];
    class Recorder {
      readonly middlewareStack = { add: () => undefined };
      constructor(settings: object) {
        given.push(settings);
      }
    }

    const commands = listedAs(async ({ target }) => target.client(Recorder, "S3"));
    await run("probe --stage prod", { edges: { env: { ...base, ...files, ...keys } }, commands });

    expect(given).toEqual([
      expect.objectContaining({ endpoint: account.url, ignoreConfiguredEndpointUrls: true }),
    ]);
  });

  it("never changes its account", async () => {
    issue(["AKIAISSUED", 20 * minute], ["AKIAPROD", 60 * minute]);

    expectEnd(
      await deployAsIssued(),
      3,
      "belonged to account 444444444444 at the start, and belong to 222222222222 now",
    );
  });
});

/** The command `probe`, which runs this. */
function listedAs(work: (context: WorkContext) => Promise<unknown>): readonly ListedCommand[] {
  const run = async (context: WorkContext) => {
    await work(context);
    return {};
  };
  const command = defineCommand({ examples: "", changes: true, print: () => {}, run });
  return [{ name: "probe", summary: "", subject: "", load: async () => ({ command }) }];
}

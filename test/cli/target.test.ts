import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { defineCommand } from "../../cli/command.ts";
import { startLocalServer } from "../../local/cloud/local-server.ts";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { StackClock } from "../../local/stack/clock/stack-clock.ts";
import { publishAddresses } from "../../local/stack/publish-addresses.ts";
import { createProjectFolder, createRunChat, expectEnd, type RunChat } from "../helpers/run-chat.ts";

describe("what a command acts on", () => {
  const project = createProjectFolder();
  let cloud: Cloud;
  let chat: RunChat;

  beforeAll(async () => {
    cloud = await startCloud();
    chat = createRunChat(project.folder, cloud);
  });
  afterAll(async () => {
    await cloud?.close();
    project.remove();
  });

  it("is the local world with --local, and is said on standard error", async () => {
    expectEnd(
      await chat("status --local"),
      1,
      "App local-app: The app has no secret.",
      `acts on the local stack (pid ${process.pid})\n`,
      "stack CREATE_COMPLETE",
      cloud.httpUrl,
    );
  });

  it("tells the stack's outputs as JSON, also of --stage local", async () => {
    const { json } = await chat("status --stage local --json");

    expect(json).toMatchObject([
      {
        stack: "CREATE_COMPLETE",
        target: {
          kind: "local",
          stage: "local",
          region: "us-east-1",
          account: "000000000000",
          outputs: { SecretPrefix: "cometchat-functions/local" },
        },
      },
    ]);
  });

  it("is the default stage of config/stages.yml, but for what disturbs most", async () => {
    const file = join(project.folder, "config/stages.yml");
    const before = readFileSync(file, "utf8");
    writeFileSync(file, `default: dev\n${before}`);
    const env = { edges: { env: endpointsOf(cloud) } };

    const asked = await chat("status", env);
    const removing = await chat("remove --dry-run", env);
    writeFileSync(file, `default: prod\n${before.replace(/^prod:$/m, "prod:\n  production: true")}`);
    const production = await chat("status", env);
    writeFileSync(file, before);

    expect(asked.stderr).toContain("acts on stage dev (");
    expect(removing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("No target is given") });
    expect(production).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("default: a production stage must be named by --stage"),
    });
  });

  it("must be said", async () => {
    const { exitCode, stdout, stderr } = await chat(["status"]);

    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain("No target is given, and nothing was done.");
  });

  it.each([
    [["status", "--local", "--stage", "prod"], "--local and --stage cannot be combined."],
    [["status", "--stage", "porduction"], 'config/stages.yml names no stage "porduction".'],
    [["status", "--local", "--region", "eu-central-1"], "--region requires --stage."],
    [["status", "--stage", "prod", "--region", "bad/region"], '--region cannot be "bad/region".'],
    [["dead-letters", "drop", "--local", "--text="], "--text is given without a value."],
    [["dead-letters", "replay", "--local", "--app", " "], "--app is given without a value."],
    [["dead-letters", "list", "--local", "--id", "a", "--id="], "--id is given without a value."],
    [["status", "--local", "--world", "1x"], "No local stack has the pid 1x."],
    [["status", "--lcoal"], "unknown option '--lcoal'"],
    [["statsu", "--local"], "unknown command 'statsu'"],
    [["status", "prod"], "too many arguments"],
  ])("refuses %j", async (args, message) => {
    const { exitCode, stderr } = await chat(args);

    expect([2, 6]).toContain(exitCode);
    expect(stderr).toContain(message);
  });

  it("tells what is wrong in JSON, too", async () => {
    const { exitCode, json } = await chat("status --json");

    expect(exitCode).toBe(2);
    expect(json).toEqual([{ error: expect.objectContaining({ code: "WRONG_USE" }) }]);
  });

  it("is a stage whose AWS can be reached, with the caller's credentials", async () => {
    expectEnd(
      await chat("status --stage dev --region eu-central-1", {
        edges: { env: endpointsOf(cloud) },
      }),
      6,
      "acts on stage dev (eu-central-1, account 000000000000, by AWS_ACCESS_KEY_ID)",
      "Nothing is deployed as cometchat-functions-dev in stage dev",
      "npx cometchat-functions setup --stage dev",
    );
  });

  it("lives in the time of the local stack, also after its clock was moved", async () => {
    const clock = new StackClock({ offsetMs: 0, frozenAtMs: 1_000 });
    const other = createProjectFolder();
    const here = createRunChat(other.folder, cloud, clock);
    const times: number[] = [];
    const probe = defineCommand({
      examples: "",
      print: () => {},
      run: async ({ edges }) => {
        times.push(edges.now());
        return {};
      },
    });
    const listed = { name: "probe", summary: "", subject: "", load: async () => ({ command: probe }) };
    const look = () => here("probe --local", { commands: [listed], edges: { now: () => 5_000_000 } });

    await look();
    clock.set({ offsetMs: 3_600_000 });
    await look();
    other.remove();

    expect(times).toEqual([1_000, 8_600_000]);
  });

  it("is told apart from what does not answer and from what refuses", async () => {
    const refusing = await startLocalServer((_, response) => {
      response
        .writeHead(403, { "content-type": "text/xml" })
        .end(
          "<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>No.</Message></Error></ErrorResponse>",
        );
    });

    const refused = await chat("status --stage dev", {
      edges: { env: { ...credentials, AWS_ENDPOINT_URL_STS: refusing.url } },
    });
    await refusing.close();
    const silent = await chat("status --stage dev", {
      edges: { env: { ...credentials, AWS_ENDPOINT_URL_STS: refusing.url } },
    });

    expectEnd(refused, 4, "Check which credentials this shell has");
    expect(silent.exitCode).toBe(5);
  });

  it.each([
    [{ AWS_PROFILE: "" }, "to act on stage dev (us-east-1)", "Set AWS_PROFILE, or log in: aws sso login"],
    [{ AWS_PROFILE: "none" }, "Could not", "Check this profile, or log in: aws sso login --profile none"],
  ])("says what to set where there are no credentials: %j", async (set, ...said) => {
    const env = { ...set, AWS_CONFIG_FILE: "/dev/null", AWS_SHARED_CREDENTIALS_FILE: "/dev/null" };
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
    onTestFinished(() => void vi.unstubAllEnvs());

    const asked = await chat("status --stage dev", { edges: { env } });
    const json = await chat("deploy --stage dev --dry-run --json", { edges: { env } });

    expectEnd(asked, 4, "There are no AWS credentials", ...said);
    expect(json).toMatchObject({ exitCode: 4, json: [{ error: { code: "NO_RIGHTS" } }] });
  });

  it("is refused where only the local stack has such a clock, before credentials are read", async () => {
    const [moved, shown] = [await chat("clock +2h --stage dev", { edges: { env: {} } }), await chat("clock")];

    expectEnd(moved, 2, "clock acts on the local stack only.", "Add --local.");
    expectEnd(shown, 2, "clock acts on the local stack only.", "Add --local.");
  });

  it("has no region of its own where it is the local world", async () => {
    expectEnd(
      await createRunChat(
        createProjectFolder().folder,
        cloud,
      )([...["status", "--local", "--region", "eu-central-1"]]),
      2,
      "--region requires --stage",
    );
  });

  it("has a clock that can be moved where it is a local stack with a console", async () => {
    const asked: string[] = [];
    const clock = { nowMs: 7_260_000, machineMs: 0, isFrozen: false };
    const console = await startLocalServer(async (request, response) => {
      asked.push(`${request.method} ${request.url} ${await text(request)}`);
      const isMove = request.method === "POST";
      response.end(JSON.stringify(isMove ? { clock, isDone: true, steps: 1 } : clock));
    });
    const other = createProjectFolder();
    const run = createRunChat(other.folder, cloud);
    const unmoved = await run("clock --local");
    publishAddresses(other.folder, cloud, undefined, console.url);

    const shown = await run("clock --local");
    const moved = await run("clock +2h --local --json");
    const wrong = await run("clock 2h --local");
    await console.close();
    other.remove();

    expect([unmoved.exitCode, wrong.exitCode]).toEqual([6, 2]);
    expect(shown.stdout).toBe("1970-01-01T02:01:00.000Z  2 h 1 min ahead of the machine\n");
    expect(moved.json).toMatchObject([{ aheadMs: 7_260_000, isDone: true }]);
    expect(asked).toEqual(["GET /api/stack/clock ", 'POST /api/stack/clock {"byMs":7200000}']);
  });

  it("moves its clock in several requests if much falls due, and says what is left once it stands still", async () => {
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
      asked.push(await text(request));
      response.end(JSON.stringify(answers.shift()));
    });
    const other = createProjectFolder();
    const run = createRunChat(other.folder, cloud);
    publishAddresses(other.folder, cloud, undefined, console.url);

    const moved = await run("clock +15m --local --json");
    const stopped = await run("clock +15m --local");
    await console.close();
    other.remove();

    expect(moved.json).toMatchObject([{ aheadMs: 15 * minuteMs, isDone: true, leftMs: 0 }]);
    expect(stopped.exitCode).toBe(7);
    expect(stopped.stdout).toContain("600 items");
    expect(stopped.stdout).toContain("npx cometchat-functions clock --local +540s");
    expect(asked.map((body) => JSON.parse(body).byMs / minuteMs)).toEqual([15, 10, 4, 15, 9]);
  });

  it("is no world that has ended", async () => {
    const other = createProjectFolder();
    createRunChat(other.folder, cloud);
    writeFileSync(
      join(other.folder, ".worlds", `${process.pid}.json`),
      JSON.stringify({ pid: 2 ** 22 + 1, region: "us-east-1", endpoints: {} }),
    );

    const ran = await createRunChat(other.folder)(["status", "--local"]);
    other.remove();

    expectEnd(ran, 6, "Start one: npm start");
  });
});

const credentials = { AWS_ACCESS_KEY_ID: "somebody", AWS_SECRET_ACCESS_KEY: "of-a-test" };

function endpointsOf({ endpoints }: Cloud): Record<string, string> {
  const { AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL_CLOUDFORMATION } = endpoints;
  return { ...credentials, AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL_CLOUDFORMATION };
}

import { DeleteFunctionConcurrencyCommand, PutFunctionConcurrencyCommand } from "@aws-sdk/client-lambda";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { findingSchema } from "../../lib/operate/doctor/run-checks.ts";
import { createWitness } from "../../local/stack/witness.ts";
import { isNight } from "../helpers/by-day.ts";
import { lambdaOf } from "../helpers/cloud-data.ts";
import { deliver, messageSent } from "../helpers/deliver.ts";
import { expectEnd } from "../helpers/run-chat.ts";
import { chat, useChat, world } from "../helpers/use-chat.ts";

/** Whoever looks after a pause looks every five seconds; the rest is for a busy machine. */
const timeoutMs = 120_000;

describe("pause, resume and the pauses of status", () => {
  let lines = createWitness<string>();
  useChat({ log: (line) => lines.note(line) });

  beforeEach(async () => {
    await world.reset();
    lines = createWitness();
  });

  it("stop a trigger while its events wait, show it, and let it go on with them", async () => {
    const pause = [
      "pause",
      "trigger:auto-reply",
      "--local",
      "--reason",
      "wrong answers",
      "--for",
      "2h",
      "--yes",
    ];
    const stopped = await chat(pause);
    await deliver(world, messageSent({ id: "m-1", sender: "alice", text: "What is the price?" }));
    await line("put an event beside its lane");

    const shown = await chat("status --local --json");
    const text = await chat("status --local");
    const looked = await chat("doctor --local --json");
    const resumed = await chat("resume trigger:auto-reply --local --yes");
    await line("answered a message");

    const trail = await chat("logs --local --function audit");

    expectEnd(stopped, 0, "trigger:auto-reply of app local-app is paused since");
    expect(trail.stdout).toMatch(/began a command.*by=arn:aws:\S+.*command=pause.*trigger:auto-reply/);
    expect(trail.stdout).toMatch(/ended a command.*command=pause.*exitCode=0/);
    expect(trail.stdout).not.toContain("command=status");
    expect(shown.json).toMatchObject([
      {
        pauses: [
          {
            app: "local-app",
            what: "trigger:auto-reply",
            since: expect.any(String),
            until: expect.any(String),
            by: expect.stringContaining("arn:aws:"),
            reason: "wrong answers",
            waiting: { lanes: 1, flows: 0 },
          },
        ],
      },
    ]);
    expect(text.stdout).toContain("1 conversation and 0 flows wait");
    expect([text.exitCode, text.stdout]).toEqual([
      0,
      expect.stringContaining("nothing that is looked at needs attention"),
    ]);
    const { findings } = z.looseObject({ findings: z.array(findingSchema) }).parse(looked.json[0]);
    expect(findings.filter(({ check }) => check === "paused")).toEqual([
      {
        check: "paused",
        appId: "local-app",
        status: "ok",
        says: expect.stringMatching(
          /^The trigger auto-reply is paused since .* until .*, by arn:aws:\S+: wrong answers\.$/,
        ),
        remedy: "npx cometchat-functions resume trigger:auto-reply --app local-app --local",
      },
    ]);
    expect(resumed.stdout).toContain("(1 conversation and 0 flows wait): resumes within ten seconds.");
    expect((await chat("status --local --json")).json).toMatchObject([{ pauses: [] }]);
  });

  it("end nothing while what continues the events cannot be sent", async () => {
    const { faults } = world.cloud;
    const { services } = faults.settings();
    await chat("pause trigger:auto-reply --local --yes");
    faults.set({ services: { ...services, sqs: { isDown: true, throttled: 0, slowMs: 0 } } });
    const failed = await chat("resume trigger:auto-reply --local --yes");
    faults.set({ services });
    const resumed = await chat("resume trigger:auto-reply --local --yes");

    expectEnd(failed, 5, "AmazonSQS.SendMessage failed");
    expectEnd(resumed, 0, "resumes within ten seconds");
  });

  it("stop an app, and change nothing where nobody agrees", async () => {
    const refused = await chat("pause app:local-app --local");
    const unwanted = await chat("pause app:local-app --local", { answers: [false] });
    const before = await chat("status --local --json");
    const wanted = await chat("pause app:local-app --local", { answers: [true] });
    const after = await chat("status --local --json");

    expect([refused.exitCode, unwanted.exitCode, wanted.exitCode]).toEqual([3, 3, 0]);
    expect(before.json).toMatchObject([{ pauses: [] }]);
    expect(after.json).toMatchObject([{ pauses: [{ what: "app:local-app" }] }]);
  });

  it.runIf(isNight)(
    "stop an app while the function doctor is throttled, by the names of config/",
    async () => {
      const doctor = { FunctionName: "cometchat-functions-local-doctor" };
      await lambdaOf(world).send(
        new PutFunctionConcurrencyCommand({ ...doctor, ReservedConcurrentExecutions: 0 }),
      );
      const paused = await chat("pause app:local-app --local --yes");
      const strange = await chat("pause app:another --local --yes");
      const resumed = await chat("resume app:local-app --local --yes");
      await lambdaOf(world).send(new DeleteFunctionConcurrencyCommand(doctor));

      expectEnd(
        paused,
        0,
        "The function doctor is throttled or gives no answer. The names are those of config/",
      );
      expect([strange.exitCode, resumed.exitCode]).toEqual([6, 0]);
    },
  );

  it.each([
    ["pause auto-reply", 2, "cannot be paused"],
    ["pause trigger:auto-replies", 6, 'The deployment has no trigger "auto-replies".'],
    ["pause flow:none", 6, "The deployment has no flow."],
    ["pause app:other", 6, "It has only local-app."],
    ["pause trigger:auto-reply --app other", 6, 'The deployment has no app "other"'],
    ["pause app:local-app --all-apps", 2, "already names the app"],
    ["pause app:local-app --for 15d", 2, "at most 14d"],
    ["resume app:local-app", 6, "app:local-app is not paused."],
    ["resume hots", 2, '"hots" cannot be resumed.'],
  ])("refuse %j with exit code %i", async (args, exitCode, message) => {
    const ran = await chat(`${args} --local --yes`);

    expect(ran.stderr).toContain(message);
    expect(ran.exitCode).toBe(exitCode);
  });

  function line(text: string): Promise<true> {
    return lines.first((one) => (one.includes(text) ? true : undefined), timeoutMs);
  }
});

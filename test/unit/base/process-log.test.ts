import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { createCountMetric, metricNamespace } from "../../../lib/base/count-metric.ts";
import { rememberSecret } from "../../../lib/base/known-secrets.ts";
import { createHint } from "../../../lib/base/log.ts";

const ends = {
  "a rejected error": "void Promise.reject(new TypeError('Ann wrote: ' + secret))",
  "a rejected text": "void Promise.reject('Ann wrote: ' + secret)",
  "a thrown error": "setImmediate(() => { throw new TypeError('Ann wrote: ' + secret) })",
  "a thrown text": "setImmediate(() => { throw 'Ann wrote: ' + secret })",
};

describe("a fatal error of a function's process", () => {
  it.each(Object.entries(ends))("is logged without its message: %s", (_, end) => {
    const { stdout, stderr, status } = run(end, { AWS_LAMBDA_RUNTIME_API: "127.0.0.1:1" });

    expect(JSON.parse(stdout)).toMatchObject({
      level: "ERROR",
      message: "nothing caught an error: the process ends",
      function: "shop",
      trigger: "message_sent",
      step: "message_sent welcome",
      cause: expect.stringMatching(/^(TypeError|a thrown string)/),
    });
    expect(stdout + stderr).not.toMatch(/Ann|correct/);
    expect(status).toBe(1);
  });

  it("is left to the runtime outside of functions", () => {
    expect(run(ends["a thrown error"], {})).toMatchObject({ stdout: "", status: 1 });
  });
});

it("logs a rejection and continues while an answer is pending", () => {
  const end = "goOnAfterRejections(log); void Promise.reject(new TypeError('Ann wrote: ' + secret))";

  const { stdout, stderr, status } = run(end, { AWS_LAMBDA_RUNTIME_API: "127.0.0.1:1" });

  expect(JSON.parse(stdout)).toMatchObject({ level: "ERROR", message: "nothing caught a rejection" });
  expect(stdout + stderr).not.toMatch(/Ann|correct/);
  expect(status).toBe(0);
});

/** As Lambda's runtime, the program listens before it loads the function. */
function run(end: string, env: NodeJS.ProcessEnv) {
  const program = `
    for (const event of ["uncaughtException", "unhandledRejection"])
      if (process.env.AWS_LAMBDA_RUNTIME_API) process.on(event, (error) => { console.error(error); process.exit(2); });
    const { createProcessLog, goOnAfterRejections } = await import("./lib/base/log.ts");
    const { log } = createProcessLog("shop");
    createProcessLog("shop", () => ({ trigger: "message_sent", step: "message_sent welcome" }));
    const secret = "correct horse";
    ${end};
  `;
  const options = {
    env: { ...process.env, LOG_FOREIGN_MESSAGES: "false", ...env },
    encoding: "utf8",
  } as const;
  return spawnSync(process.execPath, ["--input-type=module", "--eval", program], options);
}

function createNotedHint() {
  const clock = { ms: 0 };
  const said: unknown[] = [];
  const counted: unknown[] = [];
  const ignore = () => undefined;
  const hint = createHint({
    log: { debug: ignore, info: ignore, error: ignore, warn: (text, fields) => said.push([text, fields]) },
    count: (name, dimensions) => counted.push([name, dimensions]),
    now: () => clock.ms,
  });
  return { hint, clock, said, counted };
}

it("counts each hint and logs each line once an hour for each app and metric", () => {
  const { hint, clock, said, counted } = createNotedHint();

  hint("Odd", "app-1", "it is odd", { trigger: "t" });
  hint("Odd", "app-1", "it is odd", { trigger: "t" });
  hint("Odd", "app-1", "it is odd", { trigger: "u" });
  hint("Odd", "app-2", "it is odd");
  hint("Odd", "app-2", "it is odd for another reason");
  hint("Odder", "app-1", "it is odder");
  clock.ms = 3_599_999;
  hint("Odd", "app-2", "it is odd");

  expect(said).toEqual([
    ["it is odd", { appId: "app-1", trigger: "t" }],
    ["it is odd", { appId: "app-1", trigger: "u" }],
    ["it is odd", { appId: "app-2" }],
    ["it is odd for another reason", { appId: "app-2" }],
    ["it is odder", { appId: "app-1" }],
  ]);
  expect(counted).toHaveLength(7);
  expect(counted[0]).toEqual(["Odd", { appId: "app-1" }]);

  clock.ms = 3_600_000;
  hint("Odd", "app-2", "it is odd");
  expect(said).toHaveLength(6);
});

it("logs ten different lines an hour for each app and metric, as senders may invent names", () => {
  const { hint, clock, said } = createNotedHint();
  const sayTwenty = () => {
    for (let n = 0; n < 20; n += 1) hint("Odd", "app-1", "it is odd", { trigger: `${n}${clock.ms}` });
  };

  sayTwenty();
  expect(said).toHaveLength(10);
  clock.ms = 3_600_000;
  sayTwenty();

  expect(said).toHaveLength(20);
});

describe("createCountMetric", () => {
  it("writes one line in the embedded metric format", () => {
    const { count, lines } = createWorld();

    count("DeliveryQuarantined", { appId: "app-1" }, { requestId: "r-1" });

    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        _aws: {
          Timestamp: 5,
          CloudWatchMetrics: [
            {
              Namespace: metricNamespace,
              Dimensions: [["appId"]],
              Metrics: [{ Name: "DeliveryQuarantined", Unit: "Count" }],
            },
          ],
        },
        requestId: "r-1",
        appId: "app-1",
        DeliveryQuarantined: 1,
      },
    ]);
  });

  it.each([
    ["", "none"],
    ["  ", "none"],
    ["zürich\n1", "z?rich?1"],
    ["x".repeat(3_000), "x".repeat(1_024)],
  ])("gives no dimension a value for which CloudWatch would drop the metric: %j", (value, expected) => {
    const { count, lines } = createWorld();

    count("Counted", { appId: value });

    expect(JSON.parse(lines[0] ?? "").appId).toBe(expected);
  });

  it("limits a metric to the dimensions that CloudWatch accepts", () => {
    const { count, lines } = createWorld();

    count("Counted", Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`d${index}`, "x"])));

    expect(JSON.parse(lines[0] ?? "")._aws.CloudWatchMetrics[0].Dimensions[0]).toHaveLength(30);
  });

  it("does not let a field override the metric or a dimension", () => {
    const { count, lines } = createWorld();

    count("Counted", { appId: "app-1" }, { appId: "other", Counted: 7, _aws: "other" });

    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ _aws: {}, appId: "app-1", Counted: 1 });
  });

  it("hides and cuts a metric's fields like those of a log line", () => {
    const { count, lines } = createWorld();
    rememberSecret("word-of-the-partner");

    count("Counted", {}, { url: "https://partner.example?key=word-of-the-partner", long: "x".repeat(9_000) });

    const [line = ""] = lines;
    expect(line).not.toContain("word-of-the-partner");
    expect(line.length).toBeLessThan(5_000);
  });

  it("continues if a line cannot be written", () => {
    const count = createCountMetric(
      () => {
        throw new Error("EPIPE");
      },
      () => 5,
    );

    expect(() => count("Counted", {})).not.toThrow();
  });
});

function createWorld() {
  const lines: string[] = [];
  const count = createCountMetric(
    (line) => lines.push(line),
    () => 5,
  );
  return { count, lines };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FunctionDefinition } from "../../local/cloud/lambda/function-definition.ts";
import { LambdaService } from "../../local/cloud/lambda/lambda-service.ts";
import type { Outcome } from "../../local/cloud/lambda/outcome.ts";
import { startRuntimeApi } from "../../local/cloud/lambda/runtime-api.ts";
import { startLocalServer } from "../../local/cloud/local-server.ts";
import { firstByDay } from "../helpers/by-day.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const onLinux = process.platform === "linux";

let lambda: LambdaService;
const lines: string[] = [];
const lambdaLines: string[] = [];
const invoked: [key: string, requestId: string][] = [];

const define = (key: string, more: Partial<FunctionDefinition> = {}): FunctionDefinition => ({
  key,
  name: `service-${key}`,
  arn: `arn:aws:lambda:eu-central-1:000000000000:function:service-${key}`,
  handler: "handlers.handler",
  taskRoot: join(fixtures, "lambda"),
  region: "eu-central-1",
  timeoutMs: 20_000,
  memoryMb: 512,
  environment: { OWN: "value" },
  ...more,
});

function start(options: { concurrency?: number; environment?: Record<string, string> } = {}) {
  const { concurrency = 4, environment = { OWN: "value" } } = options;
  lambda = new LambdaService({
    functions: [
      define("tell", { environment }),
      define("tellJson", { logFormat: "JSON" }),
      define("short", { timeoutMs: 3_000 }),
      define("small", { memoryMb: 200 }),
      define("broken", { handler: "broken.handler" }),
      define("missing", { handler: "handlers.nothing" }),
      define("nowhere", { handler: "nowhere.handler" }),
      define("old", { handler: "handlers.callback" }),
      define("once", { maximumRetryAttempts: 0 }),
    ],
    concurrency,
    log: (line) => lines.push(line),
    logOfLambda: (line) => lambdaLines.push(line),
    onInvocation: ({ requestId }, { key }) => invoked.push([key, requestId]),
    buildFolder: mkdtempSync(join(tmpdir(), "no-build-")),
    asyncRetryDelaysMs: [0, 0],
  });
}

const invoke = (key: string, event: object = {}) => lambda.invoke(key, JSON.stringify(event));
const answerOf = (outcome: Outcome) => JSON.parse(outcome.body);
const told = async (key: string, event?: object): Promise<object> => {
  const outcome = await invoke(key, event);
  return { kind: outcome.kind, ...answerOf(outcome) };
};
const pidOf = async (key = "tell") => Number(answerOf(await invoke(key)).pid);

beforeEach(() => {
  lines.length = 0;
  lambdaLines.length = 0;
  invoked.length = 0;
});
afterEach(() => lambda.close());

describe("a function", () => {
  beforeEach(() => start());

  it("gets its event, its context and the environment that Lambda sets, and no variables of the user", async () => {
    const { event, env, context } = answerOf(await invoke("tell", { text: "Zoë 👋" }));

    expect(event).toEqual({ text: "Zoë 👋" });
    expect(context).toMatchObject({
      functionName: "service-tell",
      functionVersion: "$LATEST",
      memoryLimitInMB: "512",
      invokedFunctionArn: "arn:aws:lambda:eu-central-1:000000000000:function:service-tell",
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(context.remainingMs).toBeGreaterThan(0);
    expect(context.remainingMs).toBeLessThanOrEqual(20_000);
    expect(env).toMatchObject({
      OWN: "value",
      AWS_REGION: "eu-central-1",
      AWS_LAMBDA_FUNCTION_NAME: "service-tell",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "512",
      AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
      _HANDLER: "handlers.handler",
      TZ: ":UTC",
      PATH: "/usr/local/bin:/usr/bin/:/bin:/opt/bin",
    });
    // https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
    const reserved =
      "AWS_ACCESS_KEY_ID AWS_DEFAULT_REGION AWS_EXECUTION_ENV AWS_LAMBDA_FUNCTION_MEMORY_SIZE AWS_LAMBDA_FUNCTION_NAME AWS_LAMBDA_FUNCTION_VERSION AWS_LAMBDA_INITIALIZATION_TYPE AWS_LAMBDA_LOG_FORMAT AWS_LAMBDA_LOG_GROUP_NAME AWS_LAMBDA_LOG_STREAM_NAME AWS_LAMBDA_RUNTIME_API AWS_REGION AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN LAMBDA_RUNTIME_DIR LAMBDA_TASK_ROOT _HANDLER _X_AMZN_TRACE_ID";
    const others = ["AWS_XRAY_CONTEXT_MISSING", "LANG", "PATH", "TZ"];
    expect(Object.keys(env).sort()).toEqual(["OWN", ...others, ...reserved.split(" ")].sort());
  });

  it("reuses its process, and gets a second one for a concurrent invocation", async () => {
    const first = answerOf(await invoke("tell"));
    const second = answerOf(await invoke("tell"));
    const [third, fourth] = await Promise.all([pidOf(), pidOf()]);

    expect(second).toMatchObject({ pid: first.pid, invocations: 2 });
    expect(new Set([third, fourth]).size).toBe(2);
    expect([third, fourth]).toContain(first.pid);
  });

  it("that throws is reported with type, message and trace, and keeps its process", async () => {
    const pid = await pidOf();

    expect(await told("tell", { do: "throw" })).toMatchObject({
      kind: "failed",
      errorType: "RangeError",
      errorMessage: "asked to throw",
      trace: expect.arrayContaining([expect.stringContaining("handlers.mjs")]),
    });
    expect(lines.join("\n")).toMatch(/"errorMessage":"asked to throw","field":"a field"/);
    expect(await pidOf()).toBe(pid);
  });

  it("that writes is read completely before its answer is returned", async () => {
    for (const round of [1, 2, 3]) {
      lines.length = 0;

      await invoke("tell", { do: "write", lines: 2_000 });

      expect(
        lines.filter((line) => line === "a line"),
        `round ${round}`,
      ).toHaveLength(2_000);
      expect(lines.filter((line) => line !== "a line")).toEqual(["an unfinished line"]);
    }
  });

  it("that leaves a rejection unhandled is reported with it, and its process ends", async () => {
    const pid = await pidOf();

    expect(await told("tell", { do: "reject" })).toMatchObject({
      kind: "failed",
      errorType: "Runtime.UnhandledPromiseRejection",
      errorMessage: expect.stringContaining("nobody listens"),
    });
    const next = await pidOf();
    expect(next).toBeGreaterThan(0);
    expect(next).not.toBe(pid);
  });

  it.each(firstByDay(["hang", "block"]))(
    "that does %s is killed at its timeout, and the next invocation gets a new process",
    async (how) => {
      expect(await told("short", { do: how })).toMatchObject({
        kind: "timedOut",
        errorType: "Sandbox.Timedout",
        errorMessage: expect.stringMatching(
          /^RequestId: [0-9a-f-]{36} Error: Task timed out after 3.00 seconds$/,
        ),
      });
      // On a busy machine three seconds may be over before a process has started.
      await expect.poll(async () => (await invoke("short", { do: "answer", answer: 1 })).body).toBe("1");
    },
  );

  it("reports its end in both formats of Lambda's own lines", async () => {
    for (const key of ["tell", "tellJson"]) await invoke(key, { do: "exit", code: 3 });

    const record = { errorType: "Runtime.ExitError", error: "Runtime exited with error: exit status 3" };
    expect(lambdaLines.at(-2)).toMatch(/^RequestId: \S+ Error: Runtime exited with error: exit status 3$/);
    expect(JSON.parse(lambdaLines.at(-1) ?? "")).toMatchObject({ type: "platform.report", record });
  });

  const exitError = "Runtime.ExitError";
  const large = { do: "large", bytes: 6 * 1024 * 1024 };
  it.each([
    ["exits with 3", "tell", { do: "exit", code: 3 }, exitError, /Runtime exited with error: exit status 3/],
    ["exits with 0", "tell", { do: "exit", code: 0 }, exitError, /Runtime exited without providing a reason/],
    ["cannot be loaded", "broken", {}, "TypeError", /broken at import/],
    ["has no such handler", "missing", {}, "Runtime.HandlerNotFound", /handlers.nothing/],
    ["does not exist", "nowhere", {}, "Runtime.ImportModuleError", /Cannot find module 'nowhere'/],
    ["takes a callback", "old", {}, "Runtime.CallbackHandlerDeprecated", /callback-based/],
    ["awaits what never ends", "tell", { do: "forget" }, "Runtime.NodeJsExit", /never settled/],
    ["answers more than 6 MB", "tell", large, "Function.ResponseSizeTooLarge", /./],
  ])("that %s is reported with its error type", async (_how, key, event, errorType, message) => {
    const kind = errorType === exitError ? "exited" : "failed";

    const errorMessage = expect.stringMatching(message);
    expect(await told(key, event)).toMatchObject({ kind, errorType, errorMessage });
  });

  it("that is killed while it runs is reported as killed", async () => {
    await invoke("tell");
    const hanging = invoke("tell", { do: "hang" });
    await vi.waitFor(() => expect(lines.join("\n")).toContain("hanging"));

    lambda.pool("tell").kill();

    expect(answerOf(await hanging).errorMessage).toContain("Runtime exited with error: signal: killed");
    expect((await hanging).kind).toBe("exited");
    expect((await invoke("tell")).kind).toBe("answered");
  });

  it.runIf(onLinux)("that exceeds its memory is killed and reported with that", async () => {
    expect(await told("small", { do: "eat" })).toMatchObject({
      kind: "exited",
      errorType: "Runtime.OutOfMemory",
      errorMessage: expect.stringContaining("signal: killed"),
    });
    expect(lines.join("\n")).toMatch(/small used \d+ MB of its 200 MB/);
  });

  it("that returns undefined answers null", async () => {
    expect((await invoke("tell", { do: "answer" })).body).toBe("null");
  });

  it("has time, id and level before its console lines, and nothing around what it writes itself", async () => {
    await invoke("tell", { do: "say", line: '{"own":"line"}' });

    const before = /^\d{4}-[\dT:.-]+Z\t[0-9a-f-]{36}\t/;
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`${before.source}INFO\t{"own":"line"}$`)),
      expect.stringMatching(new RegExp(`${before.source}WARN\ta word 7$`)),
      '{"own":"line"}',
    ]);
  });

  it("has its console lines as text within an object in the JSON format", async () => {
    await invoke("tellJson", { do: "say", line: '{"own":"line"}' });

    const [said = "", warned = "", written] = lines;
    expect(JSON.parse(said)).toMatchObject({
      level: "INFO",
      requestId: expect.any(String),
      message: '{"own":"line"}',
    });
    expect(JSON.parse(warned)).toMatchObject({ level: "WARN", message: "a word 7" });
    expect(written).toBe('{"own":"line"}');
  });

  it("is retried twice after an asynchronous failure under one id, or as often as serverless.yml sets", async () => {
    lambda.invokeAsync("once", JSON.stringify({ do: "throw" }));
    lambda.invokeAsync("tell", JSON.stringify({ do: "throw" }));

    await vi.waitFor(() => expect(invoked.filter(([key]) => key === "tell")).toHaveLength(3));
    await vi.waitFor(() => expect(lambda.isBusy()).toBe(false));
    expect(invoked.filter(([key]) => key === "once")).toHaveLength(1);
    expect(new Set(invoked.map(([, requestId]) => requestId)).size).toBe(2);
    expect(lambda.waitingTries()).toEqual([]);
  });
});

it("does not serve the process of an earlier one that had the same port", async () => {
  const api = await startRuntimeApi();

  const { status } = await fetch(`${api.url}/2018-06-01/runtime/invocation/next`);
  await api.close();

  expect(status).toBe(404);
});

it("is throttled beyond its reserved concurrency, without effect on other functions", async () => {
  start();
  lambda.reserved.set("tell", 0);

  const [stopped, other] = [await invoke("tell"), await invoke("tellJson")];
  lambda.reserved.set("tell", 1);
  const both = await Promise.all([invoke("tell"), invoke("tell")]);
  lambda.reserved.delete("tell");

  expect([stopped.kind, other.kind]).toEqual(["throttled", "answered"]);
  expect(both.map(({ kind }) => kind)).toEqual(["answered", "throttled"]);
  expect((await invoke("tell")).kind).toBe("answered");
});

it("queues invocations while every process of the function is busy", async () => {
  start({ concurrency: 1 });

  const pids = await Promise.all([pidOf(), pidOf(), pidOf()]);

  expect(new Set(pids).size).toBe(1);
});

it.runIf(onLinux)("ends with the process that started it, and removes its bundles", async () => {
  start();
  const folder = mkdtempSync(join(tmpdir(), "orphan-"));
  const parent = spawn(process.execPath, [join(fixtures, "invoke-and-wait.ts"), folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [pid] = await once(createInterface({ input: parent.stdout }), "line");
  expect(existsSync(`/proc/${pid}`)).toBe(true);

  parent.kill("SIGKILL");

  await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false));
  await vi.waitFor(() => expect(existsSync(folder)).toBe(false));
});

describe("a process that is killed at a step", () => {
  let seen: string[];
  let invocations: unknown[];
  let server: Awaited<ReturnType<typeof startLocalServer>>;

  beforeEach(async () => {
    seen = [];
    invocations = [];
    server = await startLocalServer((request, response) => {
      seen.push(String(request.url));
      invocations.push(request.headers["x-local-invocation"]);
      request.resume();
      request.on("end", () => response.end("{}"));
    });
    start({ environment: { AWS_ENDPOINT_URL_DYNAMODB: server.url } });
  });
  afterEach(() => server.close());

  // The first and the third call use Node's client, the second one fetch.
  const event = () => ({ do: "call", urls: ["/1", "/2", "/3"].map((path) => server.url + path) });

  it("names its invocation in the requests of both clients", async () => {
    await invoke("tell", event());

    const [[, requestId] = []] = invoked;
    expect(invocations).toEqual([requestId, requestId, requestId]);
  });

  it.each([
    [{ nth: 1, when: "before" }, []],
    [{ nth: 2, when: "after" }, ["/1", "/2"]],
    [{ nth: 2, when: "before", operation: "PutItem" }, ["/1", "/2"]],
  ] as const)("crashes at %j", async (point, expected) => {
    void lambda.pool("tell").killWhen(() => true, { service: "dynamodb", ...point });

    const outcome = await invoke("tell", event());

    expect(outcome.kind).toBe("exited");
    expect(seen).toEqual(expected);
  });

  it("crashes once, when a selected invocation reaches the step, however many others come before", async () => {
    const isMeant = (payload: string) => payload.includes("meant");
    const struck = lambda.pool("tell").killWhen(isMeant, { service: "dynamodb", nth: 2, when: "before" });
    const [first = ""] = event().urls;

    const kinds = [];
    for (const one of [
      event(),
      { do: "call", urls: [first], meant: 1 },
      { ...event(), meant: 2 },
      { ...event(), meant: 3 },
    ]) {
      kinds.push((await invoke("tell", one)).kind);
    }
    await struck;

    expect(kinds).toEqual(["answered", "answered", "exited", "answered"]);
  });
});

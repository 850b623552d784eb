// The runtime of a function's process. https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
import { subscribe } from "node:diagnostics_channel";
import { existsSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createKillSwitch } from "./kill-switch.mjs";
import { replaceConsole } from "./lambda-console.mjs";
import { shiftDate } from "./shifted-date.mjs";
import { isStreaming, provideStreaming, streamResponse } from "./stream-response.mjs";

const agent = new Agent({ keepAlive: true });
const {
  AWS_LAMBDA_RUNTIME_API: address = "",
  LAMBDA_TASK_ROOT: root = "",
  _HANDLER: name = "",
} = process.env;
const killSwitch = createKillSwitch(process.env);
const { machineNow, setClock } = shiftDate(JSON.parse(process.argv[2]));
let current; // the invocation that is being handled
let endUnsettled = () => {};
process.on("beforeExit", () => endUnsettled());
replaceConsole(process.env, () => current);
// Adds the invocation to requests to local services, as tracing does on Lambda.
subscribe("http.client.request.created", ({ request }) => {
  if (current !== undefined && !request.headersSent) request.setHeader("x-local-invocation", current);
});
subscribe("undici:request:create", ({ request }) => {
  if (current !== undefined) request.addHeader("x-local-invocation", current);
});
provideStreaming();
const neverSettled =
  "The Lambda runtime client detected an unexpected Node.js exit code. This is most commonly caused by a Promise that was never settled. For more information, see https://nodejs.org/docs/latest/api/process.html#exit-codes";

process.on("uncaughtException", (error) => endWith(error, 129));
process.on("unhandledRejection", (reason) => {
  const error = Object.assign(new Error(String(reason?.stack ?? reason)), {
    name: "Runtime.UnhandledPromiseRejection",
  });
  return endWith(error, 128);
});

const handle = await loadHandler().catch(async (error) => {
  print("Init Error", error);
  await call("POST", "/init/error", describe(error));
  process.exit(1);
});

for (;;) {
  const { headers, body } = await call("GET", "/invocation/next");
  current = headers["lambda-runtime-aws-request-id"];
  process.env._X_AMZN_TRACE_ID = headers["lambda-runtime-trace-id"];
  killSwitch.arm(headers["local-cloud-kill"]);
  setClock(JSON.parse(headers["local-cloud-clock"]));
  if (isStreaming(handle)) await runStreaming(headers, body);
  else await runBuffered(headers, body);
  current = undefined;
}

async function runBuffered(headers, body) {
  const [path, answer] = await run(headers, body);
  killSwitch.disarm();
  endOutput();
  await call("POST", `/invocation/${current}/${path}`, answer);
}

async function runStreaming(headers, body) {
  const { stream, fail, answered } = streamResponse(open, `/invocation/${current}/response`);
  try {
    await handle(JSON.parse(body), stream, contextOf(headers));
  } catch (error) {
    print("Invoke Error", error);
    fail(describe(error));
  }
  endOutput();
  await answered;
  killSwitch.disarm();
}

async function run(headers, body) {
  try {
    const result = await settled(handle(JSON.parse(body), contextOf(headers)));
    return ["response", result === undefined ? null : result];
  } catch (error) {
    print("Invoke Error", error);
    return ["error", describe(error)];
  }
}

/**
 * Ends an invocation whose event loop is empty, before any listener of the function.
 * @see https://github.com/aws/aws-lambda-nodejs-runtime-interface-client
 */
function settled(answer) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const isAsync = handle.constructor.name === "AsyncFunction";
  endUnsettled = () => (isAsync ? reject(failure("Runtime.NodeJsExit", neverSettled)) : resolve(null));
  return Promise.race([answer, promise]).finally(() => {
    endUnsettled = () => {};
  });
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-handler.html */
async function loadHandler() {
  const dot = name.lastIndexOf(".");
  const [path, exported] = [name.slice(0, dot), name.slice(dot + 1)];
  const file = [".mjs", ".js", ".cjs"].map((extension) => join(root, path + extension)).find(existsSync);
  if (file === undefined) throw failure("Runtime.ImportModuleError", `Error: Cannot find module '${path}'`);
  const module = await import(pathToFileURL(file).href);
  const handler = module[exported] ?? module.default?.[exported];
  if (typeof handler !== "function") {
    throw failure("Runtime.HandlerNotFound", `${name} is undefined or not exported`);
  }
  if (handler.length >= 3 && !isStreaming(handler)) {
    throw failure(
      "Runtime.CallbackHandlerDeprecated",
      "ERROR: AWS Lambda has removed support for callback-based function handlers starting with Node.js 24.",
    );
  }
  return handler;
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-context.html */
function contextOf(headers) {
  const deadlineMs = Number(headers["lambda-runtime-deadline-ms"]);
  return {
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    invokedFunctionArn: headers["lambda-runtime-invoked-function-arn"],
    awsRequestId: headers["lambda-runtime-aws-request-id"],
    identity: undefined,
    clientContext: undefined,
    getRemainingTimeInMillis: () => deadlineMs - machineNow(),
  };
}

function describe(error) {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  const { name: errorType, message: errorMessage, stack = "" } = error;
  return { errorType, errorMessage, trace: stack.split("\n") };
}

function toJson(fields) {
  try {
    return JSON.parse(JSON.stringify(fields));
  } catch {
    return {};
  }
}

function failure(type, message) {
  return Object.assign(new Error(message), { name: type });
}

async function endWith(error, exitCode) {
  print("Uncaught Exception", error);
  endOutput();
  const path = current === undefined ? "/init/error" : `/invocation/${current}/error`;
  await call("POST", path, describe(error)).catch(() => {});
  process.exit(exitCode);
}

/** With the error's own fields, as Lambda's runtime does. */
function print(what, error) {
  const { errorType, errorMessage, trace: stack } = describe(error);
  const fields = error instanceof Error ? toJson({ ...error }) : {};
  const line = JSON.stringify({ errorType, errorMessage, ...fields, stack });
  process.stderr.write(`${new Date().toISOString()}\t${current}\tERROR\t${what}\t${line}\n`);
}

function endOutput() {
  for (const stream of [process.stdout, process.stderr]) stream.write(`\0answered ${current}\n`);
}

function call(method, path, answer) {
  const { sent, answered } = open(method, path);
  sent.end(answer === undefined ? undefined : JSON.stringify(answer));
  return answered;
}

function open(method, path, headers = {}) {
  const { promise: answered, resolve } = Promise.withResolvers();
  const [host, port] = address.split(":");
  const place = { agent, host, port, method, path: `/2018-06-01/runtime${path}`, headers };
  const sent = request(place, (response) => {
    const chunks = [];
    response.on("data", (chunk) => chunks.push(chunk));
    response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(chunks).toString() }));
  });
  sent.on("error", () => process.exit(1));
  return { sent, answered };
}

import { format } from "node:util";

const levels = ["trace", "debug", "info", "warn", "error", "fatal"];

/**
 * Replaces `console` as Lambda's runtime does: text lines begin with time, request id and level; JSON lines
 * contain the message, as text if it is JSON; lines below AWS_LAMBDA_LOG_LEVEL are dropped. Direct writes
 * stay.
 * @see https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/LogPatch.js read
 * 2026-11-21, 3.3.0
 * @param requestIdNow undefined between invocations
 * @param write receives whole lines
 */
export function replaceConsole(env, requestIdNow, write = (text) => process.stdout.write(text)) {
  const isJson = env.AWS_LAMBDA_LOG_FORMAT?.toUpperCase() === "JSON";
  const least = Math.max(0, levels.indexOf(env.AWS_LAMBDA_LOG_LEVEL?.toLowerCase()));
  const toLine = isJson ? toJsonLine : toTextLine;
  for (const [priority, name] of levels.entries()) {
    const isLogged = priority >= least || name === "fatal";
    console[name] = isLogged
      ? (...parts) => {
          // One log event each, with or without line breaks.
          write(`${toLine(name.toUpperCase(), requestIdNow(), parts).replaceAll("\n", "\r")}\n`);
        }
      : () => {};
  }
  console.log = console.info;
}

function toTextLine(level, requestId, parts) {
  return `${new Date().toISOString()}\t${requestId}\t${level}\t${format(...parts)}`;
}

function toJsonLine(level, requestId, parts) {
  const line = { timestamp: new Date().toISOString(), level, requestId };
  const [message] = parts;
  if (parts.length > 1) return JSON.stringify({ ...line, message: format(...parts), ...errorFacts(parts) });
  try {
    return JSON.stringify({ ...line, message }, (_, value) =>
      value instanceof Error ? { ...errorFactsOf(value), ...value } : value,
    );
  } catch {
    return JSON.stringify({ ...line, message: format(message) });
  }
}

function errorFacts(parts) {
  const error = parts.find((part) => part instanceof Error);
  return error === undefined ? {} : errorFactsOf(error);
}

function errorFactsOf(error) {
  const { message, stack } = error;
  return {
    errorType: error.constructor?.name ?? "UnknownError",
    errorMessage: message,
    stackTrace: typeof stack === "string" ? stack.split("\n") : [],
  };
}

// Response streaming, as in Lambda's Node.js runtime.
// https://docs.aws.amazon.com/lambda/latest/dg/config-rs-write-functions.html
// https://github.com/aws/aws-lambda-nodejs-runtime-interface-client read 2026-11-26

const marker = Symbol.for("aws.lambda.runtime.handler.streaming");
const beforeFirstWrite = Symbol("before-first-write");

export const isStreaming = (handler) => handler[marker] === "response";

export function provideStreaming() {
  globalThis.awslambda = {
    streamifyResponse: (handler) => Object.assign(handler, { [marker]: "response" }),
    HttpResponseStream: {
      from(stream, prelude) {
        stream.setContentType("application/vnd.awslambda.http-integration-response");
        stream[beforeFirstWrite] = Buffer.concat([Buffer.from(JSON.stringify(prelude)), Buffer.alloc(8)]);
        return stream;
      },
    },
  };
}

/** Opens the response; until the handler ends `stream`, the invocation lasts. */
export function streamResponse(open, path) {
  const { sent: stream, answered } = open("POST", path, {
    "lambda-runtime-function-response-mode": "streaming",
    "content-type": "application/octet-stream",
    "transfer-encoding": "chunked",
    trailer: "Lambda-Runtime-Function-Error-Type, Lambda-Runtime-Function-Error-Body",
  });
  const write = stream.write.bind(stream);
  stream.setContentType = (type) => stream.setHeader("content-type", type);
  stream.write = (chunk, ...others) => {
    const first = stream[beforeFirstWrite];
    delete stream[beforeFirstWrite];
    if (first !== undefined) write(first);
    const isBytes = typeof chunk === "string" || chunk instanceof Uint8Array;
    return write(isBytes ? chunk : JSON.stringify(chunk), ...others);
  };
  const fail = (error) => {
    const body = Buffer.from(JSON.stringify(error)).toString("base64");
    stream.addTrailers({
      "Lambda-Runtime-Function-Error-Type": error.errorType,
      "Lambda-Runtime-Function-Error-Body": body,
    });
    stream.end();
  };
  return { stream, fail, answered };
}

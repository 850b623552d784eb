import { dirname } from "node:path";

/**
 * What stands in the place of modules of the AWS SDK, by the end of their paths: nothing where they are never reached, as
 * the client is told everything (lib/aws/secrets/secrets-manager.ts), and less where less is enough for its one operation.
 * test/functions/lean-sdk.test.ts compares what the client then says and understands with what it does otherwise.
 */
/** @type {Record<string, string>} */
const replaced = {
  // Every operation that there is.
  "/client-secrets-manager/dist-es/index.js": `
    export { SecretsManagerClient } from "./SecretsManagerClient";
    export { GetSecretValueCommand } from "./commands/GetSecretValueCommand";`,
  // Looks for settings in the environment, in files and in metadata services.
  "/client-secrets-manager/dist-es/runtimeConfig.js": `
    import { calculateBodyLength } from "@smithy/core/serde";
    import { getRuntimeConfig as getSharedRuntimeConfig } from "./runtimeConfig.shared";
    export const getRuntimeConfig = (config) => ({
      ...getSharedRuntimeConfig(config), runtime: "node", bodyLengthChecker: calculateBodyLength,
      authSchemePreference: async () => [], ...config,
    });`,
  "/submodules/config/node-config-provider/configLoader.js": `
    export const loadConfig = () => async () => undefined;`,
  "/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js": `
    export const CONFIG_PREFIX_SEPARATOR = ".";
    export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`,
  // Any operation and type of the JSON protocols; one operation has texts alone.
  // https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html
  "/submodules/protocols/json/AwsJson1_1Protocol.js": `
    export class AwsJson1_1Protocol {
      constructor({ serviceTarget }) { this.target = serviceTarget; }
      setSerdeContext() {}
      async serializeRequest({ name }, input, { endpoint }) {
        const { protocol, hostname, port, path } = await endpoint();
        const headers = { "content-type": "application/x-amz-json-1.1", "x-amz-target": this.target + "." + name };
        return { method: "POST", protocol, hostname, port, path, query: {}, headers, body: JSON.stringify(input) };
      }
      async deserializeResponse(_operation, _context, { statusCode, headers, body }) {
        const $metadata = { httpStatusCode: statusCode, requestId: headers["x-amzn-requestid"] };
        const answer = parse(Buffer.from(body).toString("utf8"));
        if (answer !== undefined && statusCode < 300) return { $metadata, ...answer };
        const { __type, code, message, Message } = answer ?? {};
        const type = String(__type ?? code ?? headers["x-amzn-errortype"] ?? "Unknown");
        const name = type.split(":", 1)[0].split("#").at(-1);
        const $fault = statusCode >= 500 ? "server" : "client";
        throw Object.assign(new Error(message ?? Message ?? "UnknownError"), { name, $fault, $metadata });
      }
    }
    function parse(text) {
      try { return text === "" ? {} : JSON.parse(text); } catch { return undefined; }
    }`,
  // The errors of all operations.
  "/client-secrets-manager/dist-es/schemas/schemas_0.js": `
    export const errorTypeRegistries = [];
    export const GetSecretValue$ = [9, "com.amazonaws.secretsmanager", "GetSecretValue", 0, () => "unit", () => "unit"];`,
  // Finds an address for a region; it is given one.
  "/client-secrets-manager/dist-es/endpoint/endpointResolver.js": `
    export const defaultEndpointResolver = ({ Endpoint }) => ({ url: new URL(Endpoint) });`,
  "/endpoints/middleware-endpoint/adaptors/getEndpointUrlConfig.js": `
    export const getEndpointUrlConfig = () => ({});`,
  "/endpoints/middleware-endpoint/service-customizations/s3.js": `
    export const resolveParamsForS3 = async (params) => params;
    export const DOT_PATTERN = /\\./, S3_HOSTNAME_PATTERN = /^$/;
    export const isDnsCompatibleBucketName = () => false, isArnBucketName = () => false;`,
  "/util-endpoints/lib/aws/partition.js": `
    export const partition = () => ({});
    export const setPartitionInfo = () => {};
    export const useDefaultPartitionInfo = () => {};
    export const getUserAgentPrefix = () => "";`,
  // What others may add to the client: nobody does.
  "/client-secrets-manager/dist-es/runtimeExtensions.js": `
    export const resolveRuntimeExtensions = (config) => config;`,
  // Protocols of events in streams, and a way of retrying that is not used.
  "/submodules/event-streams/index.js": `
    export const EventStreamSerde = undefined;`,
  "/submodules/schema/schemas/NormalizedSchema.js": `
    export class NormalizedSchema { static of() { return { getEventStreamMember() {} }; } }
    export const simpleSchemaCacheN = [];
    export const simpleSchemaCacheS = {};
    export const isStaticSchema = () => false;`,
  "/util-retry/AdaptiveRetryStrategy.js": `
    export class AdaptiveRetryStrategy {}`,
  "/util-retry/DefaultRateLimiter.js": `
    export class DefaultRateLimiter {}`,
  "/signature-v4/dist-es/HeaderFormatter.js": `
    export class HeaderFormatter {}`,
  // When to try again, as answers' headers say: the handler keeps none.
  "/middleware-retry/parseRetryAfterHeader.js": `
    export const parseRetryAfterHeader = () => undefined;
    export const getRetryAfterHint = () => undefined;`,
  // What a log of the SDK's own would show of a request: it has none.
  "/smithy-client/schemaLogFilter.js": `
    export const schemaLogFilter = () => undefined;`,
  "/middleware-logger/loggerMiddleware.js": `
    export const loggerMiddleware = () => (next) => (args) => next(args);
    export const loggerMiddlewareOptions = {};
    export const getLoggerPlugin = () => ({ applyToStack() {} });`,
  // A digest in JavaScript, for platforms without Node's own.
  "/submodules/checksum/index.js": `
    export class Sha256 {
      constructor(secret) {
        const { createHash, createHmac } = process.getBuiltinModule("node:crypto");
        this.hash = secret ? createHmac("sha256", secret) : createHash("sha256");
      }
      update(data) { this.hash.update(data); }
      async digest() { return this.hash.digest(); }
    }`,
  // Names the invocation to the service called, so that AWS notices functions that call each other in circles.
  "/middleware-recursion-detection/recursionDetectionMiddleware.js": `
    export const recursionDetectionMiddleware = () => (next) => (args) => next(args);`,
  // Tells the service which features of the SDK are used.
  "/middleware-user-agent/user-agent-middleware.js": `
    export const userAgentMiddleware = () => (next) => (args) => next(args);
    export const getUserAgentMiddlewareOptions = {};
    export const getUserAgentPlugin = () => ({ applyToStack() {} });`,
};

/** Puts the modules above into a bundle; fails where one of them is not found any more. */
export const leanSdk = {
  name: "lean-sdk",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    /** @type {Set<string>} */
    const met = new Set();
    build.onStart(() => met.clear());
    build.onLoad({ filter: /[/\\]node_modules[/\\]@(aws-sdk|smithy)[/\\].+\.js$/ }, ({ path }) => {
      const end = Object.keys(replaced).find((one) => path.replaceAll("\\", "/").endsWith(one));
      if (end === undefined) return undefined;
      met.add(end);
      return { contents: replaced[end], resolveDir: dirname(path), loader: "js" };
    });
    build.onEnd(() => {
      const missing = Object.keys(replaced).filter((end) => !met.has(end));
      if (met.size === 0 || missing.length === 0) return undefined;
      const text = `The AWS SDK has no ${missing.join(", no ")} any more: see build/lean-sdk.mjs.`;
      return { errors: [{ text }] };
    });
  },
};

import { dirname } from "node:path";

/**
 * Replacements for modules of the AWS SDK, by the end of their paths: empty if never reached, because the
 * client gets all settings (lib/aws/secrets/secrets-manager.ts), and smaller if less suffices for its one
 * operation. test/functions/lean-sdk.test.ts compares requests and results with the original.
 */
/** @type {Record<string, string>} */
const replaced = {
  // All operations.
  "/client-secrets-manager/dist-es/index.js": `
    export { SecretsManagerClient } from "./SecretsManagerClient";
    export { GetSecretValueCommand } from "./commands/GetSecretValueCommand";`,
  // Reads settings from the environment, files and metadata services.
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
  // Operations and types of the JSON protocols; the one operation used has only strings.
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
  // Finds the address of a region; the client gets one.
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
  // Extensions of the client; there are none.
  "/client-secrets-manager/dist-es/runtimeExtensions.js": `
    export const resolveRuntimeExtensions = (config) => config;`,
  // Event-stream protocols, and an unused way of retrying.
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
  // Retry times from answers' headers: the handler keeps none.
  "/middleware-retry/parseRetryAfterHeader.js": `
    export const parseRetryAfterHeader = () => undefined;
    export const getRetryAfterHint = () => undefined;`,
  // Filters the SDK's own log of requests: there is none.
  "/smithy-client/schemaLogFilter.js": `
    export const schemaLogFilter = () => undefined;`,
  "/middleware-logger/loggerMiddleware.js": `
    export const loggerMiddleware = () => (next) => (args) => next(args);
    export const loggerMiddlewareOptions = {};
    export const getLoggerPlugin = () => ({ applyToStack() {} });`,
  // A digest in JavaScript, for platforms without Node's.
  "/submodules/checksum/index.js": `
    export class Sha256 {
      constructor(secret) {
        const { createHash, createHmac } = process.getBuiltinModule("node:crypto");
        this.hash = secret ? createHmac("sha256", secret) : createHash("sha256");
      }
      update(data) { this.hash.update(data); }
      async digest() { return this.hash.digest(); }
    }`,
  // Sends the invocation's id to the called service, so that AWS detects functions that call each other in a
  // loop.
  "/middleware-recursion-detection/recursionDetectionMiddleware.js": `
    export const recursionDetectionMiddleware = () => (next) => (args) => next(args);`,
  // Reports the used features of the SDK to the service.
  "/middleware-user-agent/user-agent-middleware.js": `
    export const userAgentMiddleware = () => (next) => (args) => next(args);
    export const getUserAgentMiddlewareOptions = {};
    export const getUserAgentPlugin = () => ({ applyToStack() {} });`,
};

/** Puts these modules into a bundle; fails if one of them no longer exists. */
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

/** Nothing else can be imported. Each is a file of `package/`. */
export const entryPoints = [
  "chat",
  "events",
  "webhook",
  "triggers",
  "flows",
  "functions",
  "platform",
  "testing",
] as const;

/** The dependencies of the entry points and the command line; starting or deploying an app needs more. */
export const packageDependencies = [
  "zod",
  "re2js",
  "jose",
  "yaml",
  "yazl",
  "hono",
  "@hono/node-server",
] as const;

/** For this repository's checks and the package build. */
export const ownTools = [
  "@aws-cdk/aws-service-spec",
  "@aws-lambda-powertools/batch",
  "@aws-lambda-powertools/idempotency",
  "@aws-lambda-powertools/logger",
  "@aws-sdk/client-lambda",
  "@aws-sdk/lib-dynamodb",
  "@biomejs/biome",
  "@stryker-mutator/core",
  "@stryker-mutator/vitest-runner",
  "@types/express",
  "@types/yazl",
  "aws4fetch",
  "axe-core",
  "express",
  "fast-check",
  "knip",
  "playwright-core",
  "preact",
  "typescript",
  "vitest",
] as const;

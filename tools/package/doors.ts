/** The doors of the package: nothing else of it can be imported. Each is a file of `package/`. */
export const doors = [
  "chat",
  "events",
  "webhook",
  "triggers",
  "flows",
  "functions",
  "platform",
  "testing",
] as const;

/** What the doors and the command line import by themselves; all else is needed to start or to deploy an app. */
export const packageDependencies = ["zod", "re2js", "jose", "yaml", "hono", "@hono/node-server"] as const;

/** What only this repository's own checks and the build of the package need. */
export const ownTools = [
  "@aws-cdk/aws-service-spec",
  "@aws-lambda-powertools/batch",
  "@aws-lambda-powertools/idempotency",
  "@aws-lambda-powertools/logger",
  "@aws-sdk/client-lambda",
  "@aws-sdk/lib-dynamodb",
  "@aws/durable-execution-sdk-js-testing",
  "@biomejs/biome",
  "@stryker-mutator/core",
  "@stryker-mutator/vitest-runner",
  "@types/express",
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

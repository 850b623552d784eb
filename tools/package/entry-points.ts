/** An app can import these alone. Each is a file of `package/`. */
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

export const appPackages = [
  "@aws-sdk/client-cloudformation",
  "@aws-sdk/client-cloudwatch-logs",
  "@aws-sdk/client-dynamodb",
  "@aws-sdk/client-iam",
  "@aws-sdk/client-s3",
  "@aws-sdk/client-secrets-manager",
  "@aws-sdk/client-sns",
  "@aws-sdk/client-sts",
  "@aws-sdk/credential-providers",
  "@aws/durable-execution-sdk-js",
  "@inquirer/prompts",
  "@types/aws-lambda",
  "@types/node",
  "commander",
  "esbuild",
  "node",
  "serverless",
] as const;

/** The files whose tests are judged by mutants, by what they are for. Each group keeps its score by itself. */
export const mutatedFiles = {
  authentication: ["lib/http/basic-auth.ts"],
  verification: [
    "lib/webhook/verify-sender.ts",
    "lib/secrets/webhook-credentials.ts",
    "lib/secrets/parse-secret.ts",
    "lib/secrets/read-secret-value.ts",
    "lib/cached.ts",
  ],
  signing: ["lib/aws/aws-call.ts", "lib/aws/sign-aws-request.ts", "lib/digest.ts"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Percent of a group's mutants that the unit tests must notice. */
export const minimumScore = 85;

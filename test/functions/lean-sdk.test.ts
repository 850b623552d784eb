import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createReadSecret, type ReadSecret } from "../../lib/aws/secrets/secret-reader.ts";

import { readEsbuildSettings } from "../bench/esbuild-settings.ts";
import { startLoopbackServer } from "../helpers/loopback-server.ts";

const root = join(import.meta.dirname, "../..");

/** What Secrets Manager may answer, and how often it is then asked. */
const answers: readonly (readonly [what: string, status: number, body: string, requests: number])[] = [
  ["a secret", 200, '{"SecretString":"the value é"}', 1],
  ["a secret that is no text", 200, '{"SecretBinary":"AAAA"}', 1],
  ["AccessDeniedException", 400, '{"__type":"AccessDeniedException","Message":"not authorized"}', 1],
  ["ResourceNotFoundException", 400, '{"__type":"ResourceNotFoundException","Message":"no such secret"}', 1],
  [
    "DecryptionFailure",
    400,
    '{"__type":"com.amazonaws.secretsmanager#DecryptionFailure","Message":"no key"}',
    1,
  ],
  ["ThrottlingException", 400, '{"__type":"ThrottlingException","message":"Rate exceeded"}', 3],
  ["InternalServiceError", 500, '{"__type":"InternalServiceError","Message":"sorry"}', 3],
  ["nothing with 503", 503, "", 3],
];

describe("the AWS SDK's client as the functions' bundles hold it", () => {
  let folder: string;
  let bundled: { createReadSecret: typeof createReadSecret };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "lean-sdk-"));
    const outfile = join(folder, "secret-reader.mjs");
    const { settings, plugins } = await readEsbuildSettings();
    const entryPoints = [join(root, "lib/aws/secrets/secret-reader.ts")];
    await build({ ...settings, entryPoints, outfile, plugins });
    bundled = await import(pathToFileURL(outfile).href);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(answers)(
    "says and understands what it does otherwise: %s",
    async (_what, status, body, requests) => {
      const own = await ask(bundled.createReadSecret(), status, body);
      const whole = await ask(createReadSecret(), status, body);

      expect(own).toEqual(whole);
      expect(own.requests).toHaveLength(requests);
      expect(own.requests[0]).toMatchObject({
        body: '{"SecretId":"chat/app"}',
        headers: { "x-amz-target": "secretsmanager.GetSecretValue", "x-amz-security-token": "session" },
      });
    },
  );

  /** Lets a client ask a server that always answers the same, and gives all that can be compared. */
  async function ask(readSecret: ReadSecret, status: number, body: string) {
    const server = await startLoopbackServer((_request, response) => {
      response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(body);
    });
    vi.stubEnv("AWS_REGION", "eu-central-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "id");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "key");
    vi.stubEnv("AWS_SESSION_TOKEN", "session");
    vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", server.url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const outcome = await readSecret("chat/app").then(
      (value) => ({ value }),
      (error) => ({
        name: error.name,
        message: error.message,
        fault: error.$fault,
        status: error.$metadata?.httpStatusCode,
      }),
    );
    return {
      outcome,
      requests: server.requests.map(({ method, path, headers, body: sent }) => ({
        method,
        path,
        headers: comparable(headers),
        digest: createHash("sha256").update(sent).digest("hex"),
        body: sent,
      })),
    };
  }
});

/** Without what differs from request to request, and with what is said of the SDK itself left out. */
function comparable(headers: IncomingHttpHeaders): Record<string, unknown> {
  const changing = [
    "host",
    "user-agent",
    "x-amz-user-agent",
    "x-amz-date",
    "authorization",
    "amz-sdk-invocation-id",
  ];
  const others = Object.entries(headers).filter(([name]) => !changing.includes(name));
  return Object.fromEntries([
    ...others,
    ["signed", /^AWS4-HMAC-SHA256 Credential=id\//.test(headers.authorization ?? "")],
  ]);
}

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { addressesIn, limitsOf, resolveCredentials } from "../../../cli/target/identity.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const role = "arn:aws:iam::123456789012:role/deploy";
const assumed =
  "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>" +
  "<AccessKeyId>AKIAASSUMED</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken>" +
  "<Expiration>2100-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>";

it.each([
  ["the profile default", (token: string) => ({ profile: token, env: {} })],
  [
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    (token: string) => ({
      profile: undefined,
      env: { AWS_WEB_IDENTITY_TOKEN_FILE: token, AWS_ROLE_ARN: role },
    }),
  ],
])("names what a web identity's token came by: %s", async (source, choose) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const { url } = await startLoopbackServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/xml" }).end(assumed);
  });
  const folder = temporaryFolder({ token: "a token" });
  const { profile, env } = choose(join(folder, "token"));
  const config = join(folder, "config");
  writeFileSync(
    config,
    profile === undefined ? "" : `[default]\nrole_arn = ${role}\nweb_identity_token_file = ${profile}\n`,
  );
  const files = { AWS_CONFIG_FILE: config, AWS_SHARED_CREDENTIALS_FILE: join(folder, "none") };
  // The SDK's provider reads these of its process.
  const none = { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "", AWS_PROFILE: "" };
  const all = { ...none, ...files, ...env, AWS_ENDPOINT_URL_STS: url };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);

  const resolved = await resolveCredentials({ ...files, ...env }, "eu-central-1", limitsOf({}));

  expect(resolved).toMatchObject({ source, credentials: { accessKeyId: "AKIAASSUMED" } });
});

it.each([
  [
    { AWS_ENDPOINT_URL: "https://a.example", AWS_ENDPOINT_URL_S3: "", AWS_PROFILE: "a" },
    { AWS_ENDPOINT_URL: "https://a.example" },
  ],
  [{ AWS_ENDPOINT_URL: "https://a.example", AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "true" }, {}],
])("finds services where the SDK does, by %j", (env, addresses) => {
  expect(addressesIn(env)).toEqual(addresses);
});

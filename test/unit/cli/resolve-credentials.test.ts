import { writeFileSync } from "node:fs";
import { devNull } from "node:os";
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
])("names the source of a web identity's token: %s", async (source, choose) => {
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
  // The SDK's provider reads the process's environment.
  const none = { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "", AWS_PROFILE: "" };
  const all = { ...none, ...files, ...env, AWS_ENDPOINT_URL_STS: url };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);

  const resolved = await resolveCredentials({ ...files, ...env }, "eu-central-1", limitsOf({}));

  expect(resolved).toMatchObject({
    source,
    credentials: { accessKeyId: "AKIAASSUMED" },
    isRenewable: true,
  });
});

/** Answers as the metadata service of a container and of an EC2 instance. */
async function startMetadata() {
  const credentials = {
    Code: "Success",
    AccessKeyId: "AKIAMACHINE",
    SecretAccessKey: "secret",
    Token: "token",
    Expiration: "2100-01-01T00:00:00Z",
  };
  const { url } = await startLoopbackServer(({ method, path }, response) => {
    const isCredentials = /(machine|container)$/.test(path);
    response.end(isCredentials ? JSON.stringify(credentials) : method === "PUT" ? "a token" : "machine");
  });
  return url;
}

it.each([
  [
    "a container",
    (url: string) => ({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/container`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: "a token",
    }),
  ],
  ["an EC2 instance", (url: string) => ({ AWS_EC2_METADATA_SERVICE_ENDPOINT: url })],
])("names the source of the credentials of %s", async (_case, choose) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const env = choose(await startMetadata());
  const files = { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull };
  const none = {
    AWS_ACCESS_KEY_ID: "",
    AWS_SECRET_ACCESS_KEY: "",
    AWS_PROFILE: "",
    AWS_EC2_METADATA_DISABLED: "",
  };
  for (const [name, value] of Object.entries({ ...none, ...files, ...env })) vi.stubEnv(name, value);

  const resolved = await resolveCredentials(
    { ...files, ...env, AWS_REGION: "us-east-1" },
    "eu-central-1",
    limitsOf({}),
  );

  expect(resolved).toMatchObject({
    source: "the role of this machine",
    credentials: { accessKeyId: "AKIAMACHINE" },
    isRenewable: true,
  });
});

it("reports that keys of the environment cannot be renewed", async () => {
  const keys = { AWS_ACCESS_KEY_ID: "AKIAKEYS", AWS_SECRET_ACCESS_KEY: "secret" };

  const resolved = await resolveCredentials(keys, "eu-central-1", limitsOf({}));

  expect(resolved.isRenewable).toBe(false);
});

it.each([
  [
    { AWS_ENDPOINT_URL: "https://a.example", AWS_ENDPOINT_URL_S3: "", AWS_PROFILE: "a" },
    { AWS_ENDPOINT_URL: "https://a.example" },
  ],
  [{ AWS_ENDPOINT_URL: "https://a.example", AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "true" }, {}],
])("finds the endpoints that the SDK uses in %j", (env, addresses) => {
  expect(addressesIn(env)).toEqual(addresses);
});

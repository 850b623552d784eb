import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, it, onTestFinished, vi } from "vitest";
import { answerQuery } from "../../../local/cloud/query-protocol.ts";
import { createProjectFolder, createRunChat, expectEnd } from "../../helpers/run-chat.ts";

const project = createProjectFolder();
let server: Server;
let answered: readonly string[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const action = new URLSearchParams(body).get("Action") ?? "";
    if (answered.includes(action))
      answerQuery(response, action, { Account: "1", Arn: "arn:aws:iam::1:user/a" });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  project.remove();
});

it.each([
  ["STS GetCallerIdentity", []],
  ["CloudFormation DescribeStacks", ["GetCallerIdentity"]],
])("fails if AWS never answers %s, and names the call", async (call, others) => {
  answered = others;
  const { port } = server.address() as AddressInfo;
  const env = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: "a",
    AWS_SECRET_ACCESS_KEY: "b",
  };

  expectEnd(
    await createRunChat(project.folder)("status --stage prod", {
      edges: { env, awsTryMs: 30 },
    }),
    5,
    `AWS gave no answer to ${call}.`,
    "Check the network and the region.",
  );
});

it("fails if AWS never answers for a profile's role", async () => {
  const { port } = server.address() as AddressInfo;
  vi.stubEnv("AWS_ENDPOINT_URL_STS", `http://127.0.0.1:${port}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  answered = [];
  const file = join(project.folder, "aws-config");
  writeFileSync(
    file,
    "[profile a]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = b\n[profile b]\naws_access_key_id = a\naws_secret_access_key = b\n",
  );
  const env = { AWS_PROFILE: "a", AWS_CONFIG_FILE: file, AWS_SHARED_CREDENTIALS_FILE: file };

  expectEnd(
    await createRunChat(project.folder)("status --stage prod", {
      edges: { env, awsTryMs: 30 },
    }),
    5,
  );
});

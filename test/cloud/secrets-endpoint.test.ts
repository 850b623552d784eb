import { randomUUID } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  InvalidParameterException,
  InvalidRequestException,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManager,
} from "@aws-sdk/client-secrets-manager";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SecretsEndpoint, startSecretsEndpoint } from "../../local/cloud/secrets-endpoint.ts";
import { clientTo } from "../helpers/client-to.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const SecretId = "shop/demo-app";
let endpoint: SecretsEndpoint;
let client: SecretsManager;

beforeEach(async () => {
  endpoint = await startSecretsEndpoint();
  client = clientTo(endpoint.url)(SecretsManager);
});

afterEach(async () => {
  client.destroy();
  await endpoint.close();
});

const put = (SecretString: string, VersionStages?: string[], ClientRequestToken = randomUUID()) =>
  client.putSecretValue({
    SecretId,
    SecretString,
    ClientRequestToken,
    ...(VersionStages && { VersionStages }),
  });
const create = (SecretString: string) => client.createSecret({ Name: SecretId, SecretString });
/** Moves a stage, or removes it without a target. */
const move = (VersionStage: string, RemoveFromVersionId?: string, MoveToVersionId?: string) =>
  client.updateSecretVersionStage({ SecretId, VersionStage, RemoveFromVersionId, MoveToVersionId });
const get = (request: { VersionId?: string; VersionStage?: string } = {}) =>
  client.getSecretValue({ SecretId, ...request });
const stages = async () => (await client.describeSecret({ SecretId })).VersionIdsToStages;

describe("versions and stages", () => {
  it("returns the created value, by name, by ARN and by ARN without its random suffix", async () => {
    const created = await create('{"name":"Zoë 👋"}');

    const ids = [SecretId, created.ARN, created.ARN?.slice(0, -7)];
    const answers = await Promise.all(ids.map((id) => client.getSecretValue({ SecretId: id })));

    expect(answers.map(({ SecretString }) => SecretString)).toEqual(Array(3).fill('{"name":"Zoë 👋"}'));
    expect(answers[0]?.VersionStages).toEqual(["AWSCURRENT"]);
    expect(answers[0]?.VersionId).toBe(created.VersionId);
    expect(created.ARN).toMatch(
      /^arn:aws:secretsmanager:eu-central-1:000000000000:secret:shop\/demo-app-\w{6}$/,
    );
    expect(answers[0]?.CreatedDate).toBeInstanceOf(Date);
  });

  it("rotates: a pending version becomes current, the current one previous, and back", async () => {
    const { VersionId: old } = await create("old");
    const { VersionId: pending } = await put("new", ["AWSPENDING"]);
    expect((await get()).SecretString).toBe("old");

    await move("AWSCURRENT", old, pending);
    const rotated = await stages();
    const previous = await get({ VersionStage: "AWSPREVIOUS" });
    await move("AWSCURRENT", pending, old);

    expect(rotated).toEqual({
      [String(old)]: ["AWSPREVIOUS"],
      [String(pending)]: ["AWSPENDING", "AWSCURRENT"],
    });
    expect(previous.SecretString).toBe("old");
    expect(await stages()).toEqual({
      [String(old)]: ["AWSCURRENT"],
      [String(pending)]: ["AWSPENDING", "AWSPREVIOUS"],
    });
  });

  it("removes AWSPENDING but never AWSCURRENT", async () => {
    const { VersionId: current } = await create("a");
    const { VersionId: pending } = await put("b", ["AWSPENDING"]);

    await move("AWSPENDING", pending);

    expect(await stages()).toEqual({ [String(current)]: ["AWSCURRENT"] });
    expect((await get({ VersionId: String(pending) })).VersionStages).toEqual([]);
    await expect(move("AWSCURRENT", current)).rejects.toThrow(InvalidParameterException);
    await expect(move("AWSCURRENT", undefined, pending)).rejects.toThrow(/RemoveFromVersionId/);
  });

  it("accepts a repeated call, and refuses its token for another value", async () => {
    await create("a");
    const token = randomUUID();
    await put("b", undefined, token);

    const repeated = await put("b", undefined, token);

    expect(repeated.VersionId).toBe(token);
    await expect(put("c", undefined, token)).rejects.toThrow(ResourceExistsException);
    expect((await get()).SecretString).toBe("b");
  });
});

describe("refusals", () => {
  it("distinguishes a missing secret, a missing stage and a mismatched stage", async () => {
    await expect(get()).rejects.toThrow(ResourceNotFoundException);
    const { VersionId } = await create("a");

    await expect(get({ VersionStage: "AWSPREVIOUS" })).rejects.toThrow(ResourceNotFoundException);
    await expect(get({ VersionId: randomUUID() })).rejects.toThrow(ResourceNotFoundException);
    await expect(get({ VersionId: String(VersionId), VersionStage: "AWSPREVIOUS" })).rejects.toThrow(
      InvalidRequestException,
    );
  });

  it("refuses to create an existing name, and to read a secret marked for deletion until it is restored", async () => {
    await create("a");
    await expect(create("b")).rejects.toThrow(ResourceExistsException);

    await client.deleteSecret({ SecretId });

    await expect(get()).rejects.toThrow(InvalidRequestException);
    await expect(create("b")).rejects.toThrow(InvalidRequestException);
    await client.restoreSecret({ SecretId });
    expect((await get()).SecretString).toBe("a");
  });

  it("removes a deleted secret when its recovery window is over, and not before", async () => {
    const clock = { nowMs: 1_767_225_600_000 };
    const calendar = await startSecretsEndpoint({ now: () => clock.nowMs });
    const call = (operation: string, input: object) => calendar.call(operation, input, "us-east-1");
    calendar.put("app-1", { a: 1 });

    const deleted = call("DeleteSecret", { SecretId: "app-1", RecoveryWindowInDays: 7 });
    expect(() => call("DeleteSecret", { SecretId: "app-1" })).toThrow("marked for deletion");
    clock.nowMs += 7 * 86_400_000 - 1;
    const before = call("DescribeSecret", { SecretId: "app-1" });
    clock.nowMs += 1;
    await calendar.close();

    expect(deleted).toMatchObject({ DeletionDate: clock.nowMs / 1000 });
    expect(before).toHaveProperty("DeletedDate");
    expect(() => call("RestoreSecret", { SecretId: "app-1" })).toThrow("can't find the specified secret");
  });

  it("answers an unsigned call, an unknown operation and invalid JSON in the service's error format", async () => {
    const signed = { authorization: "AWS4-HMAC-SHA256 x" };
    const call = (operation: string, headers: Record<string, string>, body = "{}") => {
      const target = { "x-amz-target": `secretsmanager.${operation}` };
      return fetch(endpoint.url, { method: "POST", body, headers: { ...target, ...headers } });
    };

    const unsigned = await call("GetSecretValue", {});
    const unknown = await call("Dance", signed);
    const unreadable = await call("PutSecretValue", signed, "hunter2");

    expect([unsigned.status, unreadable.status]).toEqual([400, 400]);
    expect(unsigned.headers.get("x-amzn-errortype")).toBe("MissingAuthenticationTokenException");
    expect(await unknown.json()).toMatchObject({ __type: "UnknownOperationException" });
    expect(await unreadable.text()).not.toContain("hunter2");
  });
});

it("keeps secrets in a file that only this user can read", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "state", "secrets.json");
  const first = await startSecretsEndpoint({ file });
  first.put(SecretId, { apiKey: "k1" });
  first.put(SecretId, { apiKey: "k2" });
  await first.close();

  const second = await startSecretsEndpoint({ file });
  const again = clientTo(second.url)(SecretsManager);
  const read = (VersionStage: string) => again.getSecretValue({ SecretId, VersionStage });

  expect((await read("AWSCURRENT")).SecretString).toBe('{"apiKey":"k2"}');
  expect((await read("AWSPREVIOUS")).SecretString).toBe('{"apiKey":"k1"}');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, "state"))).toEqual(["secrets.json"]);
  again.destroy();
  await second.close();
});

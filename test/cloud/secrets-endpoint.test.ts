import { randomUUID } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  InvalidParameterException,
  InvalidRequestException,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  RestoreSecretCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from "@aws-sdk/client-secrets-manager";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SecretsEndpoint, startSecretsEndpoint } from "../../local/cloud/secrets-endpoint.ts";
import { clientTo } from "../helpers/client-to.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const SecretId = "shop/demo-app";
let endpoint: SecretsEndpoint;
let client: SecretsManagerClient;

beforeEach(async () => {
  endpoint = await startSecretsEndpoint();
  client = clientTo(endpoint.url)(SecretsManagerClient);
});

afterEach(async () => {
  client.destroy();
  await endpoint.close();
});

const put = (SecretString: string, VersionStages?: string[], ClientRequestToken = randomUUID()) =>
  client.send(
    new PutSecretValueCommand({
      SecretId,
      SecretString,
      ClientRequestToken,
      ...(VersionStages && { VersionStages }),
    }),
  );
const create = (SecretString: string) =>
  client.send(new CreateSecretCommand({ Name: SecretId, SecretString }));
/** Moves a stage, or removes it without a target. */
const move = (VersionStage: string, RemoveFromVersionId?: string, MoveToVersionId?: string) =>
  client.send(
    new UpdateSecretVersionStageCommand({ SecretId, VersionStage, RemoveFromVersionId, MoveToVersionId }),
  );
const get = (request: { VersionId?: string; VersionStage?: string } = {}) =>
  client.send(new GetSecretValueCommand({ SecretId, ...request }));
const stages = async () => (await client.send(new DescribeSecretCommand({ SecretId }))).VersionIdsToStages;

describe("versions and stages", () => {
  it("answers the value that was created, by name, by ARN and by ARN without its random end", async () => {
    const created = await create('{"name":"Zoë 👋"}');

    const ids = [SecretId, created.ARN, created.ARN?.slice(0, -7)];
    const answers = await Promise.all(
      ids.map((id) => client.send(new GetSecretValueCommand({ SecretId: id }))),
    );

    expect(answers.map(({ SecretString }) => SecretString)).toEqual(Array(3).fill('{"name":"Zoë 👋"}'));
    expect(answers[0]?.VersionStages).toEqual(["AWSCURRENT"]);
    expect(answers[0]?.VersionId).toBe(created.VersionId);
    expect(created.ARN).toMatch(
      /^arn:aws:secretsmanager:eu-central-1:000000000000:secret:shop\/demo-app-\w{6}$/,
    );
    expect(answers[0]?.CreatedDate).toBeInstanceOf(Date);
  });

  it("keeps the replaced value as AWSPREVIOUS", async () => {
    const first = await create("one");
    const second = await put("two");

    expect((await get()).SecretString).toBe("two");
    expect((await get({ VersionStage: "AWSPREVIOUS" })).SecretString).toBe("one");
    expect(await stages()).toEqual({
      [String(first.VersionId)]: ["AWSPREVIOUS"],
      [String(second.VersionId)]: ["AWSCURRENT"],
    });
  });

  it("rotates: a pending version becomes current and the current one previous", async () => {
    const { VersionId: old } = await create("old");
    const { VersionId: pending } = await put("new", ["AWSPENDING"]);
    expect((await get()).SecretString).toBe("old");

    await move("AWSCURRENT", old, pending);

    expect(await stages()).toEqual({
      [String(old)]: ["AWSPREVIOUS"],
      [String(pending)]: ["AWSPENDING", "AWSCURRENT"],
    });
  });

  it("rolls back: the previous version becomes current again and they change places", async () => {
    const { VersionId: old } = await create("old");
    const { VersionId: bad } = await put("bad");

    await move("AWSCURRENT", bad, old);

    expect(await stages()).toEqual({ [String(old)]: ["AWSCURRENT"], [String(bad)]: ["AWSPREVIOUS"] });
  });

  it("removes AWSPENDING but never AWSCURRENT", async () => {
    const { VersionId: current } = await create("a");
    const { VersionId: pending } = await put("b", ["AWSPENDING"]);

    await move("AWSPENDING", pending);

    expect(await stages()).toEqual({ [String(current)]: ["AWSCURRENT"] });
    expect((await get({ VersionId: String(pending) })).VersionStages).toEqual([]);
    await expect(move("AWSCURRENT", current)).rejects.toThrow(InvalidParameterException);
  });

  it("wants to be told where a moved stage comes from", async () => {
    await create("a");
    const { VersionId: pending } = await put("b", ["AWSPENDING"]);

    const moving = move("AWSCURRENT", undefined, pending);

    await expect(moving).rejects.toThrow(InvalidParameterException);
    await expect(moving).rejects.toThrow(/RemoveFromVersionId/);
  });

  it("lets the same call be repeated and refuses its token for another value", async () => {
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
  it("tells a missing secret, a missing stage and a mismatched stage apart", async () => {
    await expect(get()).rejects.toThrow(ResourceNotFoundException);
    const { VersionId } = await create("a");

    await expect(get({ VersionStage: "AWSPREVIOUS" })).rejects.toThrow(ResourceNotFoundException);
    await expect(get({ VersionId: randomUUID() })).rejects.toThrow(ResourceNotFoundException);
    await expect(get({ VersionId: String(VersionId), VersionStage: "AWSPREVIOUS" })).rejects.toThrow(
      InvalidRequestException,
    );
  });

  it("does not create a name twice and reads nothing that is marked for deletion until it is restored", async () => {
    await create("a");
    await expect(create("b")).rejects.toThrow(ResourceExistsException);

    await client.send(new DeleteSecretCommand({ SecretId }));

    await expect(get()).rejects.toThrow(InvalidRequestException);
    await expect(create("b")).rejects.toThrow(InvalidRequestException);
    await client.send(new RestoreSecretCommand({ SecretId }));
    expect((await get()).SecretString).toBe("a");
  });

  it("forgets a deleted secret when its recovery window is over, and not before", async () => {
    const clock = { nowMs: 1_767_225_600_000 };
    const calendar = await startSecretsEndpoint({ now: () => clock.nowMs });
    const call = (operation: string, input: object) => calendar.call(operation, input, "us-east-1");
    calendar.put("app-1", { a: 1 });

    const { DeletionDate } = {
      DeletionDate: 0,
      ...call("DeleteSecret", { SecretId: "app-1", RecoveryWindowInDays: 7 }),
    };
    expect(() => call("DeleteSecret", { SecretId: "app-1" })).toThrow("marked for deletion");
    clock.nowMs += 7 * 86_400_000 - 1;
    const before = call("DescribeSecret", { SecretId: "app-1" });
    clock.nowMs += 1;
    await calendar.close();

    expect(DeletionDate * 1000).toBe(clock.nowMs);
    expect(before).toHaveProperty("DeletedDate");
    expect(() => call("RestoreSecret", { SecretId: "app-1" })).toThrow("can't find the specified secret");
  });

  it("answers an unsigned call and an unknown operation with the service's error format", async () => {
    const call = (headers: Record<string, string>) =>
      fetch(endpoint.url, { method: "POST", body: "{}", headers });

    const unsigned = await call({ "x-amz-target": "secretsmanager.GetSecretValue" });
    const unknown = await call({
      "x-amz-target": "secretsmanager.Dance",
      authorization: "AWS4-HMAC-SHA256 x",
    });

    expect(unsigned.status).toBe(400);
    expect(unsigned.headers.get("x-amzn-errortype")).toBe("MissingAuthenticationTokenException");
    expect(await unknown.json()).toMatchObject({ __type: "UnknownOperationException" });
  });

  it("keeps the body of a request that is not JSON out of the answer", async () => {
    const answer = await fetch(endpoint.url, {
      method: "POST",
      body: "hunter2",
      headers: { "x-amz-target": "secretsmanager.PutSecretValue", authorization: "AWS4-HMAC-SHA256 x" },
    });

    expect(answer.status).toBe(400);
    expect(await answer.text()).not.toContain("hunter2");
  });
});

it("keeps secrets in a file that only this user may read", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "state", "secrets.json");
  const first = await startSecretsEndpoint({ file });
  first.put(SecretId, { apiKey: "k1" });
  first.put(SecretId, { apiKey: "k2" });
  await first.close();

  const second = await startSecretsEndpoint({ file });
  const again = clientTo(second.url)(SecretsManagerClient);
  const read = (VersionStage: string) => again.send(new GetSecretValueCommand({ SecretId, VersionStage }));

  expect((await read("AWSCURRENT")).SecretString).toBe('{"apiKey":"k2"}');
  expect((await read("AWSPREVIOUS")).SecretString).toBe('{"apiKey":"k1"}');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, "state"))).toEqual(["secrets.json"]);
  again.destroy();
  await second.close();
});

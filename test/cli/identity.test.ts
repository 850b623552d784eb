import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defineCommand } from "../../cli/command.ts";
import { type Account, startAccount } from "../helpers/account/account.ts";
import { createProjectFolder, createRunChat, expectEnd } from "../helpers/run-chat.ts";

const minute = 60_000;

describe("the identity of a command", () => {
  const project = createProjectFolder();
  const folder = mkdtempSync(join(tmpdir(), "identity-"));
  const files = {
    AWS_SHARED_CREDENTIALS_FILE: join(folder, "credentials"),
    AWS_CONFIG_FILE: join(folder, "config"),
  };
  const issued = join(folder, "issued.json");
  const otherAccounts: Record<string, string> = {
    AKIAPROD: "222222222222",
    AKIADEFAULT: "333333333333",
    AKIAISSUED: "444444444444",
  };
  let account: Account;
  let base: Readonly<Record<string, string>>;

  const chat = (line: string, env: Readonly<Record<string, string>>) =>
    createRunChat(project.folder)([...line.split(" "), "--region", "eu-central-1"], {
      edges: { env: { ...base, ...files, ...env } },
    });

  beforeAll(async () => {
    account = await startAccount({ otherAccounts });
    writeFileSync(join(project.folder, "config/apps.yml"), "prod:\n  - an-app\n");
    base = { AWS_ENDPOINT_URL: account.url };
    writeFileSync(
      files.AWS_SHARED_CREDENTIALS_FILE,
      "[prod]\naws_access_key_id = AKIAPROD\naws_secret_access_key = of-prod\n" +
        "[default]\naws_access_key_id = AKIADEFAULT\naws_secret_access_key = of-default\n",
    );
    const program = join(folder, "issue.cjs");
    writeFileSync(
      program,
      `const [first, ...next] = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
       if (next.length > 0) fs.writeFileSync(process.argv[2], JSON.stringify(next));
       console.log(JSON.stringify(first));`.replaceAll("fs.", 'require("fs").'),
    );
    writeFileSync(
      files.AWS_CONFIG_FILE,
      `[profile issued]\ncredential_process = "${process.execPath}" "${program}" "${issued}"\n`,
    );
  });
  beforeEach(() => {
    account.accessKeys.clear();
  });
  afterAll(async () => {
    await account.close();
    project.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What the profile "issued" gives, one time after the other. */
  const issue = (...given: readonly (readonly [accessKey: string, lastsMs: number])[]) =>
    writeFileSync(
      issued,
      JSON.stringify(
        given.map(([AccessKeyId, lastsMs]) => ({
          Version: 1,
          AccessKeyId,
          SecretAccessKey: "of-a-program",
          SessionToken: "of-a-session",
          Expiration: new Date(Date.now() + lastsMs).toISOString(),
        })),
      ),
    );

  const deployAsIssued = () => chat("deploy --package nowhere --stage prod --yes", { AWS_PROFILE: "issued" });

  const keys = { AWS_ACCESS_KEY_ID: "AKIAKEYS", AWS_SECRET_ACCESS_KEY: "of-keys" };
  const profile = { AWS_PROFILE: "prod" };
  const ofOthers = {
    ...keys,
    AWS_DEFAULT_PROFILE: "default",
    AWS_PROD_PROFILE: "default",
    AWS_PROD_ACCESS_KEY_ID: "AKIASTAGE",
    AWS_PROD_SECRET_ACCESS_KEY: "of-stage",
  };
  const unused = "AWS_DEFAULT_PROFILE, AWS_PROD_PROFILE, AWS_PROD_ACCESS_KEY_ID";

  it.each([
    ["keys", keys, "AKIAKEYS", "account 123456789012, by AWS_ACCESS_KEY_ID", ""],
    ["a profile", profile, "AKIAPROD", "account 222222222222, by AWS_PROFILE=prod", ""],
    [
      "a profile before keys",
      { ...keys, ...profile },
      "AKIAPROD",
      "by AWS_PROFILE=prod",
      "AWS_ACCESS_KEY_ID",
    ],
    ["the profile default", {}, "AKIADEFAULT", "account 333333333333, by the profile default", ""],
    ["half a pair of keys", { AWS_ACCESS_KEY_ID: "AKIAKEYS" }, "AKIADEFAULT", "by the profile default", ""],
    ["an empty profile", { ...keys, AWS_PROFILE: "" }, "AKIAKEYS", "by AWS_ACCESS_KEY_ID", ""],
    [
      "nothing of the stage, or of the command line alone",
      ofOthers,
      "AKIAKEYS",
      "by AWS_ACCESS_KEY_ID",
      unused,
    ],
  ])("comes from %s", async (_, env, accessKey, by, passedOver) => {
    const { stderr } = await chat("status --stage prod", env);

    expect(stderr).toContain(`${by})\n`);
    expect([...account.accessKeys]).toEqual([accessKey]);
    expect(/^not used: (.*)$/m.exec(stderr)?.[1] ?? "").toBe(passedOver);
    expect(stderr).not.toMatch(/of-(keys|prod|stage|default)/);
  });

  it("is not another one where the profile is unknown", async () => {
    expectEnd(await chat("status --stage prod", { ...keys, AWS_PROFILE: "prdo" }), 4, "prdo");
    expect(account.accessKeys.size).toBe(0);
  });

  it("may have credentials that end soon where only something is read", async () => {
    issue(["AKIAISSUED", 20 * minute]);

    const { stderr } = await chat("status --stage prod", { AWS_PROFILE: "issued" });

    expect(stderr).toContain("account 444444444444, by AWS_PROFILE=issued)");
  });

  it.each(["deploy --package nowhere", "rollback"])(
    "must have credentials that last for %s",
    async (line) => {
      const ending = { ...keys, AWS_CREDENTIAL_EXPIRATION: new Date(Date.now() + 20 * minute).toISOString() };

      expectEnd(
        await chat(`${line} --stage prod --yes`, ending),
        3,
        /The credentials \(AWS_ACCESS_KEY_ID\) end in (19|20) minutes/,
        "aws sso login",
      );
      expect(account.calls.join()).not.toMatch(/Delete|Create|Execute/);
    },
  );

  it("is renewed once where the credentials end soon", async () => {
    issue(["AKIAISSUED", 20 * minute], ["AKIAISSUED", 60 * minute]);

    expectEnd(await deployAsIssued(), 2, "There is no package in");
  });

  it("is refused where the renewed credentials end soon, too", async () => {
    issue(["AKIAISSUED", 20 * minute], ["AKIAISSUED", 25 * minute]);

    expectEnd(await deployAsIssued(), 3, /The credentials \(AWS_PROFILE=issued\) end in 2[45] minutes/);
  });

  it("is compared again before each change, after the question", async () => {
    const changes: string[] = [];
    const command = defineCommand({
      examples: "",
      changes: true,
      print: () => {},
      run: async ({ confirm }) => {
        for (const change of ["first", "second"]) {
          await confirm(`Make the ${change} change?`);
          changes.push(change);
        }
        return {};
      },
    });
    const changeAccount = () => {
      otherAccounts.AKIAKEYS = "555555555555";
      return true;
    };

    const ran = await createRunChat(project.folder)(["change", "--stage", "prod"], {
      answers: [true, changeAccount],
      edges: { env: { ...base, ...files, ...keys } },
      commands: [{ name: "change", summary: "", subject: "", load: async () => ({ command }) }],
    });
    delete otherAccounts.AKIAKEYS;

    expectEnd(ran, 3, "belonged to account 123456789012 at the start, and belong to 555555555555 now");
    expect(changes).toEqual(["first"]);
  });

  it("finds no service by a profile's `endpoint_url`, which the framework does not know", async () => {
    const given: object[] = [];
    class Recorder {
      readonly middlewareStack = { add: () => undefined };
      constructor(settings: object) {
        given.push(settings);
      }
    }
    const command = defineCommand({
      examples: "",
      changes: false,
      print: () => {},
      run: async ({ target }) => {
        target.client(Recorder, "S3");
        return {};
      },
    });

    await createRunChat(project.folder)(["look", "--stage", "prod"], {
      edges: { env: { ...base, ...files, ...keys } },
      commands: [{ name: "look", summary: "", subject: "", load: async () => ({ command }) }],
    });

    expect(given).toEqual([
      expect.objectContaining({ endpoint: account.url, ignoreConfiguredEndpointUrls: true }),
    ]);
  });

  it("never changes its account", async () => {
    issue(["AKIAISSUED", 20 * minute], ["AKIAPROD", 60 * minute]);

    expectEnd(
      await deployAsIssued(),
      3,
      "belonged to account 444444444444 at the start, and belong to 222222222222 now",
    );
  });
});

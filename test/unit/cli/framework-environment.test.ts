import { describe, expect, it } from "vitest";
import { refuseDotenv, toFrameworkEnvironment } from "../../../cli/deploy/package-service.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const variables = { AWS_REGION: "eu-central-1", AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: "secret" };

describe("the environment of the framework's process", () => {
  it.each(["AWS_PROFILE", "AWS_SESSION_TOKEN", "aws_profile"])("lacks %s", (name) => {
    const made = toFrameworkEnvironment({ [name]: "another" }, variables);

    expect(Object.values(made)).not.toContain("another");
  });

  it.each(["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_CA_BUNDLE", "AWS_USE_FIPS_ENDPOINT", "PATH"])(
    "keeps %s",
    (name) => {
      const made = toFrameworkEnvironment({ [name]: "kept" }, variables);

      expect(made).toMatchObject({ [name]: "kept", ...variables });
    },
  );

  it("has the command's own keys, and no other credential files", () => {
    const made = toFrameworkEnvironment(
      { AWS_ACCESS_KEY_ID: "other", AWS_CONFIG_FILE: "other", AWS_SHARED_CREDENTIALS_FILE: "other" },
      variables,
    );

    expect(made).toMatchObject(variables);
    expect(Object.values(made)).not.toContain("other");
  });
});

describe("a .env file that the framework reads", () => {
  const [uses, usesNot] = ["service: a\nuseDotenv: true\n", "service: a\n# useDotenv: true\n"];
  const profile = "LOG_LEVEL=DEBUG\nexport AWS_PROFILE=other\n";

  it.each([
    [".env", { "serverless.yml": uses, ".env": profile }],
    [".env.prod", { "serverless.yml": uses, ".env.prod": profile, ".env": "" }],
  ])("is refused if %s sets an AWS variable", async (file, files) => {
    await expect(refuseDotenv(temporaryFolder(files), "prod")).rejects.toThrow(`${file} sets AWS_PROFILE`);
  });

  it.each([
    ["is not read", { "serverless.yml": usesNot, ".env": profile }],
    ["sets no AWS variable", { "serverless.yml": uses, ".env": "LOG_LEVEL=DEBUG\n" }],
    ["is replaced by the stage's file", { "serverless.yml": uses, ".env.prod": "A=b", ".env": profile }],
    ["does not exist", { "serverless.yml": uses }],
  ])("is accepted if it %s", async (_, files) => {
    await expect(refuseDotenv(temporaryFolder(files), "prod")).resolves.toBeUndefined();
  });
});

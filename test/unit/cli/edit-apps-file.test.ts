import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editApps, editAppsFile } from "../../../cli/apps/edit-apps-file.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const shipped = `# The apps.
local:
  - local-app
dev:
prod:
`;

const written = `# The apps.
local: [local-app] # the emulation's
dev: # nothing yet
prod:
  # the shop
  - app-1 # since May
  # the club
  - "123456"

# the end
`;

const withApp = (text: string, stage: string, appId: string) =>
  editApps(text, stage, (listed) => [...listed, appId]);
const withoutApp = (text: string, stage: string, appId: string) =>
  editApps(text, stage, (listed) => listed.filter((one) => one !== appId));

describe("editApps", () => {
  it.each([
    ["a stage without any", shipped, "prod", "app-1", `${shipped}  - app-1\n`],
    ["a stage before others", shipped, "dev", "app-1", shipped.replace("dev:\n", "dev:\n  - app-1\n")],
    ["a stage with one", shipped, "local", "app-1", shipped.replace("local-app\n", "local-app\n  - app-1\n")],
    ["a list in brackets", written, "local", "app-1", written.replace("[local-app]", "[local-app, app-1]")],
    [
      "a comment in its place",
      written,
      "dev",
      "app-2",
      written.replace("dev: # nothing yet\n", "dev:\n  # nothing yet\n  - app-2\n"),
    ],
    [
      "a list with comments",
      written,
      "prod",
      "app-2",
      written.replace('"123456"\n', '"123456"\n  - app-2\n'),
    ],
    ["a stage that is not there", "local:\n", "prod", "app-1", "local:\nprod:\n  - app-1\n"],
    ["an empty file", "", "prod", "app-1", "prod:\n  - app-1\n"],
    ["an id of digits", shipped, "prod", "0123", `${shipped}  - "0123"\n`],
    ["an id like a number", shipped, "prod", "12e3", `${shipped}  - "12e3"\n`],
    ["an id like a YAML keyword", shipped, "prod", "null", `${shipped}  - "null"\n`],
  ])("adds to %s, and keeps the rest", (_case, text, stage, appId, expected) => {
    expect(withApp(text, stage, appId)).toBe(expected);
  });

  it.each([
    ["the only one", shipped, "local", "local-app", shipped.replace("  - local-app\n", "")],
    ["one with a comment", written, "prod", "app-1", written.replace("  - app-1 # since May\n", "")],
    ["one in quotes", written, "prod", "123456", written.replace('  # the club\n  - "123456"\n', "")],
    ["the first in brackets", "prod: [app-1, app-2]\n", "prod", "app-1", "prod: [app-2]\n"],
    ["one that is not there", shipped, "prod", "app-1", shipped],
    ["one of another stage", shipped, "dev", "local-app", shipped],
  ])("removes %s, and keeps the rest", (_case, text, stage, appId, expected) => {
    expect(withoutApp(text, stage, appId)).toBe(expected);
  });

  it("restores the text if the added app is removed", () => {
    expect(withoutApp(withApp(written, "prod", "app-9"), "prod", "app-9")).toBe(written);
  });
});

it("editAppsFile describes the manual edit if the file cannot be written", async () => {
  // A folder blocks the new file, even for root.
  const file = join(temporaryFolder({ "apps.yml": shipped, "apps.yml.new/it": "" }), "apps.yml");

  const end = editAppsFile(file, "prod", (listed) => [...listed, "app-1"]);

  await expect(end).rejects.toMatchObject({
    code: "APPS_FILE_NOT_EDITED",
    exitCode: 3,
    hint: "Edit the file: the stage prod must list app-1, and run the command again.",
  });
});

import { expect, it } from "vitest";
import { readLegalHolds } from "../../../cli/people/open-person.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

it("holds every user listed in a file that applies to the app", async () => {
  const folder = temporaryFolder({
    "config/users.yml": "legalHold: [Alice]\n",
    "config/stages/prod/users.yml": "legalHold: [ben]\n",
    "config/apps/shop/users.yml": "legalHold: [cleo]\n",
    "config/apps/school/users.yml": "users: []\n",
  });
  const held = async (stage: string, app: string) => [...(await readLegalHolds(folder, stage, app))];

  expect(await held("prod", "shop")).toEqual(["alice", "ben", "cleo"]);
  expect(await held("dev", "school")).toEqual(["alice"]);
});

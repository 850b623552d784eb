import { expect, it } from "vitest";
import { continuing } from "../../../cli/commands/reconcile.ts";

const since = Date.parse("2026-11-16T13:30:00Z") / 1_000;
const sums = { listed: 1, handedOver: 1, passedOver: 0, refused: 0, isComplete: false };
const apps = [{ appId: "shop", handedOver: { since, until: since + 3_600, ...sums } }];

it.each([
  [{ until: undefined, app: [] }, ""],
  [{ until: () => 0, app: ["shop", "club"] }, " --until 2026-11-16T14:30:00Z --app shop --app club"],
])("names the command that continues a run, with the same start", (options, rest) => {
  expect(continuing(apps, options)).toBe(
    `npx cometchat-functions reconcile --since 2026-11-16T13:30:00Z${rest}`,
  );
});

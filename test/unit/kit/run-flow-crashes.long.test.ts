import { describe, expect, it } from "vitest";
import { runAtEveryCrash } from "../../../local/testing/run-at-every-crash.ts";
import { isNight } from "../../helpers/by-day.ts";
import { answer, escalation } from "./escalation-flow.ts";

describe("runAtEveryCrash", () => {
  it.runIf(isNight)(
    "does each step once wherever the process dies, with an answer that comes meanwhile",
    {
      timeout: 600_000,
    },
    async () => {
      const options = { later: [{ after: "5min", event: answer }], limitMs: 600_000 } as const;

      const runs = await runAtEveryCrash(escalation, { uid: "ann" }, options);

      const seen = runs.map(({ crash, sent, result }) => [crash, sent.map(({ to }) => to), result]);
      expect(runs.length).toBeGreaterThan(40);
      expect(seen).toEqual(runs.map(({ crash }) => [crash, ["ann"], "answered"]));
    },
  );
});

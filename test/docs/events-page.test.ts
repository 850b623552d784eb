import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { derivedTriggers } from "../../lib/events/call-event.ts";
import { catalogue } from "../../lib/events/catalogue.ts";
import { eventsOnPage, eventsPage } from "./events-page.ts";

describe("docs/events.md", () => {
  it("is the output of `npx node test/docs/write-events-page.ts`", () => {
    const page = readFileSync(new URL("../../docs/events.md", import.meta.url), "utf8");

    expect(page).toBe(eventsPage());
  });

  it("contains every event of the catalogue, in each of its families, and every derived one", () => {
    const known = Object.entries(catalogue).flatMap(([trigger, { families }]) =>
      families.map((family) => `${family} ${trigger}`),
    );
    const derived = derivedTriggers.map((trigger) => `webhook ${trigger}`);

    const named = eventsOnPage().map(({ family, trigger }) => `${family} ${trigger}`);

    expect(named.toSorted()).toEqual([...known, ...derived].toSorted());
  });
});

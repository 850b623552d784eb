import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { derivedTriggers } from "../../lib/events/call-event.ts";
import { catalogue } from "../../lib/events/catalogue.ts";
import { eventsOnPage, eventsPage } from "./events-page.ts";

describe("docs/events.md", () => {
  it("is what `npx node test/docs/write-events-page.ts` writes", () => {
    const page = readFileSync(new URL("../../docs/events.md", import.meta.url), "utf8");

    expect(page).toBe(eventsPage());
  });

  it("has every event of the catalogue, in each family that uses it, and every derived one", () => {
    const known = Object.entries(catalogue).flatMap(([trigger, { families }]) =>
      families.map((family) => `${family} ${trigger}`),
    );
    const derived = derivedTriggers.map((trigger) => `webhook ${trigger}`);

    const named = eventsOnPage().map(({ family, trigger }) => `${family} ${trigger}`);

    expect(named.toSorted()).toEqual([...known, ...derived].toSorted());
  });
});

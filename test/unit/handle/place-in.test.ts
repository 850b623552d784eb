import { describe, expect, it } from "vitest";
import { placeIn } from "../../../lib/handle/attempt-run.ts";

describe("placeIn", () => {
  const ofPackage = "node_modules/cometchat-functions/lib/chat/send-request.js:132:12";

  it.each([
    ["the team's own frame", `${ofPackage}\nfunctions/own/bad.ts:6:9`, "functions/own/bad.ts:6:9"],
    ["the first frame, if none is the team's", `toError ${ofPackage}\nx.ts:1:1`, ofPackage],
  ])("returns %s", (_what, stack, place) => {
    expect(placeIn(stack)).toBe(place);
  });
});

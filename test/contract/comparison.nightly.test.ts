import { CometBackend } from "comet-backend";
import { useCometchatApi } from "cometchat-api";
import { describe, expect, it } from "vitest";
import { readComparison, renewComparison } from "./peers/comparison-page.ts";

const config = { appId: "local-app", region: "us", apiKey: "0".repeat(40) };

describe("docs/internals/comparison.md", () => {
  it("says what is measured; else run npx node test/contract/peers/write-comparison.ts", async () => {
    expect(readComparison()).toBe(await renewComparison());
  });

  it("is right that neither of them ends a request that is not answered", async () => {
    const inits: (RequestInit | undefined)[] = [];
    const { fetch } = globalThis;
    globalThis.fetch = async (_, init) => {
      inits.push(init);
      return Response.json({});
    };

    await new CometBackend(config).users.getUser("alice");
    globalThis.fetch = fetch;

    expect(inits.map((init) => init?.signal)).toEqual([undefined]);
    expect(useCometchatApi(config).instance.defaults.timeout).toBe(0);
  });
});

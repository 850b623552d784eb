import { describe, expect, it } from "vitest";
import { keptFile, outsideLink } from "../../../../local/console/page/views/chat/media-address.ts";

describe("keptFile", () => {
  it("serves a file of the emulation through the console", () => {
    const url = "http://127.0.0.1:4001/_platform/apps/local-app/files/ab12/a%20b.png";
    expect(keptFile(url)).toBe("/api/platform/apps/local-app/files/ab12/a%20b.png");
  });

  it.each([
    "https://example.com/cat.png",
    "javascript:alert(1)",
    "http://127.0.0.1/_platform/apps/a/files/../../../reset",
    "http://127.0.0.1/_platform/apps/a/files/%2e%2e/%2E%2e/switches",
    "http://127.0.0.1/_platform/faults",
    "http://127.0.0.1/_platform/apps/a/files/x?y=1",
  ])("returns no address for %s", (url) => {
    expect(keptFile(url)).toBeUndefined();
  });
});

describe("outsideLink", () => {
  it("allows only http and https", () => {
    expect(outsideLink("https://example.com/a")).toBe("https://example.com/a");
    expect(outsideLink("javascript:alert(1)")).toBeUndefined();
    expect(outsideLink("data:text/html,hi")).toBeUndefined();
    expect(outsideLink("no address")).toBeUndefined();
  });
});

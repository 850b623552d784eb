import { describe, expect, it } from "vitest";
import { parseBasicAuthorization } from "../../../lib/http/basic-auth.ts";

const header = (credentials: string, spaces = " ") =>
  `Basic${spaces}${Buffer.from(credentials).toString("base64")}`;

describe("parseBasicAuthorization", () => {
  it("takes several spaces behind the scheme's name, as RFC 9110 allows (section 11.4)", () => {
    expect(parseBasicAuthorization(header("a:b", "   "))).toEqual({ username: "a", password: "b" });
  });

  it("takes spaces behind the credentials", () => {
    expect(parseBasicAuthorization(`${header("a:b")}  `)).toEqual({ username: "a", password: "b" });
  });

  it("refuses credentials without a space before them", () => {
    expect(parseBasicAuthorization(header("a:b", ""))).toBeUndefined();
  });

  it("keeps a byte order mark, which is a part of the name like any other character", () => {
    expect(parseBasicAuthorization(header("\uFEFFa:b"))).toEqual({ username: "\uFEFFa", password: "b" });
  });
});

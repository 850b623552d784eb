import { describe, expect, it } from "vitest";
import { digestAuthorization, digestCredentials } from "../../../../lib/base/http/basic-auth.ts";

const header = (credentials: string, spaces = " ") =>
  `Basic${spaces}${Buffer.from(credentials).toString("base64")}`;

describe("digestAuthorization", () => {
  it("takes several spaces behind the scheme's name, as RFC 9110 allows (section 11.4)", () => {
    expect(digestAuthorization(header("a:b", "   "))).toEqual(
      digestCredentials({ username: "a", password: "b" }),
    );
  });

  it("takes spaces behind the credentials", () => {
    expect(digestAuthorization(`${header("a:b")}  `)).toEqual(
      digestCredentials({ username: "a", password: "b" }),
    );
  });

  it("refuses credentials without a space before them", () => {
    expect(digestAuthorization(header("a:b", ""))).toBeUndefined();
  });

  it("keeps a byte order mark, which is a part of the name like any other character", () => {
    expect(digestAuthorization(header("\uFEFFa:b"))).toEqual(
      digestCredentials({ username: "\uFEFFa", password: "b" }),
    );
  });
});

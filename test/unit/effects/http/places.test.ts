import { describe, expect, it } from "vitest";
import { readPlaces } from "../../../../lib/effects/http/send-outside.ts";

describe("readPlaces", () => {
  it.each([
    ["desk.example.com=10.1.2.3:8443", "desk.example.com", { address: "10.1.2.3", port: 8443 }],
    ["desk.example.com:4413=127.0.0.1:1", "desk.example.com:4413", { address: "127.0.0.1", port: 1 }],
    ["desk-2.example.com=[fd00::1]:65535", "desk-2.example.com", { address: "fd00::1", port: 65_535 }],
  ])("reads %s", (text, host, place) => {
    const placeOf = readPlaces(["other.example.com=10.0.0.9:443", text]);

    expect(placeOf(host)).toEqual(place);
    expect(placeOf("other.example.com")).toEqual({ address: "10.0.0.9", port: 443 });
    expect(placeOf("example.com")).toBeUndefined();
  });

  it("returns undefined without places", () => {
    expect(readPlaces([])("desk.example.com")).toBeUndefined();
  });

  it.each([
    "desk.example.com",
    "desk.example.com=",
    "=10.1.2.3:443",
    "desk.example.com=10.1.2.3",
    "desk.example.com=10.1.2.3:",
    "desk.example.com=10.1.2.3:port",
    "desk.example.com=10.1.2.3:443/path",
    "desk.example.com=10.1.2.3:100000",
    "desk.example.com=10.1.2:443",
    "desk.example.com=10.1.2.300:443",
    "desk.example.com=inside.example.com:443",
    "desk.example.com=fd00::1:443",
    "desk.example.com=[fd00::g]:443",
    "desk.example.com=[fd00:::1]:443",
    " desk.example.com=10.1.2.3:443",
    "Desk.example.com=10.1.2.3:443",
  ])("refuses %j, naming the setting", (text) => {
    expect(() => readPlaces([text])).toThrow(/REQUEST_CONNECT_TO.*desk\.example\.com=10\.1\.2\.3:8443/);
  });
});

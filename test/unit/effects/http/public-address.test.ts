import { describe, expect, it } from "vitest";
import { createIsOpenAddress } from "../../../../lib/effects/http/public-address.ts";

const isOpen = createIsOpenAddress([]);

describe("createIsOpenAddress", () => {
  it.each([
    "8.8.8.8",
    "93.184.215.14",
    "100.63.255.255",
    "100.128.0.0",
    "172.15.255.255",
    "172.32.0.1",
    "2606:4700::1111",
    "2a00:1450:4001:800::200e",
  ])("opens %s, which is public", (address) => {
    expect(isOpen(address)).toBe(true);
  });

  it.each([
    ["0.0.0.0", "this host"],
    ["0.1.2.3", "this network"],
    ["10.0.0.1", "private"],
    ["100.64.0.1", "carrier-grade NAT"],
    ["100.127.255.254", "carrier-grade NAT, at its end"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback, at its end"],
    ["169.254.169.254", "instance metadata"],
    ["169.254.170.2", "task credentials"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private, at its end"],
    ["192.0.0.1", "protocol assignments"],
    ["192.0.2.1", "documentation"],
    ["192.88.99.1", "6to4 relay"],
    ["192.168.1.1", "private"],
    ["198.18.0.1", "benchmarks"],
    ["198.51.100.1", "documentation"],
    ["203.0.113.1", "documentation"],
    ["224.0.0.1", "multicast"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "broadcast"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["::ffff:127.0.0.1", "mapped loopback"],
    ["::ffff:8.8.8.8", "mapped, although public"],
    ["::ffff:a9fe:a9fe", "mapped metadata"],
    ["::7f00:1", "an IPv4 address in the old form"],
    ["64:ff9b::a9fe:a9fe", "NAT64 of metadata"],
    ["64:ff9b:1::a00:1", "local NAT64"],
    ["100::1", "discard"],
    ["2001::1", "Teredo"],
    ["2001:db8::1", "documentation"],
    ["2002:a00:1::1", "6to4 of a private one"],
    ["3fff::1", "documentation"],
    ["5f00::1", "segment routing"],
    ["fc00::1", "unique local"],
    ["fd00:ec2::254", "instance metadata"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "link-local with a zone"],
    ["2606:4700::1111%eth0", "a zone, although public"],
    ["ff02::1", "multicast"],
    ["example.com", "no address"],
    ["", "nothing"],
  ])("closes %s: %s", (address) => {
    expect(isOpen(address)).toBe(false);
  });

  it("opens private networks that are named, and no others", () => {
    const opens = createIsOpenAddress(["10.1.0.0/16", "fd12::/16", "127.0.0.1"]);

    expect(["10.1.2.3", "fd12::1", "127.0.0.1", "8.8.8.8"].map(opens)).toEqual([true, true, true, true]);
    expect(["10.2.0.1", "fd13::1", "127.0.0.2", "::ffff:10.1.2.3"].map(opens)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it.each([
    ["169.254.169.254", "instance metadata"],
    ["169.254.170.2", "task credentials"],
    ["fd00:ec2::254", "instance metadata over IPv6"],
    ["fd00:ec2::23", "credentials of pods"],
    ["fe80::1", "link-local"],
    ["::ffff:169.254.169.254", "mapped"],
    ["0:0:0:0:0:FFFF:A9FE:A9FE", "mapped, written out"],
    ["::ffff:0:a9fe:a9fe", "translated"],
    ["::169.254.169.254", "compatible"],
    ["64:ff9b::a9fe:a9fe", "NAT64"],
    ["64:ff9b::169.254.170.2", "NAT64 of task credentials"],
    ["64:ff9b:1::a9fe:a9fe", "local NAT64"],
    ["64:ff9b:1:a9fe:a9:fe00::", "local NAT64 with a prefix of 48 bits"],
    ["2002:a9fe:a9fe::1", "6to4"],
    ["2001:0:808:808::5601:5601", "Teredo"],
  ])("never opens %s, %s, for any setting", (address) => {
    for (const networks of [["0.0.0.0/0", "::/0"], ["::/0"], [address]]) {
      expect(createIsOpenAddress(networks)(address)).toBe(false);
    }
  });

  it("opens an address that embeds a private one, if it is named", () => {
    expect(["64:ff9b::a01:203", "2002:a01:203::1"].map(createIsOpenAddress(["::/0"]))).toEqual([true, true]);
  });

  it.each([
    "example.com",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/8.5",
    "::/129",
    "10.0.0.0/-1",
    "fe80::1%eth0",
  ])("refuses the setting %s", (network) => {
    expect(() => createIsOpenAddress([network])).toThrow(/no network/);
  });
});

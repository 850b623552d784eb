import type { BlockList } from "node:net";
import { lazy } from "../../base/lazy.ts";

/**
 * Networks that are not public.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry/iana-ipv4-special-registry.xhtml
 */
const closedV4: readonly string[] = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/**
 * Public networks. Excluded within them are addresses that contain an IPv4 address: mapped ones, NAT64, 6to4
 * and Teredo.
 * @see https://www.iana.org/assignments/ipv6-address-space/ipv6-address-space.xhtml
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry/iana-ipv6-special-registry.xhtml
 */
const openV6: readonly string[] = ["2000::/3"];
const closedV6: readonly string[] = [
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
];

/**
 * Never allowed: instances, tasks and functions get their credentials here.
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 */
const neverV4: readonly string[] = ["169.254.0.0/16", "0.0.0.0/8", "224.0.0.0/4", "240.0.0.0/4"];
const neverV6: readonly string[] = [
  ...["fe80::/10", "fd00:ec2::/32", "ff00::/8", "::/128", "::ffff:0:0/96"],
  // 169.254.0.0/16 by NAT64, 6to4, and the old compatible form.
  ...["64:ff9b::a9fe:0/112", "2002:a9fe::/32", "::a9fe:0/112"],
  // Networks that may contain it anywhere: local NAT64 (RFC 8215), translated (RFC 2765) and Teredo (RFC
  // 4380).
  ...["64:ff9b:1::/48", "::ffff:0:0:0/96", "2001::/32"],
];

export type IsOpenAddress = (address: string) => boolean;

/**
 * Allows public addresses.
 * @param privateNetworks also allowed, except link-local and similar ones
 * @throws TypeError if a text is not a network
 */
export function createIsOpenAddress(privateNetworks: readonly string[]): IsOpenAddress {
  const closed = lazy(() => listOf([...closedV4, ...closedV6]));
  const globalV6 = lazy(() => listOf(openV6));
  const never = lazy(() => listOf([...neverV4, ...neverV6]));
  const opened = listOf(privateNetworks);
  return (address) => {
    const family = familyOf(address);
    if (family === undefined) return false;
    const isIn = (lists: Networks) => lists[family].check(address, family);
    if (isIn(never())) return false;
    if (isIn(opened)) return true;
    return (family === "ipv4" || isIn(globalV6())) && !isIn(closed());
  };
}

/** An address with a zone belongs to this machine's interface. */
function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  const family = address.includes("%") ? 0 : process.getBuiltinModule("node:net").isIP(address);
  if (family === 0) return undefined;
  return family === 4 ? "ipv4" : "ipv6";
}

interface Networks {
  readonly ipv4: BlockList;
  readonly ipv6: BlockList;
}

function listOf(networks: readonly string[]): Networks {
  const { BlockList } = process.getBuiltinModule("node:net");
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const [address = "", given] = network.split("/");
    const family = familyOf(address);
    const bits = family === "ipv4" ? 32 : 128;
    const length = given ?? String(bits);
    if (family === undefined || !/^\d+$/.test(length) || Number(length) > bits)
      throw new TypeError(
        "REQUEST_PRIVATE_NETWORKS names something that is no network, such as 10.1.0.0/16.",
      );
    lists[family].addSubnet(address, Number(length), family);
  }
  return lists;
}

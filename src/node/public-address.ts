import { BlockList, isIP } from "node:net";

/** Special-purpose IPv4 ranges (RFC 6890 and the IANA registry), shared address space, and the metadata host of Azure. */
const CLOSED_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** Global unicast is the only IPv6 range that is public. */
const OPEN_V6 = ["2000::/3"];
/** Ranges inside it that are not public: IETF protocols with Teredo, documentation, 6to4. */
const CLOSED_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];
/** IPv6 forms of IPv4 addresses: mapped, and NAT64. */
const V4_IN_V6 = ["::ffff:0:0/96", "64:ff9b::/96"];

const closedV4 = blockList(CLOSED_V4, "ipv4");
const openV6 = blockList(OPEN_V6, "ipv6");
const closedV6 = blockList(CLOSED_V6, "ipv6");
const loopbackV4 = blockList(["127.0.0.0/8"], "ipv4");
const v4InV6 = V4_IN_V6.map((range) => blockList([range], "ipv6"));

/**
 * Whether anybody on the internet can reach this IP address. Returns `false` for an address in another notation or with a
 * zone.
 */
export function isPublicAddress(address: string): boolean {
  const kind = isIP(address);
  if (kind === 4) return !closedV4.check(address, "ipv4");
  if (kind !== 6 || address.includes("%")) return false;
  const v4 = v4Within(address);
  if (v4 !== undefined) return isPublicAddress(v4);
  return openV6.check(address, "ipv6") && !closedV6.check(address, "ipv6");
}

/** Whether this IP address is a loopback address. */
export function isLoopbackAddress(address: string): boolean {
  const kind = isIP(address);
  if (kind === 4) return loopbackV4.check(address, "ipv4");
  if (kind !== 6 || address.includes("%")) return false;
  return hostOf(address) === "[::1]";
}

/** Extracts the IPv4 address from an IPv6 address that contains one. */
function v4Within(address: string): string | undefined {
  if (!v4InV6.some((range) => range.check(address, "ipv6"))) return undefined;
  const [before = "", after = ""] = hostOf(address).slice(1, -1).split("::");
  const head = groupsOf(before);
  const tail = groupsOf(after);
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => "0"), ...tail]
    .slice(-2)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((bits) => [bits >> 8, bits & 255])
    .join(".");
}

function groupsOf(part: string): string[] {
  return part === "" ? [] : part.split(":");
}

/** Returns the address in the normal form of URLs: lower case, shortened, without dots. */
function hostOf(address: string): string {
  return new URL(`http://[${address}]`).hostname;
}

function blockList(ranges: readonly string[], type: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", prefix] = range.split("/");
    list.addSubnet(network, Number(prefix), type);
  }
  return list;
}

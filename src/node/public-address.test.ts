import { expect, test } from "vitest";
import { isLoopbackAddress, isPublicAddress } from "./public-address.ts";

test.each([
  ["unspecified", "0.0.0.0"],
  ["this network", "0.1.2.3"],
  ["private", "10.0.0.1"],
  ["private", "172.16.0.1"],
  ["private", "172.31.255.255"],
  ["private", "192.168.1.1"],
  ["carrier-grade NAT", "100.64.0.1"],
  ["carrier-grade NAT", "100.127.255.255"],
  ["loopback", "127.0.0.1"],
  ["loopback", "127.255.255.254"],
  ["link-local, where clouds keep their metadata", "169.254.169.254"],
  ["metadata host of Azure", "168.63.129.16"],
  ["IETF protocols", "192.0.0.8"],
  ["documentation", "192.0.2.1"],
  ["documentation", "198.51.100.1"],
  ["documentation", "203.0.113.1"],
  ["6to4 relay", "192.88.99.1"],
  ["benchmarks", "198.19.0.1"],
  ["multicast", "224.0.0.1"],
  ["multicast", "239.255.255.255"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["unspecified", "::"],
  ["loopback", "::1"],
  ["loopback, IPv4-compatible", "::127.0.0.1"],
  ["loopback, IPv4-mapped", "::ffff:127.0.0.1"],
  ["loopback, IPv4-mapped in hexadecimal", "::ffff:7f00:1"],
  ["private, IPv4-mapped and written in full", "0:0:0:0:0:ffff:0a00:0001"],
  ["unspecified, IPv4-mapped", "::ffff:0:0"],
  ["loopback by NAT64", "64:ff9b::7f00:1"],
  ["metadata by NAT64", "64:ff9b::a9fe:a9fe"],
  ["unspecified by NAT64", "64:ff9b::"],
  ["local NAT64", "64:ff9b:1::808:808"],
  ["6to4 of a private address", "2002:c0a8:1::1"],
  ["6to4 of a public address", "2002:808:808::1"],
  ["Teredo", "2001::1"],
  ["documentation", "2001:db8::1"],
  ["documentation", "3fff::1"],
  ["unique local", "fc00::1"],
  ["unique local, with the metadata of AWS", "fd00:ec2::254"],
  ["link-local", "fe80::1"],
  ["link-local with a zone", "fe80::1%eth0"],
  ["a public address with a zone", "2606:4700::1111%eth0"],
  ["site-local", "fec0::1"],
  ["multicast", "ff02::1"],
  ["discard", "100::1"],
  ["translated", "::ffff:0:127.0.0.1"],
])("this address is not public: %s (%s)", (_, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["not an address", "", "0177.0.0.1", "[::1]"])(
  "this address is not public, because it is not in the notation that resolvers return: %s",
  (address) => {
    expect(isPublicAddress(address)).toBe(false);
    expect(isLoopbackAddress(address)).toBe(false);
  },
);

test.each([
  "8.8.8.8",
  "11.0.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "172.15.255.255",
  "172.32.0.1",
  "192.167.255.255",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "::ffff:8.8.8.8",
  "64:ff9b::808:808",
])("this address is public: %s", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["::1", true],
  ["0:0:0:0:0:0:0:1", true],
  ["128.0.0.1", false],
  ["::2", false],
  ["::ffff:127.0.0.1", false],
  ["::1%lo", false],
])("isLoopbackAddress(%s) is %s", (address, is) => {
  expect(isLoopbackAddress(address)).toBe(is);
});

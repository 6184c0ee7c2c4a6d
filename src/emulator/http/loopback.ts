/** 127.0.0.0/8 and ::1 (RFC 1122, 4291), also 127.0.0.0/8 as an address of IPv6, in the ways in which Node, a URL and Python write them. */
const addresses = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::ffff:7f[\da-f]{2}:[\da-f]{1,4}|(?:0:){7}1|::1)$/i

/**
 * Whether the host of a URL, or an address, is of this machine alone: `localhost` and names below it, and the loopback addresses. Takes
 * an address of IPv6 with and without brackets.
 */
export function isLoopback(host: string): boolean {
  return /^(.+\.)?localhost$/i.test(host) || addresses.test(host.replace(/^\[(.*)\]$/, '$1'))
}

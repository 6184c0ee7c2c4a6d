// Programs that call the gateway at its real address: certificates, proxy, environment.

export { type Certificate, selfSigned } from './as/certificates.ts'
export { type Hosts, readAllowedHost, readEmulatedHost } from './as/hosts.ts'
export { createStandIn, type StandIn, type StandInParts } from './as/proxy.ts'
export { proxyLines } from './as/proxy-observation.ts'
export { maskedData } from './as/secrets.ts'

/** Headers that hold for one connection only (RFC 9110, 7.6.1), in lower case. */
export const connectionHeaders = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
] as const

/**
 * Pages may load, request and play only files of this server; the browser enforces this.
 * Inline styles are allowed, since they position the bars.
 */
const policy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** The headers of every page: the console, the API reference and the guide. */
export const pageHeaders = {
  'Content-Security-Policy': policy,
  'Cache-Control': 'no-cache',
  'Referrer-Policy': 'same-origin',
} as const

/** The statuses of a proxy that cannot reach the service behind it. */
export const proxyStatuses = [502, 503, 504] as const
export type ProxyStatus = (typeof proxyStatuses)[number]

const titles: Readonly<Record<ProxyStatus, string>> = {
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
}

/** The HTML page that a widely used proxy sends with a status. */
export function proxyPage(status: ProxyStatus): string {
  const title = `${status} ${titles[status]}`
  return [
    '<html>',
    `<head><title>${title}</title></head>`,
    '<body>',
    `<center><h1>${title}</h1></center>`,
    '<hr><center>nginx</center>',
    '</body>',
    '</html>',
    '',
  ].join('\r\n')
}

/** A status, or all statuses of a hundred where the specification does not distinguish them. */
export type DeclaredStatus = '400' | '401' | '403' | '404' | '413' | '429' | '501' | '4XX' | '5XX'

const standard = ['400', '401', '429'] as const
const special = ['400', '401', '403', '404'] as const

/**
 * The statuses that the specification declares for refusals of each operation: "Endpoints" and "Errors"; 401 for every endpoint and
 * 403 for every request that names a model ("Authentication" 3 and 4).
 */
const declared: Readonly<Record<string, readonly DeclaredStatus[]>> = {
  'a.create': [...standard, '403'],
  'a.get': ['401', '404'],
  'b.create': ['400', '401', '403', '429'],
  'b.get': ['401', '404'],
  'c.create': [...standard, '403'],
  'c.enhance': ['400', '401', '403'],
  'c.regenerate': ['400', '401', '403'],
  'special.create': [...special, '429'],
  'special.enhance': special,
  'special.regenerate': special,
  'special.get': ['401', '403', '404'],
  'special.list': ['401', '403', '404'],
  'special.delete': ['401', '403', '404', '501'],
  'image.generate': ['400', '401', '403', '413', '429', '5XX'],
}

/** The declared statuses of an operation, in order. */
export function declaredStatuses(operation: string): DeclaredStatus[] {
  if (operation.startsWith('k.')) return ['4XX']
  return [...(declared[operation] ?? (['401'] as const))].sort()
}

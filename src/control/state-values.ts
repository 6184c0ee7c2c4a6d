/** Virtual moments and lengths: whole milliseconds up to the year 9999. */
export const ms = { type: 'integer', minimum: 0, maximum: 253_402_300_799_000 } as const
export const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const
export const amount = { type: 'number', minimum: -1e12, maximum: 1e12 } as const
export const text = { type: 'string', maxLength: 100_000 } as const
export const id = { type: 'string', minLength: 1, maxLength: 512 } as const
export const digest = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const
export const measure = { type: 'number', minimum: 0, maximum: 1e12 } as const

export const accountName = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' } as const

/** `.` and `..` would be taken out of a path by every client, so that no request could name such a snapshot. */
export const snapshotName = { type: 'string', pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,64}$' } as const

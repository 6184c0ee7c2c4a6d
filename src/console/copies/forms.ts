/** The kits that a run can be copied for, by the words of the buttons. */
export const testForms = { vitest: 'vitest', playwright: 'Playwright', pytest: 'pytest' } as const
export type TestForm = keyof typeof testForms

/** The pages, by the names that addresses have. Parts that are loaded later import this and not the pages. */
export const pageTitles = {
  tasks: 'Tasks',
  requests: 'Requests',
  trace: 'Trace',
  scenarios: 'Scenarios',
  playground: 'Playground',
  world: 'World',
  connect: 'Connect',
  reports: 'Reports',
} as const

export type PageName = keyof typeof pageTitles

/** The entries of the navigation, and all others, those of the menu behind it, in their order. */
export const mainPages: readonly PageName[] = ['tasks', 'requests', 'scenarios', 'playground', 'world']
export const menuPages = (Object.keys(pageTitles) as PageName[]).filter(name => !mainPages.includes(name))

export function isPageName(name: string): name is PageName {
  return Object.hasOwn(pageTitles, name)
}

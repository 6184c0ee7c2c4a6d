/** The pages, by the names that addresses have, in the order of the navigation. Parts that are loaded later import this and not the pages. */
export const pageTitles = {
  tasks: 'Tasks',
  requests: 'Requests',
  scenarios: 'Scenarios',
  playground: 'Playground',
  world: 'World',
  connect: 'Connect',
  reports: 'Reports',
  docs: 'API docs',
} as const

export type PageName = keyof typeof pageTitles

export const pageNames = Object.keys(pageTitles) as PageName[]

export function isPageName(name: string): name is PageName {
  return Object.hasOwn(pageTitles, name)
}

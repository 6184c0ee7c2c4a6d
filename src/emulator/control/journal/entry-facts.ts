import { type FamilyRoute, familyRoutes } from '../../families/index.ts'
import { parseBody } from '../../http/body.ts'
import { requestFacts } from '../../scenarios/request-effects.ts'
import type { RequestFacts } from '../../scenarios/request-facts.ts'
import type { Entry } from '../../worlds/journal.ts'
import type { World } from '../../worlds/world.ts'
import { headersOf } from './entry-view.ts'

/** A journal entry as scenario rules see a request, for verifications: the same conditions match as when it came. */
export function entryFacts(world: World, entry: Entry): RequestFacts {
  const row = rowOf(entry)
  const [asked] = (entry.taskIds ?? []).flatMap(id => world.state.tasks.get(id) ?? [])
  const facts = requestFacts(
    {
      endpoint: row?.endpoint ?? { operation: entry.operation },
      family: row?.family.id ?? asked?.family ?? '',
      account: entry.account ?? '',
      headers: headersOf(entry),
      params: row?.params ?? {},
      query: entry.url.split('?')[1] ?? '',
      body: bodyOf(entry),
      // Tags that acted are in the rule's name; other tags are part of the prompt.
      mayHaveTags: entry.rule?.includes('prompt/') ?? false,
    },
    entry.at,
  )
  return {
    ...facts,
    operation: entry.operation,
    ...(row === undefined && asked && { model: asked.model }),
    ...(entry.taskIds && { taskIds: entry.taskIds }),
  }
}

/** The endpoint that answered an entry, its family, and the parameters of its path. */
function rowOf({ method, url }: Entry): (FamilyRoute & { params: Record<string, string> }) | undefined {
  const match = familyRoutes().find(method, url.split('?', 1)[0] ?? '')
  return match && { ...match.row, params: match.params as Record<string, string> }
}

/** The body as rules saw it, nulls counted as absent; undefined when it was not JSON. */
function bodyOf({ requestBody }: Entry): unknown {
  if (requestBody === undefined) return undefined
  try {
    return parseBody(requestBody, undefined)
  } catch {
    return undefined
  }
}

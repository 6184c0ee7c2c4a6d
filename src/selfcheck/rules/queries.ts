import { refused } from '../refusals.ts'
import { at, must, oneOf, type Rule, same } from '../rule.ts'

type Family = Rule['family']

/** A query that costs nothing, and the check of its answer. */
function query(
  family: Family,
  [name, says, cites]: readonly [string, string, string],
  check: Rule['check'],
): Rule {
  return { id: `${family}.${name}`, family, says, cites, costs: false, check }
}

/** A path with a wrong prefix: one that the family’s paths lack, or without the one that they need. */
function noPath(family: Family, path: string): Rule {
  return query(family, ['prefix', `${path} is a 404`, '"Versioning" 2'], async gateway => {
    const { status } = await gateway.ask('POST', path, { body: {} })
    same('The status', status, 404)
  })
}

/** Requests for lists that family C refuses. */
function lists(family: 'c' | 'special', prefix: string): Rule[] {
  const wrong = (name: string, says: string, parameter: string) =>
    query(family, [name, says, '"Endpoints", list'], async gateway => {
      refused(family, await gateway.ask('GET', `${prefix}/query/video_generation?${parameter}`), [400])
    })
  return [
    wrong('list-page', 'page 0 of a list is a 400', 'page_num=0'),
    wrong('list-state', 'a filter for an unknown state is a 400', 'filter.status=lost'),
    wrong('list-kind', 'a filter for an unknown type is a 400', 'filter.task_type=lost'),
  ]
}

/** A batch query of K for tasks that do not exist. */
function batch(name: string, says: string, parameter: string): Rule {
  return query('k', [name, says, '"Family K", tasks'], async gateway => {
    const { status, body } = await gateway.ask('GET', `/tasks?${parameter}`)
    oneOf('The status', status, [200])
    const tasks = at(body, 'data')
    must(Array.isArray(tasks) && tasks.length === 0, 'data is not an empty list')
  })
}

/** Paths and queries that need no task. */
export const queryRules: readonly Rule[] = [
  noPath('b', '/v1/services/aigc/video-generation/video-synthesis'),
  noPath('c', '/api/v2/video_generation'),
  noPath('special', '/api/special/v2/video_generation'),
  noPath('image', '/v3/images/generations'),
  ...lists('c', '/v2'),
  ...lists('special', '/special/v2'),
  query(
    'special',
    ['delete-missing', 'a deletion of a task that does not exist is a 404', '"Family C-special"'],
    async gateway => {
      refused('special', await gateway.ask('DELETE', '/special/v2/video_generation/123456789'), [404])
    },
  ),
  batch('tasks-empty', 'a batch query for an unknown task answers with an empty list', 'task_ids=123456789'),
  batch(
    'tasks-external',
    'a batch query takes several external ids at once',
    'external_task_ids=selfcheck-none,selfcheck-nothing',
  ),
]

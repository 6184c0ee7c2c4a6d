import { stringify } from 'yaml'
import { optionRows } from '../../src/emulator/options/table.ts'
import { connectionText, disturbanceOf } from '../../src/emulator/scenarios/effects/connection.ts'
import { mediaEffect, mediaText } from '../../src/emulator/scenarios/effects/media.ts'
import { shippedDocuments } from '../../src/emulator/scenarios/known-scenarios.ts'
import { everyTag, tagExamples, takeTags } from '../../src/emulator/scenarios/prompt-tags.ts'
import { type Failure, type FailureKind, failureKinds, failuresOf } from '../../src/explore/plan/catalogue.ts'
import { refusalIn } from './error-codes.ts'
import {
  conditionTable,
  effectTable,
  findingTable,
  methodTable,
  operationTable,
  type Table,
} from './words-tables.ts'

/** The tables of the guide that follow from the code, by page and name. Each gives its Markdown. */
export const guideTables: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'docs/script-a-failure.md': { scenarios: scenarioTable },
  'docs/words.md': {
    operations: () => written(operationTable()),
    conditions: () => written(conditionTable()),
    effects: () => written(effectTable()),
    tags: tagTable,
    findings: () => written(findingTable()),
    'methods-world': () => written(methodTable('world')),
    'methods-emulator': () => written(methodTable('emulator')),
    ...Object.fromEntries(failureKinds.map(kind => [`failures-${kind}`, () => failureTable(kind)])),
  },
  'docs/command-line.md': { options: optionTable },
}

/** A page with each of its tables made anew, between `<!-- name -->` and `<!-- /name -->`. Throws when a table has no place. */
export function withTables(path: string, page: string): string {
  return Object.entries(guideTables[path] ?? {}).reduce((text, [name, table]) => {
    const place = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`)
    if (!place.test(text)) throw new Error(`${path} has no place for the table ${name}`)
    return text.replace(place, (_, before: string, after: string) => `${before}\n${table()}\n${after}`)
  }, page)
}

const written = ({ head, rows }: Table) => tableOf(head, rows)

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`)
  return `${lines.join('\n').replaceAll('| --- |', '|---|').replaceAll('---| --- ', '---|---')}\n`
}

/** Every tag with every value that can be listed, and an example of those that take any. */
function tagTable(): string {
  const rows = everyTag().map(tag => [`\`${tag}\``, tagText(tag)])
  return tableOf(['Tag', 'What happens'], rows)
}

function tagText(tag: string): string {
  const { refuse, connection, media } = takeTags(`${tag} a cat`)?.effects ?? {}
  if (refuse?.fault) {
    const { fault, retryAfterMs } = refuse
    const told = { fault, ...(retryAfterMs !== undefined && { retry_after: `${retryAfterMs / 1000}s` }) }
    return `The request is refused. In family A: ${refusalIn('a', told)}`
  }
  if (refuse?.proxyPage) return `A proxy answers ${refuse.proxyPage} with a page of HTML`
  if (connection) return `The reply is ${connectionText(disturbanceOf(connection).effects)}`
  if (media) return `The result comes ${mediaText([mediaEffect(media)])}`
  const example = tagExamples().find(one => one.tag === tag)
  if (!example) throw new Error(`Nothing says what ${tag} does`)
  return example.does.replace(/^It /, 'The task ').replace(/^Its /, "The task's ")
}

function scenarioTable(): string {
  const rows = shippedDocuments().map(({ name, description = '' }) => [
    `[\`${name}\`](../scenarios/${name}.yaml)`,
    description.trim(),
  ])
  return tableOf(['Scenario', 'What happens'], rows)
}

/** Each failure of a kind as a rule, for the operation that a reader meets first. */
function failureTable(kind: FailureKind): string {
  const ids = [
    ...new Set(
      failuresOf()
        .filter(one => one.kind === kind)
        .map(({ id }) => id),
    ),
  ]
  const rows = ids.map(id => {
    const failure = firstOf(id)
    return [`\`${id}\``, failure.title, `\`${ruleText(failure)}\``]
  })
  return tableOf(['Failure', 'What happens', 'Rule'], rows)
}

/** The failure at family A's first operation that can meet it; else at the first create, or the first operation. */
function firstOf(id: string): Failure {
  const all = failuresOf().filter(one => one.id === id)
  const preferred = [/^a\./, /\.create$/, /./].flatMap(pattern =>
    all.filter(({ operation }) => pattern.test(operation)),
  )
  const [first] = preferred
  if (!first) throw new Error(`The catalogue has no failure ${id}`)
  return first
}

/** A rule on one line, in the words of scenario files. */
function ruleText({ operation, then }: Failure): string {
  const text = stringify({ when: { operation }, then }, { collectionStyle: 'flow', lineWidth: 0 })
  return text.trim().replaceAll('"', '')
}

function optionTable(): string {
  const rows = optionRows.map(({ flag, environment, row: [value, standard, meaning, times] }) => [
    `\`--${flag}${value && ` ${value}`}\``.replaceAll('|', '\\|'),
    `\`GATEWAY_EMULATOR_${environment}\``,
    standard,
    times ? `${meaning}; ${times}` : meaning,
  ])
  return tableOf(['Option', 'Environment', 'Default', 'Meaning'], rows)
}

import { hint, readAt, time, UsageError, whole } from '../../emulator/options.ts'
import { longestMs } from './figures.ts'
import { type AnswerFigure, type NeedResult, type Patience, spoken } from './patience.ts'

const names = ['outage', 'outage.polls', 'outage.downloads', 'queue', 'answer', 'rate'] as const
type NeedName = (typeof names)[number]

/** What a user needs: a length of time, ms, or a rate of requests a minute that must be enough. */
export interface Need {
  name: NeedName
  text: string
  least: number
}

/** Reads `outage=2m` or `rate=30`. Throws UsageError. */
export function readNeed(text: string): Need {
  const [name = '', value = ''] = text.split('=')
  const known = names.find(one => one === name)
  if (known === undefined || !text.includes('='))
    throw new UsageError(
      `"${text}" is not one of ${names.map(one => `${one}=${one === 'rate' ? 'N' : 'TIME'}`).join(', ')}${known ? '' : hint(name, names)}`,
    )
  return { name: known, text, least: readAt(name, value, known === 'rate' ? whole(1, 100_000) : time(1)) }
}

/** Whether each need was shown. What was not measured is not met. */
export function needResults(needs: readonly Need[], patience: Omit<Patience, 'needs'>): NeedResult[] {
  return needs.map(need => {
    const results = figuresFor(need.name, patience).map(([what, figure]) =>
      resultOf(need, { what, figure, patience }),
    )
    const unmet = results.find(({ is_met }) => !is_met)
    return {
      need: need.text,
      ...(unmet ?? { is_met: true, text: results.map(({ text }) => text).join(', ') }),
    }
  })
}

function figuresFor(
  name: NeedName,
  { outage, queue, answer, rate, not_measured }: Omit<Patience, 'needs'>,
): [string, AnswerFigure | null][] {
  const all: [string, AnswerFigure | null][] = [
    ['outage.polls', outage.polls],
    ['outage.downloads', outage.downloads],
    ['queue', queue],
    ['answer', answer],
    ['rate', rate],
  ]
  if (name !== 'outage') return all.filter(([one]) => one === name)
  // A program that polls nothing, or downloads nothing, has one kind of outage only.
  const outages = all.slice(0, 2)
  const lacking = (what: string) =>
    not_measured.some(one => one.what === what && one.reason.startsWith('the program'))
  const had = outages.filter(([what, figure]) => figure !== null || !lacking(what))
  return had.length > 0 ? had : outages
}

function resultOf(
  { name, least }: Need,
  {
    what,
    figure,
    patience,
  }: { what: string; figure: AnswerFigure | null; patience: Omit<Patience, 'needs'> },
): { is_met: boolean; text: string } {
  if (figure === null) {
    const reason = patience.not_measured.find(one => one.what === what)?.reason ?? 'unknown'
    return { is_met: false, text: `${what} was not measured: ${reason}` }
  }
  const { survived, is_uneven, text, gives_up_after: silentMs = 0 } = figure
  if (name === 'rate') return { is_met: survived !== null && survived <= least, text }
  const isEven =
    !is_uneven || figure.tried.every(({ length, shown }) => length > least || shown === 'survived')
  const isLong = survived !== null && (survived >= least || (silentMs ?? longestMs) > least)
  const isMet = isLong && isEven
  return { is_met: isMet, text: isMet ? text : `${text}; needed: ${spoken(least)}` }
}

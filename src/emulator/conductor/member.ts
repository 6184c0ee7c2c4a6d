/**
 * Each tied process (Node by `virtual-time`, Python by its `sitecustomize`) holds one connection, to which
 * `POST /__emulator/worlds/{world}/clock/join` leads, and both sides send lines of words:
 *
 * | From a process | Meaning |
 * |---|---|
 * | `hello pid start takes waits case service` | I am tied from now on: the number and start of my process on its machine, whether the world's clock becomes manual at my first call, whether a held reply holds the time, whether I am a part of an exploration, and the service of a system that I belong to, or `-` |
 * | `host waits` | the same of the process that starts the services of a system and is none of them; `waits` as in `hello` |
 * | `started pid kind` | from a host: a service, which may be tied or not, and is `beside` when it is a part like a database |
 * | `spared` | from a host: no held reply holds the time any more |
 * | `kept` | from a host, the answer to `move`: it has done what comes before anybody else learns the new time, such as with a database that has a clock of its own |
 * | `wait now until calls wakers traffic` | all my threads wait. `now`: my own time where work has taken it before that of the run, else `-`. `until`: the next moment that I wait for, or `-`. `calls`: my requests to the gateway of whose reply nothing has come, and those to others whose reply is not complete, as `host:port=count,…`, or `-`. `wakers`: what may wake me before: `0` nothing, `3` a signal, `1` also other processes of the run, replies and threads of mine, `2` also what cannot be seen, such as a terminal. `traffic`: grows with what comes of the answers |
 * | `still round` | since my last `wait` I have done nothing, and nothing has come that I have not read |
 * | `blocked` | my only thread waits for a child; I cannot answer until I say `wait` or `awake`. It is answered by `at` before the wait |
 * | `awake` | I work. It is answered by `at` |
 * | `birth` | I work, and a child process is coming |
 * | `childless` | none of my children lives any more |
 * | `thread` | a thread of mine is coming that says hello itself |
 * | `stands_in library` | its waits cannot be seen, so I use something of my language in its place |
 * | `untied library` | I shall wait in it, where nobody sees me: I keep my own time from now on, as fast as that of the wall |
 * | `listen port` | calls to this port of the machine are answered by me |
 * | `when wall` | which moment of the run was it at one of the wall, epoch ms, that a file has? |
 * | `begin` | my first call comes: the clock becomes manual if it should |
 *
 * | To a process | Meaning |
 * |---|---|
 * | `now time` | the time of the run; whoever waited until then works from now on |
 * | `move ms` | to a host: the time moves on by so much, once it says `kept` |
 * | `at time` | the same, as the answer to `blocked` or `awake` |
 * | `was wall time from` | the answer to `when`: the moment of the run, and that of the wall at which it began |
 * | `look round` | have you waited without a break since your last `wait`? |
 * | `over why` | nobody will ever go on, or seven days have passed: end |
 * | `joined service` | to a host: a process of that service is tied |
 *
 * What a process says of itself, in its first line.
 */
export interface Hello {
  pid: number
  start: string
  takes: boolean
  waits: boolean
  isExplored: boolean
  service?: string
  /** It starts services, and its own time is none of the run. */
  isHost?: true
}

/** What may wake a process before its moment: nothing, what is of the run, also something else, or a signal alone. */
export type Wakers = (typeof wakersByWord)[number]

const wakersByWord = ['none', 'run', 'any', 'signal'] as const

interface Call {
  host: string
  port: number
  count: number
}

export interface Wait {
  kind: 'wait'
  now: number
  until?: number
  calls: readonly Call[]
  wakers: Wakers
}

type Active = Wait | { kind: 'work' }

/** A process of the run. */
export interface Member {
  hello: Hello
  readonly say: (line: string) => void
  /** `before`: it has not said itself that it is blocked, and this holds again when it answers. */
  state: Active | { kind: 'blocked'; before?: Active }
  /** The last look that it answered. */
  answered: number
  /** Its calls, and what had come of their answers, at its last wait; and since when this is so, wall ms. */
  traffic: string
  silentSinceMs: number
  /** What its threads had done at the last look at one that does not answer, and since when, wall ms. */
  asleep?: { work: string; sinceMs: number }
  /** Since when it has worked in moments only, wall ms. */
  momentsSinceMs?: number
}

/** Reads the first line of a process. Throws for any other one. */
export function helloOf(line: string): Hello {
  const [word, pid, start = '', takes, waits, isExplored, service = '-'] = line.split(' ')
  if (word === 'host')
    return { pid: 0, start: '', takes: true, waits: pid === '1', isExplored: true, isHost: true }
  if (word !== 'hello' || !(Number(pid) > 0))
    throw new Error('the first line is "hello pid start takes waits case service"')
  return {
    pid: Number(pid),
    start,
    takes: takes === '1',
    waits: waits === '1',
    isExplored: isExplored === '1',
    ...(service !== '-' && { service }),
  }
}

/** What a host hears of a process that is tied. */
export function joined({ service = '-' }: Hello): string {
  return `joined ${service}`
}

/** What a process waits for, in words. */
export function standing({ hello, state }: Member): string {
  const calls = state.kind === 'wait' ? state.calls : []
  const places = calls.map(({ host, port }) => `an answer of ${host}:${port}`)
  return `process ${hello.pid} waits for ${places.join(' and ') || 'others'}`
}

/** Reads the words after `wait`. */
export function waitOf([now, until, calls = '-', wakers]: readonly string[]): Wait {
  const listed = calls === '-' ? [] : calls.split(',')
  return {
    kind: 'wait',
    now: now === '-' ? 0 : Number(now),
    ...(until !== '-' && { until: Number(until) }),
    calls: listed.map(text => {
      const [, host = '', port, count] = /^(.*):(\d+)=(\d+)$/.exec(text) ?? []
      return { host, port: Number(port), count: Number(count) }
    }),
    wakers: wakersByWord[Number(wakers)] ?? 'any',
  }
}

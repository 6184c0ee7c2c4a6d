import type { Listening } from '../../src/emulator/server/emulator.ts'
import type { JournalEvent } from '../../src/emulator/worlds/journal.ts'
import type { Random } from '../../src/emulator/worlds/random.ts'
import { type PlainAnswer, type PlainClient, plainClient } from '../../test/support/plain-client.ts'
import { ModelWorld, type Told, type Word } from './model-world.ts'

const path = '/api/v3/contents/generations/tasks'
const mostTasks = 40
const words: readonly [Word, ...Word[]] = ['running', 'succeeded', 'failed', 'cancelled', 'expired', 'queued']

/** Two worlds of one seed that get the same calls, a model of both, and a listener of each. */
export class TwinLife {
  operations = 0
  heard = 0
  comparisons = 0
  readonly #names: readonly [string, string]
  readonly #random: Random
  readonly #model: ModelWorld
  #client: PlainClient | undefined
  #events: [Told[], Told[]] = [[], []]
  #faults: string[] = []
  #history: string[] = []

  constructor(name: string, random: Random, openedAt: number) {
    this.#names = [`${name}-east`, `${name}-west`]
    this.#random = random
    this.#model = new ModelWorld(openedAt)
  }

  /** Listens to both worlds of a running emulator. */
  connect({ url, emulator }: Listening): void {
    this.#client = plainClient(url, 2)
    this.#model.seen.clear()
    this.#names.forEach((name, index) => {
      const { journal } = emulator.services.worlds.open(name, { byKey: true })
      journal.events.listen(({ event }) => this.#hear(index, event))
    })
  }

  disconnect(): void {
    this.#client?.close()
  }

  takeFaults(): string[] {
    const found = this.#faults
    this.#faults = []
    return found
  }

  async run(turns: number): Promise<void> {
    for (let turn = 0; turn < turns && this.#faults.length === 0; turn++) {
      await this.#act()
      this.operations++
      if (turn % 25 === 24) await this.compare('in between')
    }
    await this.compare('at the end of a turn')
  }

  #hear(index: number, event: JournalEvent): void {
    if (event.kind !== 'transition') return
    this.heard++
    this.#events[index as 0 | 1].push({ id: event.taskId, at: event.at, from: event.from, to: event.to })
  }

  async #act(): Promise<void> {
    const { integer } = { integer: (most: number) => this.#random.integer(0, most) }
    const dice = integer(99)
    const model = this.#model
    const id = model.anyTask(this.#random)
    const name = integer(1) === 0 ? 'one' : 'two'
    if (dice < 25 && model.tasks.size < mostTasks) return await this.#create()
    if (dice < 45) return await this.#poll(id)
    if (dice < 60) return await this.#advance(integer(4000))
    if (dice < 68) return await this.#expect('DELETE', `${path}/${id}`, undefined, () => model.delete(id))
    if (dice < 77) {
      const status = this.#random.pick(words)
      return await this.#expect('POST', `/tasks/${id}/force`, { status }, () => model.force(id, status))
    }
    if (dice < 80)
      return await this.#expect('POST', `/tasks/${id}/expire-link`, {}, () => model.expireLink(id))
    if (dice < 84) {
      const mode = integer(1) === 0 ? 'manual' : 'auto'
      return await this.#expect('PATCH', '/clock', { mode }, () => {
        model.isAuto = mode === 'auto'
        return 200
      })
    }
    if (dice < 90)
      return await this.#expect('POST', '/snapshots', { name }, () => {
        model.save(name)
        return 201
      })
    if (dice < 95)
      return await this.#expect('POST', `/snapshots/${name}/restore`, {}, () => model.restore(name))
    if (dice < 98) return await this.#roundTrip()
    await this.#expect('POST', '/reset', {}, () => {
      model.reset()
      return 200
    })
  }

  async #create(): Promise<void> {
    const plan = { queuedMs: this.#length(), runningMs: this.#length(), fails: this.#random.next() < 0.3 }
    const text = `x [[queue:${plan.queuedMs}ms]] [[run:${plan.runningMs}ms]] ${plan.fails ? '[[fail:Oops]]' : ''}`
    const [east, west] = await this.#both('POST', path, {
      model: 'model_a_20',
      content: [{ type: 'text', text }],
    })
    const [id, other] = [east, west].map(({ text }) => JSON.parse(text).id as string)
    if (east.status !== 200 || id === undefined || id !== other || this.#model.tasks.has(id))
      return this.#fault(`a create gave ${east.status} ${id} and ${west.status} ${other}`)
    this.#model.create(id, plan)
  }

  /** Often no time passes: mistakes appear when two changes have the same moment. */
  #length(): number {
    return this.#random.next() < 0.2 ? 0 : this.#random.integer(1, 5000)
  }

  async #poll(id: string): Promise<void> {
    const wanted = this.#model.poll(id)
    for (const { status, text } of await this.#both('GET', `${path}/${id}`)) {
      const found = status === 200 ? JSON.parse(text).status : undefined
      if (found !== wanted || (wanted === undefined && status !== 404))
        this.#fault(`a poll of ${id} gave ${status} ${found}, not ${wanted}`)
    }
  }

  async #advance(ms: number): Promise<void> {
    this.#model.moveTo(this.#model.now + ms)
    for (const { status, text } of await this.#both('POST', '/clock/advance', { by: ms }))
      if (status !== 200 || JSON.parse(text).now_ms !== this.#model.now)
        this.#fault(`an advance gave ${status} ${text.slice(0, 100)}, not ${this.#model.now}`)
  }

  /** A world that was restored from its own document is unchanged. */
  async #roundTrip(): Promise<void> {
    for (const [index, { text }] of (await this.#both('GET', '/state')).entries()) {
      const { status, text: told } = await this.#send(index as 0 | 1, 'PUT', '/state', text)
      if (status !== 200) this.#fault(`a world's own document was refused: ${told.slice(0, 300)}`)
    }
    this.#model.seen.clear()
  }

  async #expect(method: string, below: string, body: unknown, act: () => number): Promise<void> {
    const wanted = act()
    for (const { status, text } of await this.#both(method, below, body))
      if (status !== wanted)
        this.#fault(`${method} ${below} gave ${status}, not ${wanted}: ${text.slice(0, 200)}`)
  }

  async #both(method: string, below: string, body?: unknown): Promise<[PlainAnswer, PlainAnswer]> {
    this.#history.push(`${method} ${below} ${body === undefined ? '' : JSON.stringify(body).slice(0, 200)}`)
    if (this.#history.length > 12) this.#history.shift()
    const text = body === undefined ? undefined : JSON.stringify(body)
    return await Promise.all([this.#send(0, method, below, text), this.#send(1, method, below, text)])
  }

  async #send(index: 0 | 1, method: string, below: string, body?: string): Promise<PlainAnswer> {
    if (!this.#client) throw new Error('Nobody is connected')
    const name = this.#names[index]
    const isControl = below !== path && !below.startsWith(`${path}/`)
    return await this.#client.send({
      method,
      path: isControl ? `/__emulator/worlds/${name}${below}` : below,
      headers: {
        'Content-Type': 'application/json',
        ...(!isControl && { Authorization: `Bearer sk-test-${name}` }),
      },
      ...(body !== undefined && { body }),
    })
  }

  /** Compares states, charges, clock, twins, and what listeners received since the last comparison. */
  async compare(when: string): Promise<void> {
    this.comparisons++
    const [east, west] = await this.#both('GET', '/state')
    if (east.text.replace(this.#names[0], '') !== west.text.replace(this.#names[1], ''))
      this.#fault(`${when}: the twins differ: ${differenceOf(east.text, west.text)}`)
    this.#compareHeard(when)
    const model = this.#model
    const [tasks] = await this.#both('GET', '/tasks?detail=line&limit=1000')
    const shown = JSON.parse(tasks.text).items.map(
      ({ id, status, deleted_at_ms }: { id: string; status: string; deleted_at_ms: number | null }) =>
        `${id} ${status}${deleted_at_ms === null ? '' : ' deleted'}`,
    )
    const wanted = [...model.tasks].map(
      ([id, { status, isDeleted }]) => `${id} ${status}${isDeleted ? ' deleted' : ''}`,
    )
    if (shown.reverse().join('\n') !== wanted.join('\n'))
      this.#fault(`${when}: the tasks are\n${shown.join('\n')}\nand not\n${wanted.join('\n')}`)
    const [ledger] = await this.#both('GET', '/ledger')
    const kinds: string[] = JSON.parse(ledger.text).items.map(({ kind }: { kind: string }) => kind)
    const ended = [...model.tasks.values()].filter(
      ({ status }) => status !== 'queued' && status !== 'running',
    )
    if (kinds.length !== model.tasks.size + ended.length)
      this.#fault(`${when}: the ledger has ${kinds.length} lines`)
  }

  #compareHeard(when: string): void {
    for (const events of this.#events) {
      for (const id of new Set([...events, ...this.#model.told].map(told => told.id))) {
        const [heard, wanted] = [textOf(events, id), textOf(this.#model.told, id)]
        if (heard !== wanted) this.#fault(`${when}: of ${id} was heard ${heard}, not ${wanted}`)
      }
    }
    this.#events = [[], []]
    this.#model.told = []
  }

  #fault(text: string): void {
    if (this.#faults.length < 3)
      this.#faults.push(`${this.#names[0]}: ${text}\n  after ${this.#history.join('\n  ')}`)
  }
}

function textOf(told: readonly Told[], id: string): string {
  const own = told.filter(one => one.id === id)
  return own.map(({ at, from, to }) => `${at} ${from}-${to}`).join(', ') || 'nothing'
}

function differenceOf(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return `${one.slice(Math.max(0, at - 80), at + 80)} | ${other.slice(Math.max(0, at - 80), at + 80)}`
}

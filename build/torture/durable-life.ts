import { once } from 'node:events'
import { tasksPath, textBody } from '../../test/support/family-a.ts'
import { type PlainAnswer, type PlainClient, plainClient } from '../../test/support/plain-client.ts'
import { seeded } from '../../test/support/seeded.ts'
import { type ServerChild, startServer } from '../bench/child.ts'

/** The acknowledged facts, by world. All of them must exist after a crash. */
interface Told {
  tasks: Map<string, { ended: boolean; forced: boolean }>
  downloads: number
  scenarios: Set<string>
  balance: number | null
  nowMs: number
}

interface State {
  head: { clock: { virtualMs: number } }
  tasks: [string, { facts: { kind: string }[] }][]
  downloads: [string, number][]
  scenarios: [string, unknown][]
  accounts: [string, { id: string; balance: number | null }][]
}

/** Failures that must not happen in a crash. */
export type Loss = string

/** Small, because its file is made too. */
const smallest = textBody({ model: 'model_a_20', resolution: '480p', duration: 4 })
const worldNames = ['one', 'two', 'three', 'four'] as const
const clients = 8

/** A server with a data directory that is killed and started again, under a load that remembers every answer. */
export class DurableLife {
  readonly #dir: string
  readonly #random
  readonly #told = new Map<string, Told>()
  readonly #ids = new Set<string>()
  readonly #requestIds = new Set<string>()
  readonly losses: Loss[] = []
  /** Links to one finished file of each world. */
  readonly #links = new Map<string, string>()
  acknowledged = 0
  #server: ServerChild | undefined
  #client: PlainClient | undefined
  #isDying = false

  constructor(dir: string, seed: number) {
    this.#dir = dir
    this.#random = seeded(seed)
    for (const world of worldNames)
      this.#told.set(world, { tasks: new Map(), downloads: 0, scenarios: new Set(), balance: null, nowMs: 0 })
  }

  /** Starts, checks that every acknowledged fact exists, works until it has a number of replies, and is killed. */
  async round(answers: number): Promise<void> {
    await this.#start()
    for (const world of worldNames) await this.#check(world)
    await this.#prepareLinks()
    const goal = this.acknowledged + answers
    const working = Array.from({ length: clients }, () => this.#work(goal))
    await Promise.all(working)
  }

  /** Starts once more and checks. */
  async finalCheck(): Promise<void> {
    await this.#start()
    for (const world of worldNames) await this.#check(world)
    this.#client?.close()
    await this.#server?.stop()
  }

  async #start(): Promise<void> {
    this.#isDying = false
    const args = ['--port', '0', '--log', 'json', '--clock', 'manual', '--data', this.#dir]
    this.#server = await startServer('emulator', ['dist/main.js', ...args])
    this.#client = plainClient(this.#server.url, clients)
  }

  async #kill(): Promise<void> {
    const child = this.#server?.child
    if (this.#isDying || !child) return
    this.#isDying = true
    const over = once(child, 'exit')
    child.kill('SIGKILL')
    await over
    this.#client?.close()
  }

  async #work(goal: number): Promise<void> {
    while (!this.#isDying) {
      if (this.acknowledged >= goal) return this.#kill()
      try {
        await this.#actSomehow()
        this.acknowledged++
      } catch (error) {
        // A change without a reply was not acknowledged.
        if (!this.#isDying) throw error
      }
    }
  }

  async #send(method: string, path: string, world: string, body?: unknown): Promise<PlainAnswer> {
    if (!this.#client) throw new Error('nothing is running')
    const isControl = path.startsWith('/__emulator')
    const reply = await this.#client.send({
      method,
      path,
      headers: {
        ...(!isControl && !path.startsWith('/files/') && { Authorization: `Bearer sk-test-${world}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    this.#note(reply)
    return reply
  }

  #note({ status, headers, text }: PlainAnswer): void {
    // Worlds with the same seed and history give the same ids.
    const id = headers['x-request-id'] && `${headers['x-emulator-world']} ${headers['x-request-id']}`
    if (status >= 500) this.losses.push(`an answer was ${status}: ${text.slice(0, 200)}`)
    if (typeof id !== 'string') return
    if (this.#requestIds.has(id)) this.losses.push(`the request id ${id} came twice`)
    this.#requestIds.add(id)
  }

  async #actSomehow(): Promise<void> {
    const random = this.#random
    const world = random.pick(worldNames)
    const told = this.#told.get(world)
    if (!told) return
    const draw = random.next()
    if (draw < 0.45) await this.#create(world, told)
    else if (draw < 0.6) await this.#remove(world, told)
    else if (draw < 0.7) await this.#force(world, told)
    else if (draw < 0.8) await this.#advance(world, told)
    else if (draw < 0.86) await this.#download(world, told)
    else if (draw < 0.92) await this.#post(world, told)
    else if (draw < 0.96) await this.#setBalance(world, told)
    else await this.#send('GET', `${tasksPath}?page_size=10`, world)
  }

  async #create(world: string, told: Told): Promise<void> {
    const { status, text } = await this.#send('POST', tasksPath, world, smallest)
    if (status !== 200) return
    const { id } = JSON.parse(text) as { id: string }
    const key = `${world} ${id}`
    if (this.#ids.has(key)) this.losses.push(`the task id ${key} was given twice`)
    this.#ids.add(key)
    told.tasks.set(id, { ended: false, forced: false })
  }

  #someTask(told: Told): string | undefined {
    const ids = [...told.tasks.keys()]
    return ids.length === 0 ? undefined : ids[this.#random.integer(0, ids.length - 1)]
  }

  async #remove(world: string, told: Told): Promise<void> {
    const id = this.#someTask(told)
    if (id === undefined) return
    const { status } = await this.#send('DELETE', `${tasksPath}/${id}`, world)
    if (status === 200) told.tasks.set(id, { forced: false, ...told.tasks.get(id), ended: true })
  }

  async #force(world: string, told: Told): Promise<void> {
    const id = this.#someTask(told)
    if (id === undefined) return
    const path = `/__emulator/worlds/${world}/tasks/${id}/force`
    const { status } = await this.#send('POST', path, world, { status: 'failed' })
    if (status === 200) told.tasks.set(id, { ended: false, ...told.tasks.get(id), forced: true })
  }

  async #advance(world: string, told: Told): Promise<void> {
    const by = `${this.#random.integer(1, 90)}s`
    const { status, text } = await this.#send('POST', `/__emulator/worlds/${world}/clock/advance`, world, {
      by,
    })
    if (status === 200) told.nowMs = Math.max(told.nowMs, JSON.parse(text).now_ms)
  }

  async #download(world: string, told: Told): Promise<void> {
    const link = this.#links.get(world)
    if (!link) return
    const { status } = await this.#send('GET', link, world)
    if (status === 200) told.downloads++
  }

  async #post(world: string, told: Told): Promise<void> {
    const name = `s-${this.#random.hex(8)}`
    // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language, never awaited
    const rules = [{ when: { prompt: 'never said' }, then: { refuse: { fault: 'moderated' } } }]
    const path = `/__emulator/worlds/${world}/scenarios`
    // One at a time, so that a thousand do not act together.
    if (told.scenarios.size > 20) {
      const [oldest = ''] = told.scenarios
      // Until the reply arrives, the change may exist or not.
      told.scenarios.delete(oldest)
      await this.#send('DELETE', `${path}/${oldest}`, world)
      return
    }
    const { status } = await this.#send('POST', path, world, { name, rules })
    if (status === 201) told.scenarios.add(name)
  }

  async #setBalance(world: string, told: Told): Promise<void> {
    const balance = this.#random.integer(1_000_000, 2_000_000)
    told.balance = null
    const path = `/__emulator/worlds/${world}/accounts/rich`
    const { status } = await this.#send('PATCH', path, world, { balance })
    if (status === 200) told.balance = balance
  }

  /** One file for each world, rendered once and stored in the directory. */
  async #prepareLinks(): Promise<void> {
    for (const world of worldNames) {
      if (this.#links.has(world)) continue
      const body = textBody({ model: 'model_a_20', resolution: '480p', duration: 4 })
      const { id } = JSON.parse((await this.#send('POST', tasksPath, world, body)).text)
      await this.#send('POST', `/__emulator/worlds/${world}/clock/advance`, world, { until: 'idle' })
      const { text } = await this.#send('GET', `${tasksPath}/${id}`, world)
      const { pathname, search } = new URL(JSON.parse(text).content.video_url)
      this.#links.set(world, pathname + search)
      // Links end after a day. The clock of this world moves so little that they do not.
    }
  }

  /** Every acknowledged change exists, and almost nothing else. */
  async #check(world: string): Promise<void> {
    const told = this.#told.get(world)
    const { status, text } = await this.#send('GET', `/__emulator/worlds/${world}/state`, world)
    if (!told) return
    const lose = (what: string) => this.losses.push(`${world}: ${what}`)
    // Before the first change nothing has opened the world.
    if (status === 404) return void (told.tasks.size > 0 && lose('the world is gone'))
    const { state } = JSON.parse(text) as { state: State }
    const tasks = new Map(state.tasks)
    for (const [id, { ended, forced }] of told.tasks) {
      const kinds = tasks.get(id)?.facts.map(({ kind }) => kind)
      if (!kinds) lose(`the task ${id} is gone`)
      else if (ended && !kinds.includes('deleted') && !kinds.includes('cancelled'))
        lose(`the end of ${id} is gone`)
      else if (forced && !kinds.includes('forced')) lose(`what was forced on ${id} is gone`)
    }
    const unknown = [...tasks.keys()].filter(id => !told.tasks.has(id))
    for (const id of unknown) told.tasks.set(id, { ended: false, forced: false })
    if (this.acknowledged > 0 && unknown.length > clients + 1)
      lose(`${unknown.length} tasks that nobody was told of`)
    const downloads = state.downloads.reduce((sum, [, count]) => sum + count, 0)
    if (downloads < told.downloads) lose(`${told.downloads} downloads became ${downloads}`)
    const scenarios = new Set(state.scenarios.map(([name]) => name))
    for (const name of told.scenarios) if (!scenarios.has(name)) lose(`the scenario ${name} is gone`)
    const balance = state.accounts.find(([id]) => id === 'rich')?.[1].balance ?? null
    if (told.balance !== null && balance === null) lose('the balance is gone')
    if (state.head.clock.virtualMs < told.nowMs) lose(`the clock went back`)
    await this.#checkCharges(world, lose)
  }

  /** Each stored task is charged once. */
  async #checkCharges(world: string, lose: (what: string) => void): Promise<void> {
    const { text } = await this.#send('GET', `/__emulator/worlds/${world}/ledger`, world)
    const { items } = JSON.parse(text) as { items: { kind: string; task_id: string }[] }
    const reserved = items.filter(({ kind }) => kind === 'reserved').map(({ task_id }) => task_id)
    if (new Set(reserved).size !== reserved.length) lose('a task is charged for twice')
    const told = this.#told.get(world)?.tasks.size ?? 0
    if (reserved.length < told) lose(`${told} tasks, and ${reserved.length} charges`)
  }
}

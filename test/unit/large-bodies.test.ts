import { expect, it } from 'vitest'
import { createBodyMemory } from '../../src/emulator/http/body.ts'

/** A memory limit of 100 bytes, in which bodies of 10 never wait; `wait` ends the waiting time. */
function room() {
  let end = () => {}
  const patience = () =>
    new Promise<void>(resolve => {
      end = resolve
    })
  const { enter } = createBodyMemory({ capacity: 100, harmless: 10, patience })
  const bodies = new Map<string, string>()
  const body = (name: string) => {
    const share = enter()
    bodies.set(name, 'flows')
    const flow = { pause: () => void bodies.set(name, 'waits'), resume: () => void bodies.set(name, 'flows') }
    return { ...share, hold: (bytes: number) => share.hold(bytes, flow) }
  }
  const wait = async () => {
    end()
    await new Promise(resolve => setImmediate(resolve))
  }
  return { body, wait, states: () => Object.fromEntries(bodies) }
}

it('a slow large body counts only with the bytes that have arrived, and blocks no other', () => {
  const { body, states } = room()
  const [slow, quick] = [body('slow'), body('quick')]
  slow.hold(20)
  quick.hold(80)
  expect(states()).toEqual({ slow: 'flows', quick: 'flows' })
  quick.complete()
  quick.leave()
  const next = body('next')
  next.hold(80)
  expect(states()).toMatchObject({ next: 'flows' })
})

it('when the memory is used up, one body continues and the others wait and follow in order', () => {
  const { body, states } = room()
  const [a, b, c] = [body('a'), body('b'), body('c')]
  a.hold(40)
  b.hold(40)
  c.hold(40)
  a.hold(20)
  b.hold(20)
  expect(states()).toEqual({ a: 'waits', b: 'waits', c: 'flows' })
  c.hold(60)
  c.complete()
  c.leave()
  expect(states()).toMatchObject({ a: 'flows', b: 'waits' })
  a.leave()
  expect(states()).toMatchObject({ b: 'flows' })
})

it('a body loses its turn when it makes no progress', async () => {
  const { body, wait, states } = room()
  const [a, b] = [body('a'), body('b')]
  a.hold(60)
  b.hold(60)
  a.hold(5)
  expect(states()).toEqual({ a: 'waits', b: 'flows' })
  b.hold(1)
  await wait()
  expect(states()).toEqual({ a: 'waits', b: 'flows' })
  await wait()
  expect(states()).toEqual({ a: 'flows', b: 'waits' })
  a.complete()
  await wait()
  await wait()
  expect(states()).toEqual({ a: 'flows', b: 'waits' })
  a.leave()
  expect(states()).toMatchObject({ b: 'flows' })
})

it('small bodies never wait', () => {
  const { body, states } = room()
  body('large').hold(200)
  body('small').hold(10)
  expect(states()).toEqual({ large: 'flows', small: 'flows' })
})

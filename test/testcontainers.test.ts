import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { optionRows } from '../src/emulator/options/table.ts'
import { packageVersion } from '../src/emulator/package/files.ts'
import { GatewayContainer } from '../src/kits/testing/testcontainers.ts'
import { asked } from './support/fake-testcontainers.ts'

it('a container of the emulator has its port, waits for its health check, and has the given options', async () => {
  const container = new GatewayContainer().withOptions({
    clock: '60x',
    seed: 7,
    strict: true,
    scenarios: ['late-failure', 'expiry'],
    publicUrl: undefined,
  })
  expect(asked).toMatchObject({
    image: 'generation-gateway-emulator',
    ports: [8585],
    wait: { path: '/__emulator/health', port: 8585 },
    environment: {
      GATEWAY_EMULATOR_CLOCK: '60x',
      GATEWAY_EMULATOR_SEED: '7',
      GATEWAY_EMULATOR_STRICT: 'true',
      GATEWAY_EMULATOR_SCENARIO: 'late-failure,expiry',
    },
  })
  expect(Object.keys(asked.environment ?? {}).length).toBe(4)
  const started = await container.start()
  const world = await started.emulator.openWorld({ id: 'contained' })
  expect(world.baseUrl).toBe(started.url)
  expect(await world.tasks.list()).toEqual([])
  await started.stop()
  await expect(started.emulator.health()).rejects.toThrow('No emulator answers')
})

it('the environment of a container has the variables that the command line reads', () => {
  new GatewayContainer().withOptions({
    strict: true,
    promptTags: 'off',
    auth: 'open',
    cors: 'any',
    inputs: 'none',
    links: 'upstream',
  })
  for (const [name, text] of Object.entries(asked.environment as Record<string, string>)) {
    const row = optionRows.find(({ environment }) => `GATEWAY_EMULATOR_${environment}` === name)
    expect(row, name).toBeDefined()
    expect(() => row?.read(text), name).not.toThrow()
  }
  expect(() => new GatewayContainer().withOptions({ dataDir: '/x' } as never)).toThrow(
    /dataDir is not an option/,
  )
})

it('an image can be built from the installed package alone', async () => {
  const name = await GatewayContainer.image()
  const [context, dockerfile, image, how] = asked.built as [string, string, string, object]
  expect(name).toBe(`generation-gateway-emulator:${packageVersion()}`)
  expect([image, how]).toEqual([name, { deleteOnExit: false }])
  expect(existsSync(join(context, dockerfile))).toBe(true)
})

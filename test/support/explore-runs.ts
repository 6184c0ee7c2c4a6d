import { expect } from 'vitest'
import type { Report } from '../../src/explore/report/report.ts'
import { commandSubject } from '../../src/explore/run/run-command.ts'
import type { ControlClient } from '../../src/kits/client.ts'
import { runCommand } from './emulator-process.ts'

/** Explores by the command line; its report, its exit code and what it printed. Fails when there is no report. */
export async function reportOf(args: readonly string[], environment?: Record<string, string>) {
  const { code, stdout, stderr } = await runCommand(['explore', '--reporter', 'json', ...args], environment)
  expect(stdout, stderr).not.toBe('')
  return { ...(JSON.parse(stdout) as Report), code, stdout, stderr }
}

/** Runs a program as explore does, in virtual time and a world of its own, and ends what it has started. */
export async function ranInWorld(emulator: ControlClient, program: string, ...args: string[]) {
  const world = await emulator.openWorld({ clock: 'manual' })
  const subject = commandSubject({ program, args, env: [], inherited: process.env })
  const { signal } = new AbortController()
  const ended = await subject.run(world, { name: 'a test', limitMs: 110_000, signal, time: 'virtual' })
  const { wall_pace, unseen_libraries } = await world.clock.get()
  await world.drop()
  return { ...ended, wall_pace, unseen_libraries }
}

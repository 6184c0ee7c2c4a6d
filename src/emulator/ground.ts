// What every building stands on: the package's files, clocks and waits, seeded numbers, files on disk.

export type { Transfer } from './http/transfer.ts'
export { fixturePath, late, packagePath, packageVersion, readFixture } from './package/files.ts'
export { realTime } from './worlds/clock.ts'
export { makeDirectory, moveFile } from './worlds/data/file-system.ts'
export type { ConnectionEffect, Entry, MediaEffect, RequestEffect } from './worlds/journal.ts'
export type { Digest, MediaFacts, MediaKind } from './worlds/media-facts.ts'
export { environmentOf, procNames, procText, statOf } from './worlds/processes.ts'
export { type Random, randomFor } from './worlds/random.ts'
export { pause } from './worlds/wait.ts'
export type { World } from './worlds/world.ts'

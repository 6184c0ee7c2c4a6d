import { describe, expect, it } from 'vitest'
import { isGenuine, linkTo, parseLink } from '../../src/media/files/links.ts'
import { seededWorldWith, worldWith } from '../support/scenario-world.ts'

const world = worldWith()
const target = { task: 'cgt-20260301160000-bcdfg', output: 'video', ending: 'mp4' }
const parsed = (link: string) => {
  const [path = '', query = ''] = link.split('?')
  return { path, link: parseLink(path, new URLSearchParams(query)) }
}

describe('a link', () => {
  it('can be read back', () => {
    const { path, link } = parsed(linkTo(world, target, 7_200_999))
    expect(link).toMatchObject({ world: 'test', ...target, expires: 7200 })
    expect(isGenuine(world, path, link?.expires ?? 0, link?.signature ?? '')).toBe(true)
  })

  it('is the same for the same file and expiry, and another for others', () => {
    const links = [
      linkTo(world, target, 7_200_000),
      linkTo(world, { ...target, task: 'other' }, 7_200_000),
      linkTo(world, { ...target, output: 'last_frame' }, 7_200_000),
      linkTo(world, { ...target, ending: 'mov' }, 7_200_000),
      linkTo(world, target, 7_201_000),
      linkTo(seededWorldWith(2), target, 7_200_000),
    ]
    expect(linkTo(worldWith(), target, 7_200_000)).toBe(links[0])
    const signatures = links.map(link => parsed(link).link?.signature)
    expect(new Set(signatures).size).toBe(links.length)
  })

  it('can contain any task id', () => {
    const task = 'a b/c?d=%41&é'
    expect(parsed(linkTo(world, { ...target, task }, 1000)).link?.task).toBe(task)
  })

  it.each(['', 'ü', '0'.repeat(32), 'ff'.repeat(500)])('is not genuine with the signature %j', signature => {
    const { path, link } = parsed(linkTo(world, target, 7_200_000))
    expect(isGenuine(world, path, link?.expires ?? 0, signature)).toBe(false)
  })
})

it.each([
  '/files/',
  '/files/w',
  '/files/w/t/video',
  '/files/w/t/video.',
  '/files/w/t/../x.mp4',
  '/files/a b/t/video.mp4',
  '/files/w/t/VIDEO.mp4',
  `/files/w/${'t'.repeat(201)}/video.mp4`,
  '/other/w/t/video.mp4',
])('%s is not a link', path => {
  expect(parseLink(path, new URLSearchParams())).toBeUndefined()
})

it('a link with a broken escape belongs to no task', () => {
  expect(parseLink('/files/w/%zz/video.mp4', new URLSearchParams())?.task).toBe('')
})

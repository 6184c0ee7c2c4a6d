import { type Random, randomFor } from '../../worlds/random.ts'
import { css, type Palette, paletteOf } from '../drawing/palette.ts'
import type { Rgb } from '../video/yuv.ts'

interface Size {
  width: number
  height: number
}

/** A landscape that follows from the seed: sky, sun or moon, ridges, perhaps water, trees and birds. SVG without its outer element. */
export function sceneSvg(size: Size, seed: number): string {
  const random = randomFor(seed, 'scene', 0)
  const palette = paletteOf(seed)
  const horizon = size.height * (0.5 + random.next() * 0.14)
  const hasWater = random.next() < 0.45
  const parts = [
    sky(size, horizon, palette),
    stars(size, horizon, random),
    sun(size, horizon, { palette, random }),
    ...(hasWater ? water(size, horizon, { palette, random }) : []),
    ...ridges(size, hasWater ? horizon : horizon * 0.98, { palette, random, hasWater }),
    birds(size, horizon, random),
  ]
  return parts.join('')
}

interface Paint {
  palette: Palette
  random: Random
}

/** The only gradient: each costs as much as everything else together. */
function sky({ width, height }: Size, horizon: number, { deep, middle, glow, accent }: Palette): string {
  const far = horizon / height
  return `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${css(mix(deep, middle, 0.45))}"/>
    <stop offset="${far * 0.55}" stop-color="${css(middle)}"/><stop offset="${far * 0.86}" stop-color="${css(glow)}"/>
    <stop offset="${far}" stop-color="${css(mix(glow, accent, 0.55))}"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>`
}

function stars({ width }: Size, horizon: number, random: Random): string {
  const unit = width / 1000
  return Array.from({ length: 70 }, () => {
    const [x, y] = [random.next() * width, random.next() ** 1.7 * horizon * 0.6]
    const radius = unit * (0.7 + random.next() * 1.3)
    return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="#fff" fill-opacity="${round(0.15 + random.next() * 0.5)}"/>`
  }).join('')
}

function sun({ width, height }: Size, horizon: number, { palette, random }: Paint): string {
  const [x, y] = [width * (0.18 + random.next() * 0.64), horizon * (0.34 + random.next() * 0.42)]
  const radius = Math.min(width, height) * (0.065 + random.next() * 0.05)
  const disc = (scale: number, opacity: number, colour: Rgb) =>
    `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius * scale)}" fill="${css(colour)}" fill-opacity="${opacity}"/>`
  const white: Rgb = [255, 250, 238]
  return (
    disc(3.4, 0.07, palette.accent) +
    disc(2.4, 0.09, palette.accent) +
    disc(1.6, 0.16, palette.accent) +
    disc(1, 1, mix(palette.accent, white, 0.55))
  )
}

function water({ width, height }: Size, horizon: number, { palette, random }: Paint): string[] {
  const sheet = `<rect y="${round(horizon)}" width="${width}" height="${round(height - horizon)}" fill="${css(mix(palette.middle, palette.glow, 0.35))}"/>`
  const glints = Array.from({ length: 26 }, (_, i) => {
    const y = horizon + ((height - horizon) * (i + 0.5)) / 34
    const long = width * (0.04 + random.next() * 0.16)
    const x = random.next() * (width - long)
    return `<rect x="${round(x)}" y="${round(y)}" width="${round(long)}" height="${round(height * 0.0025)}" rx="${round(height * 0.00125)}" fill="${css(palette.accent)}" fill-opacity="${round(0.12 + random.next() * 0.3)}"/>`
  })
  return [sheet, ...glints]
}

/** From far and hazy to near and dark. Over water the far ones stand on the shore and only the last lies in front. */
function ridges(size: Size, horizon: number, paint: Paint & { hasWater: boolean }): string[] {
  const { palette, random, hasWater } = paint
  const { width, height } = size
  const count = 4
  return Array.from({ length: count }, (_, i) => {
    const depth = i / (count - 1)
    const isNear = i === count - 1
    const base = hasWater && !isNear ? horizon : horizon + (height - horizon) * (depth * 0.62 - 0.06)
    const rise = Math.min(height * 0.34, width * 0.5) * (isNear ? 0.16 : 0.62 - depth * 0.36)
    const roughness = isNear ? 0.25 : 0.75 - depth * 0.4
    const line = ridgeLine(width, { base, rise, roughness }, random)
    const foot = hasWater && !isNear ? horizon : height
    const colour = mix(
      mix(palette.glow, palette.accent, 0.18),
      mix(palette.deep, [8, 10, 18], 0.45),
      0.22 + depth * 0.78,
    )
    const trees = isNear ? conifers(line, Math.min(width, height), random) : ''
    return `<path d="M0 ${round(foot)}L${line.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}L${width} ${round(foot)}Z${trees}" fill="${css(colour)}"/>`
  })
}

type Point = readonly [x: number, y: number]

/** Waves of falling height laid over each other, the finer ones as strong as the rock is rough. */
function ridgeLine(
  width: number,
  shape: { base: number; rise: number; roughness: number },
  random: Random,
): Point[] {
  const waves = Array.from({ length: 7 }, (_, octave) => ({
    turns: (0.7 + random.next() * 0.6) * 2 ** octave,
    phase: random.next() * 2 * Math.PI,
    height: shape.roughness ** octave,
  }))
  const most = waves.reduce((sum, wave) => sum + wave.height, 0)
  return Array.from({ length: 193 }, (_, i) => {
    const along = i / 192
    const sum = waves.reduce(
      (total, { turns, phase, height }) =>
        total + height * (1 - Math.abs(Math.sin(along * turns * Math.PI + phase)) * 2),
      0,
    )
    return [along * width, shape.base - shape.rise * (0.42 + 0.58 * (sum / most))]
  })
}

function conifers(line: readonly Point[], side: number, random: Random): string {
  let out = ''
  for (let i = 3; i < line.length - 3; i++) {
    if (random.next() > 0.34) continue
    const [x, y] = line[i] ?? [0, 0]
    const tall = side * (0.035 + random.next() * 0.055)
    const wide = tall * 0.21
    const step = (from: number, half: number) =>
      `M${round(x)} ${round(y - tall * from)}l${round(half)} ${round(tall * 0.42)}h${round(-2 * half)}Z`
    out +=
      step(1, wide * 0.7) +
      step(0.76, wide * 0.9) +
      step(0.5, wide * 1.1) +
      `M${round(x - wide * 0.12)} ${round(y - tall * 0.1)}h${round(wide * 0.24)}v${round(tall * 0.2)}h${round(-wide * 0.24)}Z`
  }
  return out
}

function birds({ width, height }: Size, horizon: number, random: Random): string {
  const [x, y] = [width * (0.15 + random.next() * 0.6), horizon * (0.3 + random.next() * 0.3)]
  const side = Math.min(width, height)
  const marks = Array.from({ length: 5 }, () => {
    const [left, top] = [x + (random.next() - 0.5) * side * 0.22, y + (random.next() - 0.5) * side * 0.09]
    const span = side * (0.008 + random.next() * 0.008)
    return `M${round(left)} ${round(top)}q${round(span)} ${round(-span)} ${round(span * 1.3)} ${round(span * 0.35)}q${round(span * 0.4)} ${round(-span * 1.3)} ${round(span * 1.5)} ${round(-span * 0.45)}`
  })
  return `<path d="${marks.join('')}" fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="${round(side * 0.0022)}"/>`
}

/** A colour between two, nothing of the second at 0, nothing of the first at 1. */
function mix(a: Rgb, b: Rgb, part: number): Rgb {
  return [at(a[0], b[0], part), at(a[1], b[1], part), at(a[2], b[2], part)]
}

function at(from: number, to: number, part: number): number {
  return Math.round(from + (to - from) * part)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

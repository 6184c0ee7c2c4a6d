import { black, mix, rgb, white } from '../colour.ts'
import { circle, ellipse, fill, path, stroke } from '../shapes.ts'
import type { Brush, Subject } from './subject.ts'

/** A horse from the side, standing. */
export const horse: Subject = {
  wide: 118,
  size: 1,
  rests: 'ground',
  colours: [rgb('#8a5636'), rgb('#5c4034'), rgb('#b98a5e'), rgb('#e6ddd0')],
  draw: brush => quadruped(brush) + mane(brush),
}

/** A stag from the side. */
export const deer: Subject = {
  wide: 118,
  size: 0.88,
  rests: 'ground',
  colours: [rgb('#a8703f'), rgb('#8f6240')],
  draw: brush =>
    quadruped(brush) +
    antlers(brush) +
    [
      [-12, -54],
      [2, -57],
      [16, -55],
      [-4, -49],
      [10, -49],
    ]
      .map(([x = 0, y = 0]) => ellipse([x, y], [2, 1.4], fill(mix(brush.main, brush.tone(white), 0.6))))
      .join(''),
}

/** Body, neck, head and four legs; the head looks to the right. */
function quadruped({ main, dark, tone }: Brush): string {
  const ink = tone(rgb('#241c1c'))
  const hoof = tone(rgb('#33292a'))
  const leg = (x: number, look: string, lean: number) =>
    path(
      `M${x - 5} -42C${x - 5} -30 ${x - 4 + lean} -24 ${x - 3 + lean} -18L${x - 3 + lean} -3H${x + 2 + lean}L${x + 2.4 + lean} -18C${x + 4 + lean} -26 ${x + 7} -32 ${x + 7} -42Z`,
      look,
    ) + path(`M${x - 3.6 + lean} -4H${x + 2.6 + lean}L${x + 4 + lean} 0H${x - 4 + lean}Z`, fill(hoof))
  return (
    leg(-22, fill(dark), -4) +
    leg(19, fill(dark), 3) +
    path(
      'M-36 -52C-38 -66 -26 -68 -14 -66C-2 -64 8 -64 18 -67C22 -74 26 -84 32 -91C35 -94 40 -95 43 -93L56 -78C58 -75 56 -71 52 -71C48 -71 45 -74 42 -75C38 -72 36 -64 34 -56C32 -44 24 -37 12 -37C0 -37 -8 -38 -16 -36C-28 -34 -35 -40 -36 -52Z',
      fill(main),
    ) +
    path(
      'M-36 -50C-34 -38 -26 -35 -16 -36C-8 -38 0 -37 12 -37C20 -37 27 -41 31 -48C24 -44 12 -43 0 -44C-14 -45 -26 -44 -36 -50Z',
      fill(dark, 0.45),
    ) +
    path('M35 -92L34 -100L40 -94Z', fill(main)) +
    circle([43.5, -85.5], 1.4, fill(ink)) +
    ellipse([53.4, -75], [1.1, 0.8], fill(ink)) +
    leg(-29, fill(main), 0) +
    leg(25, fill(main), 0)
  )
}

function mane({ dark, main }: Brush): string {
  const hair = mix(dark, black, 0.4)
  return (
    path('M36 -97C26 -90 20 -78 15 -64C21 -66 25 -68 28 -74C31 -80 33 -87 38 -93Z', fill(hair)) +
    path('M36 -96C40 -95 44 -92 44 -88C40 -91 37 -92 34 -92Z', fill(hair)) +
    path('M-35 -58C-46 -58 -50 -42 -47 -22C-42 -28 -38 -36 -36 -46Z', fill(hair)) +
    path('M-36 -52C-42 -50 -45 -40 -45 -30', stroke(mix(hair, main, 0.35), 1))
  )
}

function antlers({ tone }: Brush): string {
  const horn = tone(rgb('#7d5c3c'))
  return `<g transform="translate(2 4)">${path('M36 -94C30 -104 22 -104 20 -112M30 -102C30 -108 33 -110 33 -114M38 -95C40 -104 48 -104 51 -111M43 -103C43 -108 41 -111 42 -115', stroke(horn, 2.4))}</g>`
}

/** An elephant from the side. */
export const elephant: Subject = {
  wide: 128,
  size: 1,
  rests: 'ground',
  colours: [rgb('#8f959e'), rgb('#7d828c')],
  draw({ main, dark, light, tone }) {
    const leg = (x: number, look: string) =>
      path(`M${x} -40H${x + 17}L${x + 16} -1Q${x + 8} 1 ${x + 1} -1Z`, look)
    const nails = (x: number) => [3, 8, 13].map(dx => ellipse([x + dx, -2], [1.8, 1.6], fill(light))).join('')
    return (
      leg(-30, fill(dark)) +
      leg(10, fill(dark)) +
      path(
        'M-52 -44C-54 -76 -34 -86 -8 -86C12 -86 26 -82 34 -74L30 -34C20 -28 -34 -26 -46 -32C-50 -34 -52 -38 -52 -44Z',
        fill(main),
      ) +
      path('M-50 -56C-58 -50 -57 -38 -55 -30', stroke(dark, 2)) +
      leg(-46, fill(main)) +
      nails(-46) +
      leg(16, fill(main)) +
      nails(16) +
      path(
        'M24 -84C40 -96 58 -86 58 -66C58 -48 60 -34 56 -18C54 -8 64 -8 64 -14L68 -12C68 0 50 2 49 -14C48 -26 48 -36 46 -44C36 -44 26 -50 22 -60Z',
        fill(main),
      ) +
      path('M47 -46C52 -40 58 -38 63 -42C58 -36 50 -36 45 -42Z', fill(tone(rgb('#f5eedd')))) +
      path(
        'M30 -86C14 -94 2 -82 4 -66C6 -50 18 -44 26 -50C34 -58 36 -76 30 -86Z',
        fill(mix(main, dark, 0.55)),
      ) +
      circle([44, -70], 1.8, fill(tone(rgb('#241c1c'))))
    )
  },
}

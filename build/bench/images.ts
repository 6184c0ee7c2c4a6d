/**
 * How long image requests take when nothing is cached, what processor time they cost, and what memory ten large inputs at once
 * take. Needs a build. Run with: node --import tsx build/bench/images.ts [runs] [path of main.js]
 */
import sharp from 'sharp'
import { median, startServer } from './child.ts'

const runs = Number(process.argv[2] ?? 7)
const program = process.argv[3] ?? 'dist/main.js'

interface Case {
  name: string
  /** The body of run number `run`; never the same twice. */
  body(run: number): Record<string, unknown> | Promise<Record<string, unknown>>
  /** Fetch the files behind the links too. */
  download?: boolean
  /** Milliseconds it should take at most. */
  aim?: number
}

const text = { model: 'model_image', size: '2048x2048', response_format: 'b64_json' }

const cases: readonly Case[] = [
  { name: '2K jpeg', aim: 300, body: run => ({ ...text, prompt: `a lighthouse ${run}` }) },
  {
    name: '2K png',
    aim: 300,
    body: run => ({ ...text, prompt: `a lighthouse ${run}`, output_format: 'png' }),
  },
  {
    name: '2K jpeg by link',
    aim: 300,
    download: true,
    body: run => ({ ...text, prompt: `a link ${run}`, response_format: 'url' }),
  },
  {
    name: 'edit of a 2K png',
    aim: 300,
    body: async run => ({ ...text, prompt: 'make it blue', image: await scene(run) }),
  },
  {
    name: 'fusion of ten',
    body: async run => ({
      ...text,
      prompt: 'all',
      image: await Promise.all(range(10).map(i => scene(run * 10 + i, 900))),
    }),
  },
  {
    name: '16 layers of a 2K png',
    aim: 1500,
    body: async run => ({
      ...text,
      size: '2K',
      layer_decomposition: true,
      output_format: 'png',
      image: await scene(run),
    }),
  },
]

const server = await startServer('emulator', [program, '--port', '0', '--clock', 'manual', '--log', 'json'])
try {
  await send({ ...text, prompt: 'loads fonts and libraries' })
  for (const item of cases) await measure(item)
  await tenLarge()
} finally {
  await server.stop()
}

async function measure({ name, body, download, aim }: Case): Promise<void> {
  const times: number[] = []
  const before = server.cpuSeconds()
  for (const run of range(runs)) {
    const request = await body(run)
    const start = performance.now()
    const { data } = await send(request)
    if (download) for (const { url } of data) await (await fetch(url)).arrayBuffer()
    times.push(performance.now() - start)
  }
  const processor = ((server.cpuSeconds() - before) * 1000) / runs
  const most = aim ? ` (aim ${aim})` : ''
  console.log(
    `${name.padEnd(22)} ${median(times).toFixed(0).padStart(5)} ms${most}, processor ${processor.toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)}`,
  )
}

/** Ten requests with 30 MB of picture each, sent together. */
async function tenLarge(): Promise<void> {
  const large = await Promise.all(range(10).map(i => largePicture(i)))
  let peak = server.memoryMb()
  const watch = setInterval(() => {
    peak = Math.max(peak, server.memoryMb())
  }, 20)
  const start = performance.now()
  await Promise.all(
    large.map(image =>
      send({ ...text, response_format: 'url', prompt: 'edit', image, layer_decomposition: true, size: '2K' }),
    ),
  )
  clearInterval(watch)
  console.log(
    `ten of ${(large[0]?.length ?? 0) / 1e6} MB at once: ${((performance.now() - start) / 1000).toFixed(1)} s, at most ${peak.toFixed(0)} MB of memory`,
  )
}

async function send(body: Record<string, unknown>): Promise<{ data: { url: string }[] }> {
  const reply = await fetch(`${server.url}/api/v3/images/generations`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${reply.status} ${(await reply.text()).slice(0, 300)}`)
  const answer: unknown = await reply.json()
  return answer as { data: { url: string }[] }
}

/** A picture of twenty objects on a background, inline. */
async function scene(seed: number, side = 2048): Promise<string> {
  const things = range(20).map(i => {
    const [x, y] = [((i % 5) + 0.5) * 200, (Math.floor(i / 5) + 0.5) * 250]
    const colour = `hsl(${(i * 47 + seed * 13) % 360},70%,45%)`
    return i % 2
      ? `<circle cx="${x}" cy="${y}" r="70" fill="${colour}"/>`
      : `<rect x="${x - 65}" y="${y - 65}" width="130" height="130" rx="20" fill="${colour}"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 1000 1000"><rect width="1000" height="1000" fill="#dde6ee"/>${things.join('')}</svg>`
  const bytes = await sharp(Buffer.from(svg)).png({ compressionLevel: 3 }).toBuffer()
  return `data:image/png;base64,${bytes.toString('base64')}`
}

/** 36 million pixels in a JPEG just below 30 MB. */
async function largePicture(seed: number): Promise<string> {
  const noise = { type: 'gaussian', mean: 128, sigma: 22 + seed / 10 } as const
  const bytes = await sharp({ create: { width: 6000, height: 6000, channels: 3, background: '#000', noise } })
    .jpeg({ quality: 80 })
    .toBuffer()
  const filler = Buffer.alloc(Math.max(0, 30 * 1024 * 1024 - bytes.length))
  return `data:image/jpeg;base64,${Buffer.concat([bytes, filler]).toString('base64')}`
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i)
}

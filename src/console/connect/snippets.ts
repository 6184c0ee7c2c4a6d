/** Where a client finds this world. */
export interface ClientTarget {
  /** Without a slash at the end. */
  url: string
  key: string
}

/** A client, and the text that points it at a world. */
export interface Snippet {
  name: string
  title: string
  /** What to install or mind, in a sentence. */
  hint: string
  text: (place: ClientTarget) => string
}

const prompt = 'a lighthouse at dawn'
const video = '/api/v3/contents/generations/tasks'

/** The clients that the page offers. */
export const snippets: readonly Snippet[] = [
  {
    name: 'curl',
    title: 'curl',
    hint: 'Paste it into a terminal.',
    text: ({ url, key }) => `curl ${url}${video} \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"model":"model_a_25","content":[{"type":"text","text":"${prompt}"}],"ratio":"16:9"}'`,
  },
  {
    name: 'node',
    title: 'Node',
    hint: 'Node 18 or newer, no package. Save it as client.mjs.',
    text: ({ url, key }) => `const base = '${url}'
const headers = { Authorization: 'Bearer ${key}', 'Content-Type': 'application/json' }

const created = await fetch(\`\${base}${video}\`, {
  method: 'POST',
  headers,
  body: JSON.stringify({
    model: 'model_a_25',
    content: [{ type: 'text', text: '${prompt}' }],
    ratio: '16:9',
  }),
})
const { id } = await created.json()

let task = { status: 'queued' }
while (['queued', 'running'].includes(task.status)) {
  await new Promise(resolve => setTimeout(resolve, 2000))
  task = await (await fetch(\`\${base}${video}/\${id}\`, { headers })).json()
}
console.log(task.status, task.content?.video_url)`,
  },
  {
    name: 'python',
    title: 'Python',
    hint: 'Python 3.9 or newer, no package.',
    text: ({ url, key }) => `import json
import time
import urllib.request

BASE = "${url}"
HEADERS = {"Authorization": "Bearer ${key}", "Content-Type": "application/json"}


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(BASE + path, data, HEADERS)) as reply:
        return json.load(reply)


content = [{"type": "text", "text": "${prompt}"}]
task = call("${video}", {"model": "model_a_25", "content": content, "ratio": "16:9"})
status = "queued"
while status in ("queued", "running"):
    time.sleep(2)
    result = call("${video}/" + task["id"])
    status = result["status"]
print(status, result.get("content", {}).get("video_url"))`,
  },
  {
    name: 'ai-sdk',
    title: 'AI SDK',
    hint: 'npm install ai @ai-sdk/bytedance. The SDK refuses to download from loopback addresses, so it gets a download of its own. Set the clock to auto, or let it run.',
    text: ({ url, key }) => `import { createByteDance } from '@ai-sdk/bytedance'
import { experimental_generateVideo as generateVideo } from 'ai'

const provider = createByteDance({ baseURL: '${url}/api/v3', apiKey: '${key}' })

const { video } = await generateVideo({
  model: provider.video('dreamina-seedance-2-0-260128'),
  prompt: '${prompt}',
  aspectRatio: '16:9',
  duration: 4,
  providerOptions: { bytedance: { pollIntervalMs: 1000 } },
  download: async ({ url }) => {
    const reply = await fetch(url)
    return {
      data: new Uint8Array(await reply.arrayBuffer()),
      mediaType: reply.headers.get('content-type') ?? undefined,
    }
  },
})
console.log(video.mediaType, video.uint8Array.length, 'bytes')`,
  },
  {
    name: 'ark',
    title: 'Ark',
    hint: 'pip install "volcengine-python-sdk[ark]".',
    text: ({ url, key }) => `from volcenginesdkarkruntime import Ark

client = Ark(base_url="${url}/api/v3", api_key="${key}")

task = client.content_generation.tasks.create(
    model="doubao-seedance-2-5-260628",
    content=[{"type": "text", "text": "${prompt}"}],
)
print(client.content_generation.tasks.get(task_id=task.id).status)`,
  },
  {
    name: 'dashscope',
    title: 'DashScope',
    hint: 'pip install dashscope.',
    text: ({ url, key }) => `import dashscope
from dashscope import VideoSynthesis

dashscope.base_http_api_url = "${url}/api/v1"
dashscope.api_key = "${key}"

reply = VideoSynthesis.call(model="wan3.0-video", prompt="${prompt}")
print(reply.output.task_status, reply.output.video_url)`,
  },
  {
    name: 'openai',
    title: 'OpenAI',
    hint: 'npm install openai. For images.',
    text: ({ url, key }) => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${url}/api/v3', apiKey: '${key}' })

const { data } = await client.images.generate({
  model: 'model_image',
  prompt: 'a red bicycle',
  size: '1K',
  response_format: 'url',
})
console.log(data[0].url)`,
  },
  {
    name: 'environment',
    title: 'Environment',
    hint: 'For programs that read base address and key from their environment.',
    text: ({ url, key }) => `export GATEWAY_URL=${url}
export GATEWAY_API_KEY=${key}
# Ark and the AI SDK
export ARK_BASE_URL=${url}/api/v3
export ARK_API_KEY=${key}
# DashScope
export DASHSCOPE_HTTP_BASE_URL=${url}/api/v1
export DASHSCOPE_API_KEY=${key}
# OpenAI
export OPENAI_BASE_URL=${url}/api/v3
export OPENAI_API_KEY=${key}`,
  },
]

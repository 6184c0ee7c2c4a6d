import { journeyWorld, type Traveller } from '../journey.ts'

const a = '/api/v3/contents/generations/tasks'
const text =
  (more: object = {}) =>
  (to: Traveller, tags = to.tags(4, 8)) => ({
    model: 'model_a_25',
    content: [{ type: 'text', text: `a pier ${tags}` }],
    resolution: '480p',
    ratio: '16:9',
    duration: 4,
    ...more,
  })
const plain = text()
const c = (to: Traveller, more: object = {}) => ({
  model: 'model_c',
  content: [{ type: 'text', text: `a pier ${to.tags(3, 5)}` }],
  resolution: '768P',
  duration: 5,
  ratio: '16:9',
  ...more,
})
const still = ['queued', 'running', 'PENDING', 'RUNNING', 'submitted', 'processing']

/** Short jobs. */
export const jobs = {
  async a(to: Traveller) {
    const { body } = await to.ask('POST', a, plain(to))
    await to.until(`${a}/${body.id}`, still)
    await to.ask('GET', `${a}?page_size=50`)
  },
  async aFile(to: Traveller) {
    const other = await to.ask('POST', a, text({ resolution: '720p' })(to))
    await to.until(`${a}/${other.body.id}`, still)
    const { body } = await to.ask('POST', a, { ...plain(to), return_last_frame: true })
    const { content } = await to.until(`${a}/${body.id}`, still)
    await to.download(content.video_url)
  },
  async aFailure(to: Traveller) {
    const { body } = await to.ask('POST', a, plain(to, `${to.tags(3, 5)} [[fail:InternalServiceError]]`))
    await to.until(`${a}/${body.id}`, still)
  },
  async aDelete(to: Traveller) {
    const { body } = await to.ask('POST', a, plain(to, to.tags(1, 60_000)))
    await to.until(`${a}/${body.id}`, ['queued'])
    await to.ask('DELETE', `${a}/${body.id}`)
    const waiting = await to.ask('POST', a, plain(to, to.tags(60_000, 1)))
    await to.ask('DELETE', `${a}/${waiting.body.id}`)
    await to.ask('GET', `${a}/${waiting.body.id}`)
  },
  async aRefused(to: Traveller) {
    await to.ask('POST', a, text({ duration: 31 })(to))
    await to.ask('GET', `${a}/cgt-20200101000000-zzzzz`)
    await to.ask('POST', a, plain(to), null)
  },
  async aLimited(to: Traveller) {
    for (let made = 0; made < 7; made++)
      await to.ask('POST', a, plain(to), `sk-test-${journeyWorld}.throttled`)
  },
  async b(to: Traveller) {
    const request = {
      model: 'model_b',
      input: { prompt: `a pier ${to.tags(3, 5)}` },
      parameters: { resolution: '480P', ratio: '16:9', duration: 2 },
    }
    const { body } = await to.ask('POST', '/api/v1/services/aigc/video-generation/video-synthesis', request)
    await to.until(`/api/v1/tasks/${body.output.task_id}`, still)
    await to.ask('GET', '/api/v1/tasks/0f0f0f0f-0000-4000-8000-000000000000')
  },
  async bRefused(to: Traveller) {
    await to.ask('POST', '/api/v1/services/aigc/video-generation/video-synthesis', {
      model: 'model_b',
      input: { prompt: 'x' },
      parameters: { resolution: '9P' },
    })
  },
  async c(to: Traveller) {
    const { body } = await to.ask('POST', '/v2/video_generation', c(to))
    await to.until(`/v2/query/video_generation/${body.task_id}`, still)
    await to.ask('GET', '/v2/query/video_generation')
    await to.ask('DELETE', `/v2/video_generation/${body.task_id}`)
    await to.ask('GET', `/v2/query/video_generation/${body.task_id}`)
  },
  async cPages(to: Traveller) {
    for (let made = 0; made < 12; made++) await to.ask('POST', '/v2/video_generation', c(to))
    await to.ask('GET', '/v2/query/video_generation')
  },
  async cRefused(to: Traveller) {
    await to.ask('POST', '/v2/video_generation', c(to, { duration: 3 }))
  },
  async special(to: Traveller) {
    const { body } = await to.ask('POST', '/special/v2/video_generation', {
      ...c(to),
      content: [{ type: 'text', text: `a pier ${to.tags(1, 60_000)}` }],
    })
    await to.until(`/special/v2/query/video_generation/${body.task_id}`, ['queued'])
    await to.ask('DELETE', `/special/v2/video_generation/${body.task_id}`)
    await to.ask('GET', '/special/v2/query/video_generation/123456789012345')
  },
  async k(to: Traveller) {
    const request = {
      prompt: `walk ${to.tags(3, 5)}`,
      settings: { duration: 3 },
      contents: [{ type: 'first_frame', url: `${to.samples}/landscape.jpg` }],
    }
    const { body } = await to.ask('POST', '/image-to-video/model_k_30', request)
    await to.until(`/tasks?task_ids=${body.data.id}`, still)
    await to.ask('GET', '/videos/avatar/image2video/123456789012345678')
  },
  async image(to: Traveller) {
    await to.ask('POST', '/api/v3/images/generations', {
      model: 'model_image',
      prompt: 'a pier',
      size: '1024x1024',
    })
    await to.ask('POST', '/api/v3/images/generations', {
      model: 'model_image',
      prompt: 'a pier',
      stream: true,
    })
  },
  async aLists(to: Traveller) {
    const made = await to.ask('POST', a, plain(to))
    await to.until(`${a}/${made.body.id}`, still)
    await to.ask('POST', a, plain(to, to.tags(60_000, 1)))
    const long = await to.ask('POST', a, plain(to, to.tags(1, 60_000)))
    await to.until(`${a}/${long.body.id}`, ['queued'])
    await to.ask('GET', `${a}?filter.status=succeeded`)
    await to.ask('GET', `${a}?page_size=2&page_num=1`)
    await to.ask('GET', `${a}?page_size=2&page_num=2`)
  },
  async aEnded(to: Traveller) {
    const { body } = await to.ask('POST', a, plain(to))
    await to.until(`${a}/${body.id}`, still)
    for (let poll = 0; poll < 3; poll++) await to.ask('GET', `${a}/${body.id}`)
  },
  async aExpires(to: Traveller) {
    const { body } = await to.ask('POST', a, text({ execution_expires_after: 3600 })(to, '[[never]]'))
    await to.ask('GET', `${a}/${body.id}`)
    await to.advance('61m')
    await to.ask('GET', `${a}/${body.id}`)
  },
  async aDraws(to: Traveller) {
    const { body } = await to.ask('POST', a, text({ ratio: null, duration: -1 })(to))
    await to.until(`${a}/${body.id}`, still)
  },
  async aLink(to: Traveller) {
    const { body } = await to.ask('POST', a, { ...plain(to), return_last_frame: true })
    const { content } = await to.until(`${a}/${body.id}`, still)
    await to.download(content.video_url, { Range: 'bytes=0-99' })
    await to.download(content.last_frame_url)
    await to.download(content.video_url, { Authorization: 'Bearer sk-live-not-a-key-1234' })
    await to.advance('3h')
    await to.download(content.video_url)
  },
  async aModerated(to: Traveller) {
    await to.ask('POST', a, plain(to, '[[refuse:moderated]]'))
    await to.ask('POST', a, plain(to, '[[refuse:rate_limited]]'))
    await to.ask('POST', a, plain(to, '[[refuse:unavailable]]'))
  },
  async others(to: Traveller) {
    const { body } = await to.ask('POST', a, plain(to))
    await to.ask('GET', `${a}/${body.id}`, undefined, `sk-test-${journeyWorld}.second`)
    await to.ask('POST', a, text({ callback_url: 'https://example.com' })(to))
    await to.ask('POST', a, text({ resolution: '4k' })(to))
  },
  async bEnds(to: Traveller) {
    const create = '/api/v1/services/aigc/video-generation/video-synthesis'
    const make = (tags: string) =>
      to.ask('POST', create, { model: 'model_b', input: { prompt: `a pier ${tags}` } })
    const failing = await make(`${to.tags(3, 5)} [[fail:InternalError]]`)
    await to.until(`/api/v1/tasks/${failing.body.output.task_id}`, still)
    const waiting = await make(to.tags(60_000, 5))
    await to.ask('POST', `/api/v1/tasks/${waiting.body.output.task_id}/cancel`)
    await to.ask('GET', `/api/v1/tasks/${waiting.body.output.task_id}`)
  },
  async bLimited(to: Traveller) {
    const body = { model: 'model_b', input: { prompt: 'a pier' } }
    for (let made = 0; made < 7; made++)
      await to.ask(
        'POST',
        '/api/v1/services/aigc/video-generation/video-synthesis',
        body,
        `sk-test-${journeyWorld}.throttled`,
      )
  },
  async cLists(to: Traveller) {
    const made = await to.ask('POST', '/v2/video_generation', c(to))
    await to.until(`/v2/query/video_generation/${made.body.task_id}`, still)
    const long = { ...c(to), content: [{ type: 'text', text: `a pier ${to.tags(1, 60_000)}` }] }
    const running = await to.ask('POST', '/v2/video_generation', long)
    await to.until(`/v2/query/video_generation/${running.body.task_id}`, ['queued'])
    await to.ask('DELETE', `/v2/video_generation/${running.body.task_id}`)
    await to.ask('GET', '/v2/query/video_generation?filter.task_type=h3_context_ir')
    await to.ask('GET', '/v2/query/video_generation?filter.status=succeeded')
  },
  async cOthers(to: Traveller) {
    const text = { ...c(to), resolution: undefined }
    const { body } = await to.ask('POST', '/v2/h3_context_ir', text)
    await to.until(`/v2/query/video_generation/${body.task_id}`, still)
    const failing = { ...c(to), content: [{ type: 'text', text: `a pier ${to.tags(3, 5)} [[fail:1027]]` }] }
    const failed = await to.ask('POST', '/v2/video_generation', failing)
    await to.until(`/v2/query/video_generation/${failed.body.task_id}`, still)
    await to.ask('GET', `/special/v2/query/video_generation/${body.task_id}`)
  },
  async kBatch(to: Traveller) {
    const request = {
      prompt: `walk ${to.tags(3, 5)}`,
      settings: { duration: 3 },
      contents: [{ type: 'first_frame', url: `${to.samples}/landscape.jpg` }],
    }
    const first = await to.ask('POST', '/image-to-video/model_k_30', request)
    const second = await to.ask('POST', '/image-to-video/model_k_30', request)
    await to.ask('GET', `/tasks?task_ids=${first.body.data.id},${second.body.data.id}`)
  },
  async kOthers(to: Traveller) {
    const request = {
      prompt: `walk ${to.tags(3, 5)} [[fail:5000]]`,
      settings: { duration: 3 },
      contents: [{ type: 'first_frame', url: `${to.samples}/landscape.jpg` }],
      external_task_id: 'mine-1',
    }
    const { body } = await to.ask('POST', '/image-to-video/model_k_30', request)
    await to.until(`/tasks?task_ids=${body.data.id}`, still)
    await to.ask('POST', '/image-to-video/model_k_30', request)
    await to.ask('GET', '/general/advanced-presets-elements?pageSize=3')
  },
  async pictures(to: Traveller) {
    const image = '/api/v3/images/generations'
    const request = { model: 'model_image', prompt: 'a pier', size: '1024x1024' }
    const made = await to.ask('POST', image, { ...request, output_format: 'png' })
    await to.download(made.body.data[0].url)
    await to.ask('POST', image, { ...request, response_format: 'b64_json' })
    await to.ask('POST', image, request, 'sk-live-not-a-key-1234')
  },
  async layers(to: Traveller) {
    const image = `${to.samples}/transparent.png`
    await to.ask('POST', '/api/v3/images/generations', {
      model: 'model_image',
      image,
      layer_decomposition: true,
    })
  },
  async noPrefix(to: Traveller) {
    const { body } = await to.ask('POST', a, plain(to))
    await to.ask('GET', `/v3/contents/generations/tasks/${body.id}`)
    await to.ask('POST', '/video_generation', c(to))
  },
  async aModels(to: Traveller) {
    await to.ask('POST', a, plain(to))
    await to.advance('2s')
    await to.ask('POST', a, text({ model: 'model_a_20' })(to))
    await to.ask('GET', `${a}?filter.model=model_a_20`)
    await to.ask('GET', `${a}?page_num=1&page_size=1`)
  },
  async bLists(to: Traveller) {
    for (const tags of [to.tags(3, 5), to.tags(60_000, 5)]) {
      const input = { prompt: `a pier ${tags}` }
      const { body } = await to.ask('POST', '/api/v1/services/aigc/video-generation/video-synthesis', {
        model: 'model_b',
        input,
      })
      if (tags === to.tags(3, 5)) await to.until(`/api/v1/tasks/${body.output.task_id}`, still)
    }
    await to.ask('GET', '/api/v1/tasks?status=SUCCEEDED')
  },
  async kBeyond(to: Traveller) {
    const voice = { voice_name: 'Nora', voice_url: `${to.samples}/voice-8s.mp3` }
    const { body } = await to.ask('POST', '/general/custom-voices', voice)
    await to.until(`/general/custom-voices/${body.data.task_id}`, still)
    await to.ask('POST', '/motion-control/model_k_30', {
      contents: [
        { type: 'image', url: `${to.samples}/portrait.jpg` },
        { type: 'video', url: `${to.samples}/clip-768p-107f.mp4` },
      ],
      settings: { character_orientation: 'video' },
    })
    await to.ask('GET', '/general/advanced-presets-elements?pageSize=3')
  },
  async manyLayers(to: Traveller) {
    await to.ask('POST', '/api/v3/images/generations', {
      model: 'model_image',
      image: `${to.samples}/layered.png`,
      layer_decomposition: true,
    })
  },
} satisfies Record<string, (to: Traveller) => Promise<void>>

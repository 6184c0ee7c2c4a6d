import { journeyWorld, newTask, paths, still, type Traveller, video, videoC } from '../journey.ts'

const { a, b, bTasks, c, cTasks, images } = paths
const text =
  (more: object = {}) =>
  (to: Traveller, tags = to.tags(4, 8)) =>
    video(`a pier ${tags}`, more)
const plain = text()
const bodyOfB = (prompt: string, more: object = {}) => ({ model: 'model_b', input: { prompt }, ...more })
const bodyOfC = (to: Traveller, more: object = {}, tags = to.tags(3, 5)) => ({
  ...videoC(`a pier ${tags}`),
  ...more,
})
const bodyOfK = (to: Traveller, tags = to.tags(3, 5), more: object = {}) => ({
  prompt: `walk ${tags}`,
  settings: { duration: 3 },
  contents: [{ type: 'first_frame', url: `${to.samples}/landscape.jpg` }],
  ...more,
})
const picture = { model: 'model_image', prompt: 'a pier' }
const layersOf = (to: Traveller, sample: string) =>
  to.ask('POST', images, {
    model: 'model_image',
    image: `${to.samples}/${sample}`,
    layer_decomposition: true,
  })

/** Short jobs. */
export const jobs = {
  async a(to: Traveller) {
    await to.until(await newTask.a(to, plain(to)), still)
    await to.ask('GET', `${a}?page_size=50`)
  },
  async aFile(to: Traveller) {
    await to.until(await newTask.a(to, text({ resolution: '720p' })(to)), still)
    const path = await newTask.a(to, { ...plain(to), return_last_frame: true })
    const { content } = await to.until(path, still)
    await to.download(content.video_url)
  },
  async aFailure(to: Traveller) {
    const failing = plain(to, `${to.tags(3, 5)} [[fail:InternalServiceError]]`)
    await to.until(await newTask.a(to, failing), still)
  },
  async aDelete(to: Traveller) {
    const running = await newTask.a(to, plain(to, to.tags(1, 60_000)))
    await to.until(running, ['queued'])
    await to.ask('DELETE', running)
    const waiting = await newTask.a(to, plain(to, to.tags(60_000, 1)))
    await to.ask('DELETE', waiting)
    await to.ask('GET', waiting)
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
    const parameters = { resolution: '480P', ratio: '16:9', duration: 2 }
    await to.until(await newTask.b(to, bodyOfB(`a pier ${to.tags(3, 5)}`, { parameters })), still)
    await to.ask('GET', `${bTasks}/0f0f0f0f-0000-4000-8000-000000000000`)
  },
  async bRefused(to: Traveller) {
    await to.ask('POST', b, bodyOfB('x', { parameters: { resolution: '9P' } }))
  },
  async c(to: Traveller) {
    const { query, own } = await newTask.c(to, bodyOfC(to))
    await to.until(query, still)
    await to.ask('GET', cTasks)
    await to.ask('DELETE', own)
    await to.ask('GET', query)
  },
  async cPages(to: Traveller) {
    for (let made = 0; made < 12; made++) await to.ask('POST', c, bodyOfC(to))
    await to.ask('GET', cTasks)
  },
  async cRefused(to: Traveller) {
    await to.ask('POST', c, bodyOfC(to, { duration: 3 }))
  },
  async special(to: Traveller) {
    const { query, own } = await newTask.c(to, bodyOfC(to, {}, to.tags(1, 60_000)), '/special')
    await to.until(query, ['queued'])
    await to.ask('DELETE', own)
    await to.ask('GET', `/special${cTasks}/123456789012345`)
  },
  async k(to: Traveller) {
    await to.until(await newTask.k(to, bodyOfK(to)), still)
    await to.ask('GET', '/videos/avatar/image2video/123456789012345678')
  },
  async image(to: Traveller) {
    await to.ask('POST', images, { ...picture, size: '1024x1024' })
    await to.ask('POST', images, { ...picture, stream: true })
  },
  async aLists(to: Traveller) {
    await to.until(await newTask.a(to, plain(to)), still)
    await to.ask('POST', a, plain(to, to.tags(60_000, 1)))
    await to.until(await newTask.a(to, plain(to, to.tags(1, 60_000))), ['queued'])
    await to.ask('GET', `${a}?filter.status=succeeded`)
    await to.ask('GET', `${a}?page_size=2&page_num=1`)
    await to.ask('GET', `${a}?page_size=2&page_num=2`)
  },
  async aEnded(to: Traveller) {
    const path = await newTask.a(to, plain(to))
    await to.until(path, still)
    for (let poll = 0; poll < 3; poll++) await to.ask('GET', path)
  },
  async aExpires(to: Traveller) {
    const path = await newTask.a(to, text({ execution_expires_after: 3600 })(to, '[[never]]'))
    await to.ask('GET', path)
    await to.advance('61m')
    await to.ask('GET', path)
  },
  async aDraws(to: Traveller) {
    await to.until(await newTask.a(to, text({ ratio: null, duration: -1 })(to)), still)
  },
  async aLink(to: Traveller) {
    const path = await newTask.a(to, { ...plain(to), return_last_frame: true })
    const { content } = await to.until(path, still)
    await to.download(content.video_url, { Range: 'bytes=0-99' })
    await to.download(content.last_frame_url)
    await to.download(content.video_url, { Authorization: 'Bearer sk-live-not-a-key-1234' })
    await to.advance('3h')
    await to.download(content.video_url)
  },
  async aModerated(to: Traveller) {
    for (const why of ['moderated', 'rate_limited', 'unavailable'])
      await to.ask('POST', a, plain(to, `[[refuse:${why}]]`))
  },
  async others(to: Traveller) {
    await to.ask('GET', await newTask.a(to, plain(to)), undefined, `sk-test-${journeyWorld}.second`)
    await to.ask('POST', a, text({ callback_url: 'https://example.com' })(to))
    await to.ask('POST', a, text({ resolution: '4k' })(to))
  },
  async bEnds(to: Traveller) {
    const failing = bodyOfB(`a pier ${to.tags(3, 5)} [[fail:InternalError]]`)
    await to.until(await newTask.b(to, failing), still)
    const waiting = await newTask.b(to, bodyOfB(`a pier ${to.tags(60_000, 5)}`))
    await to.ask('POST', `${waiting}/cancel`)
    await to.ask('GET', waiting)
  },
  async bLimited(to: Traveller) {
    for (let made = 0; made < 7; made++)
      await to.ask('POST', b, bodyOfB('a pier'), `sk-test-${journeyWorld}.throttled`)
  },
  async cLists(to: Traveller) {
    await to.until((await newTask.c(to, bodyOfC(to))).query, still)
    const running = await newTask.c(to, bodyOfC(to, {}, to.tags(1, 60_000)))
    await to.until(running.query, ['queued'])
    await to.ask('DELETE', running.own)
    await to.ask('GET', `${cTasks}?filter.task_type=h3_context_ir`)
    await to.ask('GET', `${cTasks}?filter.status=succeeded`)
  },
  async cOthers(to: Traveller) {
    const enhanced = bodyOfC(to, { resolution: undefined })
    const { query } = await newTask.c(to, enhanced, '', 'h3_context_ir')
    await to.until(query, still)
    const failing = bodyOfC(to, {}, `${to.tags(3, 5)} [[fail:1027]]`)
    await to.until((await newTask.c(to, failing)).query, still)
    await to.ask('GET', `/special${query}`)
  },
  async kBatch(to: Traveller) {
    const [first, second] = [await newTask.k(to, bodyOfK(to)), await newTask.k(to, bodyOfK(to))]
    await to.ask('GET', `${first},${second.split('=')[1]}`)
  },
  async kOthers(to: Traveller) {
    const request = bodyOfK(to, `${to.tags(3, 5)} [[fail:5000]]`, { external_task_id: 'mine-1' })
    await to.until(await newTask.k(to, request), still)
    await to.ask('POST', paths.k, request)
    await to.ask('GET', '/general/advanced-presets-elements?pageSize=3')
  },
  async pictures(to: Traveller) {
    const request = { ...picture, size: '1024x1024' }
    const made = await to.ask('POST', images, { ...request, output_format: 'png' })
    await to.download(made.body.data[0].url)
    await to.ask('POST', images, { ...request, response_format: 'b64_json' })
    await to.ask('POST', images, request, 'sk-live-not-a-key-1234')
  },
  async layers(to: Traveller) {
    await layersOf(to, 'transparent.png')
  },
  async noPrefix(to: Traveller) {
    const path = await newTask.a(to, plain(to))
    await to.ask('GET', path.replace('/api', ''))
    await to.ask('POST', '/video_generation', bodyOfC(to))
  },
  async aModels(to: Traveller) {
    await to.ask('POST', a, plain(to))
    await to.advance('2s')
    await to.ask('POST', a, text({ model: 'model_a_20' })(to))
    await to.ask('GET', `${a}?filter.model=model_a_20`)
    await to.ask('GET', `${a}?page_num=1&page_size=1`)
  },
  async bLists(to: Traveller) {
    await to.until(await newTask.b(to, bodyOfB(`a pier ${to.tags(3, 5)}`)), still)
    await to.ask('POST', b, bodyOfB(`a pier ${to.tags(60_000, 5)}`))
    await to.ask('GET', `${bTasks}?status=SUCCEEDED`)
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
    await layersOf(to, 'layered.png')
  },
} satisfies Record<string, (to: Traveller) => Promise<void>>

import { createByteDance } from '@ai-sdk/bytedance'
import { experimental_generateVideo as generateVideo } from 'ai'

const [url, apiKey] = ['https://gateway.example', 'a key']
const model = createByteDance({ baseURL: `${url}/api/v3`, apiKey }).video('dreamina-seedance-2-0-260128')
await generateVideo({ model, prompt: 'a lighthouse', aspectRatio: '16:9', duration: 4 })

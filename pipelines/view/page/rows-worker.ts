import {openParquet} from './parquet-part.ts'
import {startReader} from './rows-reader.ts'

// Reads rows away from the page, which stays quick meanwhile.

const ask = startReader(openParquet, (told) => postMessage({told}))

addEventListener('message', async ({data: {id, name, given}}: MessageEvent) => {
  try {
    postMessage({id, answer: await ask(name, given)})
  } catch (error) {
    postMessage({id, error: String(error instanceof Error ? error.message : error)})
  }
})

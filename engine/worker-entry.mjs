// A worker knows no TypeScript, and the module that it is to run is written in it.
import {parentPort, workerData} from 'node:worker_threads'
import {register} from 'tsx/esm/api'

register()
const {default: work} = await import(workerData)
parentPort.on('message', async (input) => {
  try {
    parentPort.postMessage({ok: true, value: await work(input)})
  } catch (error) {
    parentPort.postMessage({ok: false, why: 'threw', detail: error instanceof Error ? error.message : String(error)})
  }
})
parentPort.postMessage('ready')

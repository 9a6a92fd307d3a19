import {parentPort, workerData} from 'node:worker_threads'

// From sources, a worker knows no TypeScript, whoever taught it to the thread that started this one.
if (/\.ts($|\?)/.test(workerData)) (await import('tsx/esm/api')).register()
const {default: work} = await import(workerData)
parentPort.on('message', async (input) => {
  try {
    parentPort.postMessage({ok: true, value: await work(input)})
  } catch (error) {
    parentPort.postMessage({ok: false, why: 'threw', detail: error instanceof Error ? error.message : String(error)})
  }
})
parentPort.postMessage('ready')

// A program of its own, so that its peak is its own: cells as JSON lines → Parquet, the pipeline's writer alone.
// node --import tsx test/bench/parquet-again.ts <lines> <file>
import {createReadStream} from 'node:fs'
import {createInterface} from 'node:readline'
import {setFlagsFromString} from 'node:v8'
import {columns} from '../../datasets/parquet/columns.ts'
import {createParquetFile} from '../../datasets/parquet/parquet-file.ts'

const [lines = '', target = ''] = process.argv.slice(2)
// As `runPipeline` has it.
setFlagsFromString('--heap-growing-percent=25')
const started = performance.now()
const file = await createParquetFile(target, columns.sft, {
  codec: 'zstd',
  rowGroupBytes: 32_000_000,
  rowGroupRows: 50_000,
})
for await (const line of createInterface({input: createReadStream(lines, 'utf8'), crlfDelay: Infinity})) {
  const cells = JSON.parse(line) as {id: string}
  await file.write(cells, cells.id)
}
await file.finish()
await file.publish(target)
const {userCPUTime, systemCPUTime, maxRSS} = process.resourceUsage()
const seconds = (performance.now() - started) / 1000
console.log(JSON.stringify({seconds, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakRssMb: maxRSS / 1024}))

import {spawnSync} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'

/**
 * `npm run bench [name]`: figures, never part of the tests. Each measurement runs in a process of its own, so that
 * peaks are its own.
 */
const benches: Record<string, () => Promise<void> | void> = {
  async analysis() {
    const checkouts = process.argv.slice(3)
    if (checkouts.length === 0) throw new Error('Usage: npm run bench -- analysis <checkout of operators> ...')
    const {benchAnalysis} = await import('./analysis.ts')
    await benchAnalysis(checkouts)
  },
  async 'ascendcraft-agreement'() {
    const {benchAgreement} = await import('./ascendcraft-agreement.ts')
    await benchAgreement(process.argv.slice(3))
  },
  async 'ascendcraft-try'() {
    const {tryFromWords} = await import('./ascendcraft-try.ts')
    await tryFromWords(process.argv.slice(3))
  },
  async array() {
    const [folder, each] = process.argv.slice(3)
    if (folder === undefined) throw new Error('Usage: npm run bench -- array <folder> [<candidates of each task>]')
    const {benchArray} = await import('./array.ts')
    await benchArray(folder, Number(each ?? 12))
  },
  async clusters() {
    const {benchClusters} = await import('./clusters.ts')
    await benchClusters(process.argv[3] === undefined ? undefined : Number(process.argv[3]))
  },
  async conformance() {
    const {benchConformance} = await import('./conformance.ts')
    await benchConformance(process.argv.slice(3))
  },
  async contamination() {
    const {values} = parseArgs({
      args: process.argv.slice(3),
      options: {
        benchmark: {type: 'string', multiple: true, default: []},
        others: {type: 'string', multiple: true, default: []},
        runs: {type: 'string'},
        count: {type: 'string'},
      },
    })
    const {benchmark: benchmarks, others, runs} = values
    if (benchmarks.length === 0)
      throw new Error(
        'Usage: npm run bench -- contamination --benchmark <checkout> ... [--others <other operators> ...] ' +
          '[--runs <folder of finished runs>] [--count <tasks of each kind>]',
      )
    const {benchContamination} = await import('./contamination.ts')
    const count = values.count === undefined ? {} : {count: Number(values.count)}
    await benchContamination({benchmarks, others, runs, ...count})
  },
  async cost() {
    const {benchCost} = await import('./cost.ts')
    await benchCost(process.argv[3] === undefined ? undefined : Number(process.argv[3]))
  },
  async 'cost-once'() {
    const {benchCostOnce} = await import('./cost.ts')
    await benchCostOnce(String(process.argv[3]), Number(process.argv[4]))
  },
  async coverage() {
    const checkouts = process.argv.slice(3)
    if (checkouts.length === 0) throw new Error('Usage: npm run bench -- coverage <checkout of operators> ...')
    const {benchCoverage} = await import('./coverage.ts')
    await benchCoverage(checkouts)
  },
  async dedup() {
    const {values} = parseArgs({
      args: process.argv.slice(3),
      options: {
        documents: {type: 'string', default: '20000'},
        words: {type: 'string', default: '300'},
        ranges: {type: 'string'},
        python: {type: 'string'},
        runs: {type: 'string'},
      },
    })
    const size = {documents: Number(values.documents), words: Number(values.words)}
    if (values.ranges === undefined) return (await import('./dedup.ts')).benchDedup({...values, ...size})
    const {benchRanges} = await import('./dedup-ranges.ts')
    await benchRanges({...size, ranges: Number(values.ranges)})
  },
  async 'dedup-once'() {
    const {benchDedupOnce} = await import('./dedup.ts')
    await benchDedupOnce(Number(process.argv[3]))
  },
  async 'dedup-ranges-once'() {
    const {benchRangesOnce} = await import('./dedup-ranges.ts')
    await benchRangesOnce(process.argv.slice(3))
  },
  async dirty() {
    const {benchDirty} = await import('./dirty.ts')
    benchDirty(process.argv.slice(3))
  },
  async 'direct-launch'() {
    const {benchDirectLaunch} = await import('./direct-launch.ts')
    await benchDirectLaunch(process.argv.slice(3))
  },
  async export() {
    const {benchExport} = await import('./export.ts')
    await benchExport(process.argv.slice(3))
  },
  async serve() {
    const {benchServe} = await import('./serve.ts')
    await benchServe(process.argv[3] ?? '.ascend-cot', Number(process.argv[4] ?? 60))
  },
  async engine() {
    for (const records of [20_000, 200_000]) again('engine-once', String(records))
  },
  async crash() {
    const [{crash}, {randomFrom}] = await Promise.all([import('../helpers/crash.ts'), import('../../engine/random.ts')])
    console.log(
      JSON.stringify(
        await crash({records: 10_000, inFlight: 64, kills: 5, latency: '50-150', random: randomFrom('bench crash')}),
        null,
        2,
      ),
    )
  },
  async formulas() {
    const {values, positionals} = parseArgs({
      args: process.argv.slice(3),
      options: {only: {type: 'string'}},
      allowPositionals: true,
    })
    if (positionals.length === 0)
      throw new Error('Usage: npm run bench -- formulas <checkout of operators> ... [--only <part of a folder>]')
    const {benchFormulas} = await import('./formulas.ts')
    await benchFormulas(positionals, values.only)
  },
  async judging() {
    const {values, positionals} = parseArgs({
      args: process.argv.slice(3),
      options: {with: {type: 'string'}},
      allowPositionals: true,
    })
    const [directory] = positionals
    if (directory === undefined)
      throw new Error('Usage: npm run bench -- judging <run directory> [--with <run directory>]')
    const {benchJudging} = await import('./judging.ts')
    await benchJudging(directory, values.with)
  },
  async legality() {
    const {benchLegality} = await import('./legality.ts')
    await benchLegality(process.argv.slice(3))
  },
  async limits() {
    const {benchLimits} = await import('./limits.ts')
    await benchLimits()
  },
  async mutants() {
    const {benchMutants} = await import('./mutants.ts')
    await benchMutants(process.argv.slice(3))
  },
  async neighbours() {
    const {benchNeighbours} = await import('./neighbours.ts')
    await benchNeighbours(process.argv.slice(3))
  },
  async ocr() {
    const {benchOcr} = await import('./ocr.ts')
    await benchOcr()
  },
  async planted() {
    const {benchPlanted} = await import('./planted.ts')
    await benchPlanted(process.argv.slice(3))
  },
  async queue() {
    const [folder, candidates = '52'] = process.argv.slice(3)
    if (folder === undefined) throw new Error('Usage: npm run bench -- queue <folder> [<candidates of each task>]')
    const {benchQueue} = await import('./queue.ts')
    await benchQueue(folder, Number(candidates))
  },
  async 'queue-memory'() {
    const {benchQueueMemory} = await import('./queue.ts')
    await benchQueueMemory(Number(process.argv[3] ?? 200_000))
  },
  async 'queue-memory-once'() {
    const {benchQueueMemoryOnce} = await import('./queue.ts')
    await benchQueueMemoryOnce(String(process.argv[3]), Number(process.argv[4]))
  },
  async 'queue-worker-once'() {
    const {benchQueueWorkerOnce} = await import('./queue.ts')
    await benchQueueWorkerOnce(String(process.argv[3]))
  },
  async reached() {
    const directory = process.argv[3]
    if (directory === undefined) throw new Error('Usage: npm run bench -- reached <run directory>')
    const {benchReached} = await import('./reached.ts')
    await benchReached(directory)
  },
  async 'kernel-reply'() {
    const text = {type: 'string'} as const
    const {values} = parseArgs({
      args: process.argv.slice(3),
      options: {reply: text, task: text, python: text, call: text, expect: text},
    })
    const {reply, task, python, call, expect} = values
    if (reply === undefined || python === undefined || call === undefined || expect === undefined)
      throw new Error(
        'Usage: npm run bench -- kernel-reply --reply <file> --python <with torch> --call "[],[torch.rand(8, 8)]" ' +
          '--expect "torch.relu(i[0])" [--task <name>]',
      )
    const {benchKernelReply} = await import('./kernel-reply.ts')
    await benchKernelReply({reply, task, python, call, expect})
  },
  async readings() {
    const {values, positionals} = parseArgs({
      args: process.argv.slice(3),
      options: {
        docs: {type: 'string'},
        draw: {type: 'string', default: '100'},
        seed: {type: 'string', default: 'readings'},
      },
      allowPositionals: true,
    })
    const [directory] = positionals
    if (directory === undefined || values.docs === undefined)
      throw new Error(
        'Usage: npm run bench -- readings <run directory> --docs <folder of documentation> [--draw <rows>] [--seed <text>]',
      )
    const {benchReadings} = await import('./readings.ts')
    await benchReadings(directory, {docs: values.docs, draw: Number(values.draw), seed: values.seed})
  },
  async retrieval() {
    const root = process.argv[3]
    if (root === undefined) throw new Error('Usage: npm run bench -- retrieval <folder of documentation>')
    const {benchRetrieval} = await import('./retrieval.ts')
    await benchRetrieval(root)
  },
  async degenerate() {
    const {benchDegenerate} = await import('./degenerate.ts')
    await benchDegenerate(process.argv.slice(3))
  },
  async nothing() {
    const {benchNothing} = await import('./nothing.ts')
    await benchNothing(process.argv.slice(3))
  },
  async strictness() {
    const {benchStrictness} = await import('./strictness.ts')
    await benchStrictness(process.argv.slice(3))
  },
  async substitutes() {
    const {benchSubstitutes} = await import('./substitutes.ts')
    await benchSubstitutes(process.argv.slice(3))
  },
  async twin() {
    const {benchTwin} = await import('./twin.ts')
    await benchTwin(process.argv[3] === undefined ? undefined : Number(process.argv[3]))
  },
  async 'twin-once'() {
    const {benchTwinOnce} = await import('./twin.ts')
    await benchTwinOnce(Number(process.argv[3]))
  },
  async view() {
    const [folder, rows = '1000000'] = process.argv.slice(3)
    if (folder === undefined) throw new Error('Usage: npm run bench -- view <folder for the data set> [<rows>]')
    const {benchView} = await import('./view.ts')
    await benchView(folder, Number(rows))
  },
  async 'engine-once'() {
    const {benchEngine} = await import('./engine.ts')
    await benchEngine(Number(process.argv[3]))
  },
}

function again(...args: string[]): void {
  const result = spawnSync(process.execPath, ['--import', 'tsx', fileURLToPath(import.meta.url), ...args], {
    stdio: 'inherit',
  })
  if (result.status !== 0) process.exitCode = 1
}

const name = process.argv[2]
const bench = name === undefined ? undefined : benches[name]
if (bench) await bench()
else
  console.log(
    `Usage: npm run bench -- <${Object.keys(benches)
      .filter((one) => !one.includes('-once'))
      .join('|')}>`,
  )

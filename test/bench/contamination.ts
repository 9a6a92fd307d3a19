import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {contaminationIndex, type Place} from '../../datasets/contamination/contamination.ts'
import {contentOf, operatorKey} from '../../datasets/content.ts'
import {shareOf, sweepShares} from '../../datasets/contamination/decontamination-file.ts'
import {cppForm} from '../../datasets/contamination/normalize-statements.ts'
import {operatorIdentity} from '../../datasets/contamination/operator-identity.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import {walk} from '../../engine/files.ts'
import {openRun} from '../../engine/run.ts'
import {isCheckout} from '../../eval/bench/load-benchmark.ts'
import models from '../../eval/bench/multikernelbench/benchmark.ts'
import {readMultiKernelBench} from '../../eval/bench/multikernelbench/read-checkout.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {Config} from '../../pipelines/workspace/config.ts'
import {api, heldOutTexts, idiomTexts} from '../../pipelines/workspace/held-out.ts'
import * as disguise from './contamination/disguises.ts'

const names = new Set(api)

interface Options {
  /** Checkouts of benchmarks. */
  benchmarks: readonly string[]
  /** Checkouts of other operators. */
  others?: readonly string[]
  /** A folder of finished runs, whose samples are clean. */
  runs?: string | undefined
  /** Tasks that are planted of each kind. */
  count?: number
}

interface Planted {
  kind: string
  task: string
  text: string
  as: Place['as']
}

/**
 * Plants tasks and answers of benchmark checkouts in disguises, and prints how many are found; how many files of other
 * operators and how many of our own samples are taken for one; and the same for other thresholds.
 */
export async function benchContamination({benchmarks, others = [], runs, count = 40}: Options): Promise<void> {
  const references = await heldOutTexts(Config.parse({sources: {benchmarks}}))
  const started = process.cpuUsage()
  const index = contaminationIndex(references, await idiomTexts(), names)
  console.log(`${references.length} references, indexed in ${seconds(started)} s of CPU, ${megabytes()} MB`)
  const identity = operatorIdentity(references, ['request'], api)
  const plants = (await Promise.all(benchmarks.map((root) => plantedOf(root, count)))).flat()
  const look = ({text, as}: Pick<Planted, 'text' | 'as'>) => index.look([{name: 'text', text, as}])
  const shares: {planted: number[]; clean: number[]} = {planted: [], clean: []}
  for (const kind of new Set(plants.map((one) => one.kind))) {
    const own = plants.filter((one) => one.kind === kind)
    const passed = own.filter((one) => {
      const {leak, near} = look(one)
      if (one.as === 'code') shares.planted.push(Math.max(near, leak ? shareOf(leak) : 0))
      return leak === undefined
    })
    const named = passed.filter(
      ({text}) => identity({prompt: text, replies: [anothers], files: []}) !== undefined,
    ).length
    const missed = passed.map(({task}) => task.split('/').at(-1)).join(', ')
    console.log(
      `${kind}: ${own.length - passed.length} of ${own.length} by content, ` +
        `${named} of the rest by request; passed: ${missed || 'none'}`,
    )
  }
  const keys = new Set(references.map(({operator}) => operatorKey(operator)))
  for (const root of others) await benchOthers(root, keys, look, shares.clean)
  if (runs !== undefined) await benchRuns(runs, (places) => index.look(places), shares.clean)
  for (const share of sweepShares) {
    const at = (all: readonly number[]) => all.filter((one) => one >= share).length
    console.log(
      `share ${share}: ${at(shares.planted)} of ${shares.planted.length} planted, ` +
        `${at(shares.clean)} of ${shares.clean.length} clean`,
    )
  }
  console.log(`${seconds(started)} s of CPU, ${megabytes()} MB`)
}

type Look = (one: Pick<Planted, 'text' | 'as'>) => ReturnType<ReturnType<typeof contaminationIndex>['look']>

async function benchOthers(root: string, keys: ReadonlySet<string>, look: Look, clean: number[]): Promise<void> {
  let files = 0
  const found: {path: string; isSame: boolean; why: string}[] = []
  for await (const path of walk(root)) {
    const [, folder = ''] = /([^/]+)\/op_(?:kernel|host)\/.*\.(?:cpp|h)$/.exec(path) ?? []
    if (folder === '' || path.includes('/tests/')) continue
    files += 1
    const {leak, near} = look({text: await readFile(join(root, path), 'utf8'), as: 'code'})
    const isSame = keys.has(operatorKey(folder))
    if (!isSame) clean.push(Math.max(near, leak ? shareOf(leak) : 0))
    if (leak) found.push({path, isSame, why: `${leak.reference} ${JSON.stringify(leak.measure)}`})
  }
  const other = found.filter(({isSame}) => !isSame)
  console.log(
    `${root}: ${found.length} of ${files} files found, ${other.length} of them under no benchmark operator's name`,
  )
  for (const {path, why} of other) console.log(`  ${path} ~ ${why}`)
}

async function benchRuns(
  root: string,
  look: (places: readonly Place[]) => ReturnType<Look>,
  clean: number[],
): Promise<void> {
  let samples = 0
  const found: string[] = []
  const started = process.cpuUsage()
  for (const recipe of ['documentation', 'worked', 'kernels', 'projects', 'evaluated', 'corrections']) {
    const run = await openRun(join(root, recipe))
    for (const {id, json} of run?.emitted() ?? []) {
      const {prompt, replies, files} = contentOf('sft', CotSample.parse(JSON.parse(json)))
      samples += 1
      const {leak, near} = look([
        ...[prompt, ...replies].map((text): Place => ({name: recipe, text, as: 'text'})),
        ...files.map(({path, text}): Place => ({name: path, text, as: 'code'})),
      ])
      clean.push(Math.max(near, leak ? shareOf(leak) : 0))
      if (leak) found.push(`  ${recipe} ${id} ~ ${leak.reference} ${JSON.stringify(leak.measure)}`)
    }
    run?.close()
  }
  console.log(`own samples: ${found.length} of ${samples} found, ${seconds(started)} s of CPU`)
  for (const line of found) console.log(line)
}

async function plantedOf(root: string, count: number): Promise<Planted[]> {
  return isCheckout(root, models) ? plantedModules(root, count) : plantedOperators(root, count)
}

async function plantedOperators(root: string, count: number): Promise<Planted[]> {
  const tasks = await loadTasks({root}, () => [])
  const plants: Planted[] = []
  for (const side of ['op_kernel', 'op_host']) {
    const own = tasks.flatMap(({name, answer}) => {
      const text = answer.flatMap((file) => (file.path.startsWith(side) ? [file.text] : [])).join('\n')
      return text === '' ? [] : [{task: name, text}]
    })
    for (const [way, change] of Object.entries(answerDisguises)) {
      for (const {task, text} of spread(own, count)) {
        plants.push({kind: `NPUKernelBench ${side} ${way}`, task, as: 'code', text: change(text, task)})
      }
    }
    if (side === 'op_kernel') {
      const alone = own.flatMap(({task, text}) => {
        const found = disguise.computeAlone(text)
        return found === undefined ? [] : [{task, text: found}]
      })
      for (const {task, text} of spread(alone, count)) {
        const length = cppForm(text, names).statements.length < 6 ? 'of up to five statements' : 'of six or more'
        plants.push({kind: `NPUKernelBench Compute function alone, ${length}`, task, as: 'code', text})
      }
      for (const {task, text} of spread(alone, count)) {
        const length = cppForm(text, names).statements.length < 6 ? 'up to five statements' : 'six or more'
        plants.push({
          kind: `NPUKernelBench Compute function of ${length}, among another's code`,
          task,
          as: 'code',
          text: `${anothersKernel}\n${text}`,
        })
      }
      for (const {task, text} of spread(alone, count))
        plants.push({
          kind: 'NPUKernelBench Compute alone, dead statements',
          task,
          as: 'code',
          text: disguise.withDeadStatements(text),
        })
    }
  }
  for (const {name, description} of spread(tasks, count)) {
    const task = {task: name, as: 'text' as const}
    const bare = description.replace(/[#*`|>-]/g, ' ').replace(/\s+/g, ' ')
    plants.push({...task, kind: 'NPUKernelBench prompt verbatim', text: description})
    plants.push({...task, kind: 'NPUKernelBench prompt renamed', text: disguise.renamed(description, name, names)})
    plants.push({...task, kind: 'NPUKernelBench prompt reformatted', text: bare})
    plants.push({...task, kind: 'NPUKernelBench prompt paraphrased', text: disguise.paraphrased(name, description)})
    for (const [index, text] of disguise.requests(name).entries())
      plants.push({...task, kind: `NPUKernelBench request ${index + 1}`, text})
  }
  return plants
}

const answerDisguises: Record<string, (text: string, operator: string) => string> = {
  verbatim: (text) => text,
  renamed: (text, operator) => disguise.renamed(text, operator, names),
  reformatted: disguise.reformatted,
  'comments translated': disguise.translated,
  'dead statements': disguise.withDeadStatements,
  moved: disguise.moved,
  'functions split': disguise.split,
  'all at once': (text, operator) =>
    disguise.withDeadStatements(
      disguise.split(disguise.moved(disguise.translated(disguise.renamed(text, operator, names)))),
    ),
}

async function plantedModules(root: string, count: number): Promise<Planted[]> {
  const {tasks, examples} = await readMultiKernelBench(root)
  const of = (kind: string, text: string, task: string): Planted => ({
    kind: `MultiKernelBench ${kind}`,
    task,
    text,
    as: 'text',
  })
  const shown = (module: string) => `Write this in Ascend C:\n\n\`\`\`python\n${module}\n\`\`\`\n`
  const chosen = spread(tasks, count)
  return [
    ...chosen.map(({name, module}) => of('module verbatim', shown(module), name)),
    ...chosen.map(({name, module}) =>
      of(
        'module renamed',
        shown(
          module.replace(/\b(?:Model|batch_size|dim|x|y|in_features|out_features|features)\b/g, (one) => `${one}2`),
        ),
        name,
      ),
    ),
    ...chosen.map(({name, module}) =>
      of(
        'module reformatted',
        shown(
          module
            .replace(/ {4}/g, '\t')
            .replace(/\n\s*\n/g, '\n')
            .replace(/, /g, ','),
        ),
        name,
      ),
    ),
    ...chosen.map(({name, module}) => of('module comments translated', shown(disguise.translated(module)), name)),
    ...chosen.map(({name, module}) =>
      of('module dead statements', shown(module.replace(/(\n +)(self\.\w+ = |return )/g, '$1spare = 3$1$2')), name),
    ),
    ...chosen.map(({name}) => of('prompt paraphrased', disguise.paraphrased(name, ''), name)),
    ...chosen.flatMap(({name}) => disguise.requests(name).map((text, index) => of(`request ${index + 1}`, text, name))),
    ...examples
      .filter(({path}) => path.includes('ascendc'))
      .flatMap(({name, texts}) => [
        of('answer verbatim', texts.join('\n'), name),
        of('answer dead statements', disguise.withDeadStatements(texts.join('\n')), name),
      ]),
  ]
}

/** What a request is answered with by another hand. */
const anothers = 'extern "C" __global__ __aicore__ void run_it(GM_ADDR x, GM_ADDR y) { Worker w; w.Go(x, y); }'

/** Calls of another's, as many as a kernel has, none of which is in a benchmark. */
const anothersKernel = Array.from(
  {length: 8},
  (_, number) =>
    `__aicore__ inline void Step${number}(int n) {\n${Array.from(
      {length: 10},
      (__, line) => `  Adds(work[${number}], work[${line}], ${number * 10 + line}.75f, n / ${line + 3} * 16);`,
    ).join('\n')}\n}`,
).join('\n')

/** So many, evenly over the list. */
function spread<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, all.length / count)
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step)).slice(0, count)
}

const seconds = (since: NodeJS.CpuUsage) => {
  const {user, system} = process.cpuUsage(since)
  return ((user + system) / 1e6).toFixed(1)
}
const megabytes = () => Math.round(process.memoryUsage().rss / 2 ** 20)

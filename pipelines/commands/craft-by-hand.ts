import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {timelinePicture} from '../../datasets/card/timeline-picture.ts'
import {PipelineError} from '../../engine/errors.ts'
import {asFileError, removeFolder, writeWhole} from '../../engine/files.ts'
import {lookOnSaves, savesOf} from '../../engine/saves.ts'
import type {LoneModule} from '../../eval/bench/whole-model.ts'
import {openJudging} from '../../eval/serve/verdicts.ts'
import {lookPage} from '../report/look-page.ts'
import type {Config} from '../workspace/config.ts'
import {lookAtProgram, type Look} from '../workspace/look-at-program.ts'
import {
  checkEmpty,
  operatorOf,
  programFiles,
  readProgramFolder,
  writeModuleFolder,
  writeProgramFolder,
  type ProgramFolder,
} from '../workspace/program-folder.ts'
import {cyclesOf, toldLook, type Told} from '../workspace/told-look.ts'
import {makeTwin} from './executor.ts'
import {openModule, pythonFlag} from './open-module.ts'
import {reportError} from './terminal.ts'
import type {World} from './world.ts'

interface ByHand {
  folder: string
  /** Runs the module of a folder that has one in place of a reference in TypeScript. */
  python: string
  /** Goes on after every save. */
  watch: boolean
  json: boolean
}

/** Width of lines that no terminal gives. */
const usualColumns = 100

/**
 * `ascend-cot craft <folder>`: a program of the tile language and its task, written by hand: what checker, interpreter,
 * twin and judge find, and its modelled timeline. Everything made of it is in `<out>/craft/<Name>/`.
 */
export async function craftByHand(
  {folder, watch, ...asked}: ByHand,
  config: Config,
  world: World,
  saves = savesOf,
): Promise<number> {
  if (!existsSync(folder))
    throw new PipelineError('input-missing', `There is no folder ${folder}.`, {
      fix: `Make one with \`ascend-cot craft new ${folder}\`.`,
    })
  const bench = new Bench({folder, ...asked}, config, world)
  try {
    if (!watch) return (await bench.look(world.signal)) ? 0 : 1
    const files = Object.values(programFiles).map((path) => resolve(folder, path))
    world.terminal.say(`watching ${folder}; everything is written to ${bench.directory}; Ctrl-C ends`)
    await lookOnSaves(saves(files, world.signal), (signal) => bench.lookAndGoOn(signal), world.signal)
    return 0
  } finally {
    await bench.close()
  }
}

interface New {
  folder: string
  /** A module of PyTorch, for whose operator a program shall be written. */
  module?: string | undefined
  python: string
}

/** `ascend-cot craft new <folder>`: a program that is right, or that of an example beside a module, to be changed. */
export async function craftNew({folder, module, python}: New, given: () => Promise<Config>, world: World) {
  checkEmpty(folder)
  const written = module === undefined ? writeProgramFolder(folder) : writeTask(folder, module, python)
  for (const path of await written) world.terminal.print(path)
  const how = module === undefined ? '' : pythonFlag(python)
  world.terminal.say(`Next: ascend-cot craft ${folder}${how} --watch, and change ${programFiles.program}.`)
  return 0

  async function writeTask(to: string, path: string, command: string): Promise<string[]> {
    const opened = await openModule(path, {python: command, config: await given(), world})
    try {
      return await writeModuleFolder(to, {module: await readFile(path, 'utf8'), ...(await opened.calls())})
    } finally {
      await opened.close()
    }
  }
}

/** What is kept between the looks at one program. */
class Bench {
  readonly directory: string
  private readonly asked: Omit<ByHand, 'watch'>
  private readonly config: Config
  private readonly world: World
  private opened: ReturnType<Bench['open']> | undefined
  private module: {version: string; opened: LoneModule} | undefined
  /** Modelled cycles of the last look that had some. */
  private before: number | undefined

  constructor(asked: Omit<ByHand, 'watch'>, config: Config, world: World) {
    this.asked = asked
    this.config = config
    this.world = world
    this.directory = join(resolve(config.out), 'craft', operatorOf(asked.folder))
  }

  /** Looks, and reports what goes wrong with tools or the task: the next save is looked at again. */
  async lookAndGoOn(signal: AbortSignal): Promise<void> {
    try {
      await this.look(signal)
    } catch (error) {
      if (signal.aborted) return
      await this.close()
      reportError(asFileError(error), this.world.terminal, {json: this.asked.json})
    }
  }

  /** Looks once, and tells and keeps what is found. Returns whether the judge found the program correct. */
  async look(signal: AbortSignal): Promise<boolean> {
    const {now, terminal} = this.world
    const {folder, json} = this.asked
    const started = now()
    const {before} = this
    const columns = Math.min(terminal.width ?? usualColumns, usualColumns)
    const shown = new Set<string>()
    const read = await readProgramFolder(folder)
    for (const {line, problem} of read.badRows)
      terminal.say(`warning: ${programFiles.cases} line ${line} is not used: ${problem}`)
    const tellNew = (look: Look) => {
      if (json || signal.aborted) return
      for (const told of toldLook(look, {before, columns})) {
        if (shown.has(told.part)) continue
        shown.add(told.part)
        terminal.print(inWords(told, now() - started))
      }
    }
    const look = await lookAtProgram(read, {
      module: () => this.moduleOf(read),
      judging: () => (this.opened ??= this.open()),
      ...{seed: this.config.seed, signal, seen: tellNew},
    })
    signal.throwIfAborted()
    this.before = cyclesOf(look) ?? before
    const told = toldLook(look, {before, columns})
    const page = await this.keep(look, told)
    const isRight = told.every((one) => one.isRight) && look.judged !== undefined
    if (json) terminal.print(JSON.stringify({isRight, cycles: cyclesOf(look), told, page}))
    else terminal.print(`${isRight ? 'right' : 'wrong'}; ${page}\n`)
    return isRight
  }

  private async open() {
    const {executor} = await makeTwin(this.config, this.world)
    const pytorch = this.module?.opened
    return {executor, judging: openJudging({executor, withCost: false, ...(pytorch && {pytorch})})}
  }

  /** The module of a folder that has one, opened anew when it was changed. */
  private async moduleOf({reference: {kind, path, version}}: ProgramFolder): Promise<LoneModule | undefined> {
    const wanted = kind === 'pytorch' ? version : undefined
    if (this.module?.version === wanted) return this.module?.opened
    // The judge keeps what it knows of a task by its module.
    await this.close()
    if (wanted === undefined) return undefined
    const {config, world} = this
    const opened = await openModule(path, {python: this.asked.python, config, world})
    this.module = {version: wanted, opened}
    return opened
  }

  async close(): Promise<void> {
    const {module} = this
    this.module = this.opened = undefined
    await module?.opened.close()
  }

  /** Writes everything that was made of a program, and removes what was made of the one before. */
  private async keep(look: Look, told: readonly Told[]): Promise<string> {
    const {program, files = [], built, judged, timeline, interpreter = [], twin = []} = look
    const kept = join(this.directory, 'made')
    await removeFolder(kept)
    const verdict = judged ?? built
    const said = built && 'log' in built ? built.log : ''
    const texts: Record<string, string> = {
      [programFiles.program]: program,
      'findings.json': pretty({checker: look.checker, interpreter, twin}),
      ...Object.fromEntries(files.map(({path, text}) => [`project/${path}`, text])),
      ...(said !== '' && {'compiler.txt': said}),
      ...(verdict && {'verdict.json': pretty(verdict)}),
      ...(timeline && !('why' in timeline) && {'timeline.svg': timelinePicture([{title: look.name, ...timeline}])}),
    }
    for (const [path, text] of Object.entries(texts)) await writeWhole(join(kept, path), text)
    const page = join(this.directory, 'page.html')
    await writeWhole(page, lookPage(look, told))
    return page
  }
}

const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** The first line has the part and when it was known; the others are indented. */
function inWords({part, lines}: Told, milliseconds: number): string {
  const head = part.padEnd(12)
  const [first = '', ...rest] = lines
  return [`${head}${first}  [${(milliseconds / 1000).toFixed(1)} s]`, ...rest.map((line) => `  ${line}`)].join('\n')
}

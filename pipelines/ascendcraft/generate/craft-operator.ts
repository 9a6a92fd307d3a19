import {extractFiles} from '../../../datasets/operator-reply.ts'
import type {
  CraftFinding,
  Crafted,
  CraftRound,
  CraftSetting,
  CraftStep,
  CraftTask,
} from '../../../datasets/schema/crafted.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {LanguageModel} from '../../../engine/llm/model.ts'
import {readProgram} from '../language/check.ts'
import type {CheckedModule} from '../language/checked.ts'
import type {Fault} from '../language/program-fault.ts'
import {lower} from '../lower/lower.ts'
import {holdDialogue, type Reading} from './dialogue.ts'
import {chooseExamples, type CraftExample} from './examples.ts'
import {directRequest, passes, passRequest, pathsOf, programRequest} from './prompts.ts'
import type {Proof} from './proof.ts'

/** What an operator is crafted with. */
interface CraftTools {
  llm: LanguageModel
  proof: Proof
  examples: readonly CraftExample[]
  setting: CraftSetting
}

/** Examples in one prompt. */
const shownExamples = 3

/** Crafts the operator of a task. Its files come out only where the judge found them correct. */
export function craftOperator(task: CraftTask, tools: CraftTools, signal: AbortSignal): Promise<Crafted> {
  return new Crafting(task, tools, signal).run()
}

interface Written {
  text: string
  checked: CheckedModule
}

class Crafting {
  private readonly task: CraftTask
  private readonly tools: CraftTools
  private readonly signal: AbortSignal
  private readonly rounds: CraftRound[] = []
  /** Whether the last operator that was looked at compiled. */
  private compiled = false
  private program: string | undefined

  constructor(task: CraftTask, tools: CraftTools, signal: AbortSignal) {
    this.task = task
    this.tools = tools
    this.signal = signal
  }

  private without(what: CraftSetting['without'][number]): boolean {
    return this.tools.setting.without.includes(what)
  }

  async run(): Promise<Crafted> {
    const files = await this.write()
    const {setting, llm} = this.tools
    const missed = this.compiled ? ('compiled' as const) : ('not-compiled' as const)
    return {
      task: this.task,
      setting,
      model: llm.model,
      state: files ? 'correct' : missed,
      ...(this.program !== undefined && {program: this.program}),
      files: files ?? [],
      rounds: this.rounds,
    }
  }

  private write(): Promise<SourceFile[] | undefined> {
    if (this.without('dsl'))
      return this.ask('direct', directRequest(this.task, !this.without('alignment')), this.readOperator)
    return this.tools.setting.lowering === 'compiler' ? this.writeCompiled() : this.writeLowered()
  }

  /** Stage 1 followed by the compiler: the twin's findings are fed back to the model as well. */
  private writeCompiled(): Promise<SourceFile[] | undefined> {
    return this.askProgram(async ({checked}) => {
      const {passes: left, files} = lower(checked, {operator: this.task.operator})
      return this.prove(this.without('alignment') ? left.compute : files)
    })
  }

  /** Stage 1, then the model's own lowering. */
  private async writeLowered(): Promise<SourceFile[] | undefined> {
    const program = await this.askProgram(async (written) => ({ok: true, value: written}))
    if (!program) return undefined
    const aligned = !this.without('alignment')
    const request = {task: this.task, program: program.text, aligned}
    if (this.without('passes')) {
      return this.ask('lowering', passRequest({...request, step: 'lowering', files: []}), this.readOperator)
    }
    let files: SourceFile[] = []
    const steps = passes.filter((pass) => aligned || pass !== 'aligned')
    for (const step of steps) {
      const isLast = step === steps.at(-1)
      const left = await this.ask(
        step,
        passRequest({...request, step, files}),
        isLast ? this.readOperator : this.readPass,
      )
      if (!left) return undefined
      files = left
    }
    return files
  }

  private async ask<Value>(
    step: CraftStep,
    prompt: string,
    read: (reply: string) => Promise<Reading<Value>>,
  ): Promise<Value | undefined> {
    const {llm, setting} = this.tools
    const rounds = this.without('feedback') ? 1 : setting.rounds
    const held = await holdDialogue({step, prompt, rounds, llm, signal: this.signal}, read)
    this.rounds.push(...held.rounds)
    return held.value
  }

  private askProgram<Value>(goOn: (written: Written) => Promise<Reading<Value>>): Promise<Value | undefined> {
    const examples = this.without('examples') ? [] : chooseExamples(this.tools.examples, this.task, shownExamples)
    return this.ask('program', programRequest(this.task, examples), async (reply) => {
      const text = pythonOf(reply)
      if (text === undefined) return found('reader', 'There is no closed ```python block in the answer.')
      const outcome = readProgram(text)
      if (!outcome.ok) return found('checker', faultsText(outcome.faults))
      const {checked} = outcome
      const trouble = await this.tools.proof.interpret(this.task, checked, this.signal)
      if (trouble !== undefined) return found('interpreter', trouble)
      this.program = text
      return goOn({text, checked})
    })
  }

  private readonly readPass = (reply: string) => this.readFiles(reply, (files) => this.compile(files))
  private readonly readOperator = (reply: string) => this.readFiles(reply, (files) => this.prove(files))

  private async readFiles(
    reply: string,
    goOn: (files: SourceFile[]) => Promise<Reading<SourceFile[]>>,
  ): Promise<Reading<SourceFile[]>> {
    const read = extractFiles(reply, pathsOf(this.task))
    return read.ok ? goOn(read.files) : found('reader', `The files cannot be read: ${read.problem}.`)
  }

  private async compile(files: SourceFile[]): Promise<Reading<SourceFile[]>> {
    const trouble = await this.tools.proof.compile(this.task, files, this.signal)
    return trouble === undefined ? {ok: true, value: files} : found('compiler', trouble)
  }

  private async prove(files: SourceFile[]): Promise<Reading<SourceFile[]>> {
    const compiled = await this.compile(files)
    this.compiled = compiled.ok
    if (!compiled.ok) return compiled
    const trouble = await this.tools.proof.judge(this.task, files, this.signal)
    return trouble === undefined ? compiled : found('judge', trouble)
  }
}

function found(by: CraftFinding['by'], text: string): {ok: false; finding: CraftFinding} {
  return {ok: false, finding: {by, text}}
}

/** The first closed block of Python. */
function pythonOf(reply: string): string | undefined {
  const [, text] = /^```(?:python|py)?[ \t]*\n([\s\S]*?)^```[ \t]*$/m.exec(reply.replaceAll('\r\n', '\n')) ?? []
  return text
}

/** Beyond these, a program is better written anew. */
const toldFaults = 12

function faultsText(faults: readonly Fault[]): string {
  const lines = faults
    .slice(0, toldFaults)
    .map(({line, column, rule, message, mend}) => `line ${line}, column ${column}, ${rule}: ${message}. Mend: ${mend}.`)
  const more = faults.length - lines.length
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

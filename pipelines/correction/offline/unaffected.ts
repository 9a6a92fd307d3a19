import type {Edit} from '../../../datasets/schema/edit-facts.ts'
import {callsOf} from '../../facts/bracketed.ts'
import type {Message} from '../../telling/tell-message.ts'
import {
  changedArgument,
  changedWord,
  failedStatements,
  type Replaced,
  type Scene,
  sitesOf,
  statementsIn,
  statementsOfFile,
  stepsOf,
} from './reason.ts'

const says = (situation: string, values: Message['values']): Message => ({topic: 'rests', situation, values})

/** How the code shows that nothing else is affected; nothing where it does not. */
export function restOf(edit: Edit, edits: readonly Edit[], scene: Scene): Message[] {
  const queue = balanced(edit, scene)
  if (queue) return [queue]
  if (edit.kind !== 'replaced') return []
  return onlyThere(edit, scene) ?? sameText(edit, edits, scene) ?? sameCall(edit, edits, scene)
}

const steps = ['AllocTensor', 'EnQue', 'DeQue', 'FreeTensor']

/** The right code has as many of each step of the queue that the change is about. */
function balanced(edit: Edit, {right}: Scene): Message | undefined {
  const statements = edit.kind === 'replaced' ? [edit.after] : statementsIn(edit)
  const call = statements.flatMap(callsOf).find(({name}) => steps.includes(name))
  const file = right.find(({path}) => path === edit.path)
  if (!call || !file) return undefined
  const queue = call.receiver
  const [each = 0, ...others] = steps.map((step) => stepsOf(queue, step, file).length)
  return each > 0 && others.every((count) => count === each) ? says('balanced', {queue, each}) : undefined
}

/** A name that is written nowhere else. */
function onlyThere(edit: Replaced, scene: Scene): Message[] | undefined {
  const {wrong} = changedWord(edit) ?? {}
  if (wrong === undefined || !/^[A-Za-z_]\w*$/.test(wrong)) return undefined
  const uses = scene.failed.flatMap(statementsOfFile).flatMap(({tokens}) => tokens.filter(({text}) => text === wrong))
  return uses.length === 1 ? [says('only-there', {name: wrong})] : undefined
}

const mostLines = 3

/** Other lines of the file that no change and no message is about. */
function others(edit: Replaced, edits: readonly Edit[], scene: Scene) {
  const changed = edits.filter(({path}) => path === edit.path).map(({line}) => line)
  return failedStatements(edit.path, scene).filter(({line, lastLine}) => {
    const isRefused = scene.log.includes(`${edit.path}:${line}:`)
    return !isRefused && !changed.some((one) => one >= line && one <= lastLine)
  })
}

/** The field of a structure that another line fills in the right way. */
function sameText(edit: Replaced, edits: readonly Edit[], scene: Scene): Message[] | undefined {
  const [site] = sitesOf(edit)
  const changed = site && changedArgument(site)
  if (!site || !changed || site.after.mark !== '{' || changed.right.length < 4) return undefined
  const lines = others(edit, edits, scene)
    .filter(({text}) => text.includes(`${site.after.name}`) && text.includes(changed.right))
    .map(({line}) => line)
  return lines.length > 0 && lines.length <= mostLines ? [says('same-text', {lines, text: changed.right})] : undefined
}

/** Calls of the same function with as many arguments as are right. */
function sameCall(edit: Replaced, edits: readonly Edit[], scene: Scene): Message[] {
  const [right] = callsOf(edit.after)
  const [wrong] = callsOf(edit.before)
  if (!right || wrong?.name !== right.name || wrong.args.length === right.args.length) return []
  const lines = others(edit, edits, scene)
    .filter((one) => callsOf(one).some(({name, args}) => name === right.name && args.length === right.args.length))
    .map(({line}) => line)
  return lines.length > 0 && lines.length <= mostLines
    ? [says('same-call', {lines, name: right.name, count: right.args.length})]
    : []
}

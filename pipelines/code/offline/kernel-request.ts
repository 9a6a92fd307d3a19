import type {KernelFacts, Method, SourceRun} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {formulas} from '../../facts/formula.ts'
import {code, codeList, paragraph, some, type Voice, words} from '../../../datasets/voice.ts'
import {launchSentence} from './case-sentence.ts'
import {isReadable, purposeSentence} from './purpose-sentence.ts'
import {branchText, isSamePlace} from './branch-text.ts'

/** What a developer would request to get the target file: high-level, but with every name that other files rely on. */
export function kernelRequest(source: OperatorSource, facts: KernelFacts, voice: Voice, ran?: SourceRun): string {
  const [entry] = facts.entries
  return paragraph(voice, [
    opening(source, entry !== undefined, voice),
    /<<<[^<>]*>>>/.test(source.target.text) ? programSentence(voice) : '',
    purpose(source, facts, voice),
    source.part ? '' : outside(source, facts, voice),
    tiling(facts, voice),
    ran ? launchSentence(ran, voice) : '',
  ])
}

/** What other files count on. */
function outside(source: OperatorSource, facts: KernelFacts, voice: Voice): string {
  const [entry] = facts.entries
  return paragraph(voice, [
    entry ? signature(entry, facts, voice) : provides(facts, voice),
    entry ? variantsOfEntry(facts, voice) : '',
    dtypes(source, voice),
  ])
}

function opening(source: OperatorSource, isEntry: boolean, voice: Voice): string {
  if (source.part) return functionOpening(source, source.part, voice)
  return isEntry ? kernelOpening(source, voice) : partOpening(source, voice)
}

function functionOpening(
  {operator, target}: OperatorSource,
  {name, signature: head}: NonNullable<OperatorSource['part']>,
  voice: Voice,
): string {
  const [path, what, called, declared] = [target.path, operator, name, head].map(code)
  return voice.say(
    [
      `In ${path} of the Ascend C operator ${what} (Atlas A2) ${called} is still missing. Write it: ${declared}.`,
      `Implement ${called} for ${path}, device code of the operator ${what} (Ascend C, Atlas A2): ${declared}. ` +
        'Give this function alone.',
    ],
    [
      `Ascend C 算子 ${what} 的文件 ${path}(Atlas A2)中 ${called} 尚未实现，请补全：${declared}。`,
      `请实现 ${path} 中的 ${called}(算子 ${what},Ascend C,Atlas A2):${declared}。只需给出这一个函数。`,
    ],
  )
}

function kernelOpening(source: OperatorSource, voice: Voice): string {
  const [path, operator] = [code(source.target.path), code(source.operator)]
  return voice.say(
    [
      `Please write ${path}, the device side of the Ascend C operator ${operator} for Atlas A2.`,
      `Implement the kernel of the ${operator} operator in Ascend C (file ${path}, target Atlas A2).`,
      `I need the AI Core kernel of ${operator} in ${path}, written in Ascend C for Atlas A2.`,
    ],
    [
      `请用 Ascend C 为 Atlas A2 编写算子 ${operator} 的核函数文件 ${path}。`,
      `请实现 ${operator} 算子的 Kernel 侧代码(${path}，目标芯片 Atlas A2)。`,
      `需要 ${operator} 算子在 AI Core 上的实现，文件为 ${path}，使用 Ascend C。`,
    ],
  )
}

function programSentence(voice: Voice): string {
  return voice.say(
    'The host program that fills the inputs, launches the kernel and fetches the result belongs into the same file.',
    '准备输入、启动核函数并取回结果的 Host 程序也写在同一文件中。',
  )
}

function partOpening(source: OperatorSource, voice: Voice): string {
  const isHeader = /\.h(?:pp)?$/.test(source.target.path)
  const [path, operator] = [code(source.target.path), code(source.operator)]
  return voice.say(
    [
      `Please write the ${isHeader ? 'header' : 'file'} ${path} of the Ascend C operator ${operator} (Atlas A2).`,
      `Part of the ${operator} operator for Atlas A2 is missing: implement ${path} in Ascend C.`,
    ],
    [
      `请编写 Ascend C 算子 ${operator} 的${isHeader ? '头' : ''}文件 ${path}(Atlas A2)。`,
      `${operator} 算子还缺少 ${path}，请用 Ascend C 补全实现。`,
    ],
  )
}

/**
 * By the operator's documentation, else by the file's own comment, by a formula, or else by the instructions it uses.
 */
function purpose(source: OperatorSource, facts: KernelFacts, voice: Voice): string {
  const comments = source.part ? [source.part.comment, ...facts.comments] : facts.comments
  const comment = comments.find((one) => saysWhatItDoes(one) && isReadable(one, voice))
  const documented = purposeSentence(source, voice)
  if (documented !== '') return documented
  if (comment !== undefined)
    return voice.say(`What it does: ${sentence(comment)}`, `功能说明：${comment.replace(/[.。]$/, '')}。`)
  const [formula] = formulas(facts)
  if (formula) {
    const equation = code(`${formula.output} = ${formula.expression}`)
    return voice.say(`For every element it computes ${equation}.`, `逐元素计算 ${equation}。`)
  }
  const used = [...new Set(facts.vectorCalls.map(({call}) => call.name))]
  return instructions(source, some(used, 6).shown, voice)
}

function saysWhatItDoes(comment: string): boolean {
  return comment.length >= 12 && comment.length <= 300 && !/copyright|licen[cs]e/i.test(comment)
}

function sentence(text: string): string {
  return /[.!?。]$/.test(text) ? text : `${text}.`
}

function instructions({operator}: OperatorSource, used: readonly string[], voice: Voice): string {
  if (used.length === 0) return ''
  const list = codeList(used, voice)
  return voice.say(
    `It carries out the "${words(operator)}" computation with vector instructions such as ${list}.`,
    `它使用 ${list} 等矢量指令完成 ${operator} 的计算。`,
  )
}

function signature({name, parameters}: KernelFacts['entries'][number], facts: KernelFacts, voice: Voice): string {
  const call = code(`${name}(${parameters.join(', ')})`)
  const {shown, more} = some(facts.tilingKeys, 32)
  const rest = more > 0 ? voice.say(` and ${more} more`, ` 等 ${facts.tilingKeys.length} 个`) : ''
  const list = `${codeList(shown, voice)}${rest}`
  const keys =
    facts.tilingKeys.length > 1
      ? voice.say(` and dispatches on the tiling keys ${list}`, `，并按 tiling key ${list} 分派`)
      : ''
  return voice.say(`The entry is ${call}${keys}.`, `核函数入口为 ${call}${keys}。`)
}

/** What other files call: classes with their public methods, or free functions. */
function provides({classes, methods}: KernelFacts, voice: Voice): string {
  const named = classes.filter(({name}) => name !== '')
  if (named.length > 0) return providedClasses(some(named, 3).shown, methods, voice)
  const free = methods.filter(({syntax}) => syntax.owner === '').map(called)
  if (free.length === 0) return ''
  const list = codeList(some(free, 5).shown, voice)
  return voice.say(`Other files call ${list}.`, `其他文件会调用 ${list}。`)
}

function providedClasses(
  named: readonly KernelFacts['classes'][number][],
  methods: readonly Method[],
  voice: Voice,
): string {
  const list = voice.list(named.map((one) => classText(one, methods, voice)))
  return voice.say(
    `It defines the ${named.length > 1 ? 'classes' : 'class'} ${list}.`,
    `文件中定义${named.length > 1 ? '这些类' : '类'}:${list}。`,
  )
}

/** Its template's parameters, and the methods that others call: `Init`, `Process`, what no other method calls. */
function classText({name, templates}: KernelFacts['classes'][number], all: readonly Method[], voice: Voice): string {
  const methods = all.filter(({syntax}) => syntax.owner === name && syntax.name.replace('~', '') !== name)
  const used = new Set(methods.flatMap(({syntax}) => syntax.calls.map((call) => call.name)))
  const calls = methods.filter(({syntax: {name: one}}) => one === 'Init' || one === 'Process' || !used.has(one))
  const head = code(templates.length > 0 ? `${name}<${templates.join(', ')}>` : name)
  if (calls.length === 0) return head
  const list = codeList(some(calls.map(called), 8).shown, voice)
  return voice.say(`${head} with ${list}`, `${head}(含 ${list})`)
}

/** `Init(x, y)`. */
function called({syntax: {name, parameters}}: Method): string {
  return `${name}(${parameters.map((one) => one.name || one.type).join(', ')})`
}

function dtypes({dtypes: columns}: OperatorSource, voice: Voice): string {
  const entries = Object.entries(columns)
  if (entries.length === 0 || entries.length > 8) return ''
  const list = voice.list(entries.map(([name, dtype]) => `${code(name)} ${dtype}`))
  return voice.say(`The first supported combination of types is ${list}.`, `首个支持的数据类型组合为 ${list}。`)
}

function tiling({tilingFields}: KernelFacts, voice: Voice): string {
  if (tilingFields.length === 0) return ''
  const {shown, more} = some(tilingFields, 8)
  const [en, zh] = [shown.join(', '), shown.join('、')]
  return voice.say(
    `It reads these fields of the tiling structure: ${en}${more > 0 ? ` and ${more} more` : ''}.`,
    `读取的 tiling 结构体字段有 ${zh}${more > 0 ? ` 等 ${tilingFields.length} 个` : ''}。`,
  )
}

const keyCondition = /^(?:TILING_KEY_IS\(\s*\w+\s*\)(?:\s*\|\|\s*(?=T)|$))+$/

function keysIn(condition: string): string[] {
  return keyCondition.test(condition) ? [...condition.matchAll(/\(\s*(\w+)\s*\)/g)].map(([, key]) => key!) : []
}

/** What an entry runs in each case; '' where it always runs the same. */
function variantsOfEntry({variants, methods}: KernelFacts, voice: Voice): string {
  const calls = methods.find(({role}) => role === 'entry')?.syntax.calls.filter(({receiver}) => receiver !== '') ?? []
  const worksOf = ({branches}: KernelFacts['variants'][number]) =>
    calls.filter((call) => !/^Init/.test(call.name) && isSamePlace(call.branches, branches)).map(({name}) => name)
  const works = new Set(variants.map((one) => worksOf(one).join()))
  const chosen = variants
    .filter(({branches}) => branches.length > 0)
    .map((one) => ({...one, text: [one.text, ...(works.size > 1 ? worksOf(one) : [])].join('.')}))
  return new Set(chosen.map(({text}) => text)).size < 2 ? '' : variantsSentence(chosen, voice, 64)
}

/** `` `7` runs `KernelA<half>` ``; under other conditions, where these hold. */
function variantsSentence(variants: KernelFacts['variants'], voice: Voice, most = 10): string {
  const texts = [...new Set(variants.map((one) => variantText(one, voice)))]
  const {shown, more} = some(texts, most)
  return voice.say(
    `The variants: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
    `各分支：${shown.join(';')}${more > 0 ? `；另有 ${more} 个` : ''}。`,
  )
}

function variantText({text, branches}: KernelFacts['variants'][number], voice: Voice): string {
  // That other keys do not hold follows from the one that does.
  const keys = branches.flatMap(({condition, arm}) => (arm === 'then' ? keysIn(condition) : []))
  const others = branches.filter(({condition}) => !keyCondition.test(condition))
  const where = branchText(others, voice)
  const list = keys.map((one) => code(one)).join(voice.say(' or ', ' 或 '))
  const place = [keys.length === 0 ? '' : `key ${list}`, where].filter((one) => one !== '').join(' ')
  return `${place || voice.say('otherwise', '其余情况')} → ${code(text)}`
}

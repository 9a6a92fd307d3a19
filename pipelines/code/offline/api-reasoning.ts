import {plansOf, runsOf, stepsOf} from '../../facts/api-facts.ts'
import type {ApiFacts, ApiStep} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {checksOf} from '../../facts/api-facts.ts'
import {checkOf, isSilent} from '../../facts/checks.ts'
import type {FunctionFlow} from '../../../cpp/syntax.ts'
import {handedRuns, handedTo, handingParagraph, onlyHandsOn} from './api-delegation.ts'
import {parameterParagraph, tensorRoles} from './api-parameters.ts'
import {listText, signatureOf} from './api-request.ts'
import {branchText} from './branch-text.ts'
import {flowSentence, shortened} from './flow-paragraph.ts'
import {code, codeList, paragraph, paragraphs, some, type Voice} from '../../../datasets/voice.ts'

/** From the contract with the caller to the order of the steps. */
export function apiReasoning(source: OperatorSource, facts: ApiFacts, voice: Voice): string {
  return paragraphs([
    taskParagraph(source, facts, voice),
    parameterParagraph(plansOf(facts), voice),
    listParagraph(facts, voice),
    checkParagraph(facts, voice),
    helperParagraph(facts, voice),
    ...plansOf(facts)
      .slice(0, 3)
      .map((plan) => planParagraph(plan, facts, voice)),
    launchParagraph(facts, voice),
    runParagraph(facts, voice),
    handedRuns(facts, voice),
  ])
}

function taskParagraph({target, operator}: OperatorSource, facts: ApiFacts, voice: Voice): string {
  const [path, name] = [code(target.path), code(operator)]
  if (facts.functions.length === 0) return headerParagraph(path, name, facts, voice)
  if (onlyHandsOn(facts))
    return voice.say(
      [
        `${path} is what an application calls for ${name}. The interface has two phases: the first says how much`,
        'workspace a call needs, the caller allocates it, and the second runs the call on a stream.',
        'Another interface checks and plans already, so this one adapts the arguments and adds no check of its own.',
      ].join(' '),
      [
        `${path} 是应用程序调用 ${name} 的入口,采用两段式接口:第一段给出所需 workspace 大小,调用者申请内存后,`,
        '由第二段在 stream 上执行。校验与编排已由另一接口完成,这里只调整参数,不再另外校验。',
      ].join(''),
    )
  if (plansOf(facts).length > 0)
    return voice.say(
      [
        `${path} is what an application calls for ${name}. The interface has two phases. In the first, ${codeList(
          plansOf(facts).map((one) => one.name),
          voice,
        )}`,
        plansOf(facts).length > 1
          ? 'check the arguments of one call each, plan its work on an executor and say how much workspace it needs;'
          : 'checks the arguments, plans the work on an executor and says how much workspace that needs;',
        'the caller allocates it and then the function of the second phase runs the plan on a stream.',
        'All refusals belong into the first phase, where a status can still be given.',
      ].join(' '),
      [
        `${path} 是应用程序调用 ${name} 的入口,采用两段式接口:第一段 ${codeList(
          plansOf(facts).map((one) => one.name),
          voice,
        )} 校验参数、在执行器上编排任务`,
        '并给出所需 workspace 大小;调用者申请内存后,由第二段在 stream 上执行。所有校验都应放在第一段,此时还能返回状态码。',
      ].join(''),
    )
  if (facts.launches.length > 0)
    return voice.say(
      [
        `${path} is the layer below the aclnn interface of ${name}: it is called while a call is planned,`,
        `${allocates(facts) ? 'allocates the output with its shape and type, and' : 'and'} puts the task on the`,
        'launcher list of the executor. It runs nothing itself.',
      ].join(' '),
      [
        `${path} 位于 ${name} 的 aclnn 接口之下,在编排阶段被调用:`,
        `${allocates(facts) ? '为输出确定 shape 与类型并申请张量,再' : ''}把任务加入执行器的下发队列,本身并不执行计算。`,
      ].join(''),
    )
  const serving = voice.say(
    [
      `${path} serves the host interface of ${name};`,
      'its functions are called while a call is planned, before the kernel runs.',
    ].join(' '),
    `${path} 服务于 ${name} 的 Host 侧接口,其中的函数在编排任务时被调用,此时 kernel 还没有运行。`,
  )
  return paragraph(voice, [serving, ...classSentences(facts, voice)])
}

/** Methods that a class of the file declares and another file defines. */
function classSentences({prototypes}: ApiFacts, voice: Voice): string[] {
  const owners = [...new Set(prototypes.map(({owner}) => owner))].filter((one) => one !== '')
  return owners.slice(0, 4).map((owner) => {
    const methods = prototypes.filter((one) => one.owner === owner && one.name !== owner.replace(/<[^]*$/, ''))
    if (methods.length === 0) return ''
    const {shown, more} = some(
      [...new Set(methods.map((one) => signatureOf(one)))].filter((one) => one.length <= 160),
      8,
    )
    const list = codeList(shown, voice)
    return voice.say(
      `Class ${code(owner)} declares ${list}${more > 0 ? ` and ${more} more` : ''}; they are defined elsewhere.`,
      `类 ${code(owner)} 声明 ${list}${more > 0 ? ` 等 ${more + shown.length} 个函数` : ''},定义在别处。`,
    )
  })
}

function allocates({functions}: ApiFacts): boolean {
  return functions.some(({statements}) => statements.some(({call}) => call?.name === 'AllocTensor'))
}

function headerParagraph(path: string, name: string, {prototypes}: ApiFacts, voice: Voice): string {
  return paragraph(voice, [
    voice.say(
      `${path} holds declarations only, so that callers of ${name} need not see how it is done.`,
      `${path} 只放声明,调用 ${name} 的代码不需要看到实现。`,
    ),
    ...prototypes.slice(0, 6).map((one) => prototypeSentence(one, voice)),
    queuesTasks(prototypes) ? executorSentence(voice) : '',
  ])
}

/** Whether a function of the lower layer is declared: it gets the executor itself. */
function queuesTasks(prototypes: ApiFacts['prototypes']): boolean {
  return prototypes.some(
    ({name, parameters}) => !/^aclnn/.test(name) && /\baclOpExecutor\s*\*$/.test(parameters.at(-1)?.type ?? ''),
  )
}

function executorSentence(voice: Voice): string {
  return voice.say(
    [
      'The executor comes last: it collects the tasks that a call is made of,',
      'and owns the tensors that are made on the way.',
    ].join(' '),
    '最后一个参数是执行器:它收集一次调用所需的任务,并管理过程中创建的张量。',
  )
}

function prototypeSentence(flow: FunctionFlow, voice: Voice): string {
  const {isPlan, isRun} = {
    isPlan: /GetWorkspaceSize$/.test(flow.name),
    isRun: flow.parameters.some(({type}) => /aclrtStream/.test(type)),
  }
  const text = code(signatureOf(flow))
  const [inputs, outputs] = tensorRoles(flow)
  const taken =
    inputs.length > 0 ? voice.say(`; it reads ${codeList(inputs, voice)}`, `;读取 ${codeList(inputs, voice)}`) : ''
  const given =
    outputs.length > 0
      ? voice.say(` and writes through ${codeList(outputs, voice)}`, `,通过 ${codeList(outputs, voice)} 写出`)
      : ''
  if (isPlan) return voice.say(`The first phase is ${text}${taken}${given}.`, `第一段为 ${text}${taken}${given}。`)
  if (isRun) return voice.say(`The second phase is ${text}.`, `第二段为 ${text}。`)
  return voice.say(`It declares ${text}${taken}.`, `声明 ${text}${taken}。`)
}

function listParagraph({lists}: ApiFacts, voice: Voice): string {
  const told = lists.filter(({dtypes, users}) => dtypes.length > 0 && users.length > 0)
  if (told.length === 0) return ''
  const {shown, more} = some(told, 5)
  return paragraph(voice, [
    voice.say(
      'Which types are accepted is data, not control flow, so it stands in lists:',
      '支持的类型属于数据而不是流程,因此写成列表:',
    ),
    ...shown.map((one) => {
      const users = codeList([...new Set(one.users)], voice)
      return voice.say(`${listText(one)}, used in ${users}.`, `${listText(one)},用于 ${users}。`)
    }),
    ...(more > 0 ? [restOfLists(told.slice(shown.length), voice)] : []),
  ])
}

function restOfLists(lists: ApiFacts['lists'], voice: Voice): string {
  const names = codeList(
    lists.map(({name}) => name),
    voice,
  )
  return voice.say(`Further lists of this kind: ${names}.`, `同类列表还有 ${names}。`)
}

/** Functions that only check, with the status that the caller gets. */
function checkParagraph(facts: ApiFacts, voice: Voice): string {
  const checking = facts.functions.filter((one) => isChecking(one, facts))
  if (checking.length === 0) return ''
  return paragraph(voice, [
    voice.say(
      'What cannot be computed is refused while a call is planned, not by the kernel.',
      '无法计算的输入在编排阶段就要拒绝,不能留给 kernel。',
    ),
    ...checking.slice(0, 7).map((one) => {
      const text = flowSentence(one, voice, {
        isApi: true,
        most: 10,
        keep: (each) => !isSilent(each) && !isTrivial(each),
      })
      const status = new Map(facts.statuses).get(one.name)
      if (text === '') return ''
      return status === undefined
        ? text
        : paragraph(voice, [
            text,
            voice.say(`Where it says no, the caller gets ${code(status)}.`, `不通过时返回 ${code(status)}。`),
          ])
    }),
  ])
}

/** The success at the end; one in a branch ends the function early. */
function isTrivial({text, branches}: FunctionFlow['statements'][number]): boolean {
  return branches.length === 0 && /^(?:true|ACLNN_SUCCESS|ge::GRAPH_SUCCESS)$/.test(text)
}

/** What gets the executor prepares or plans, even where its status is looked at. */
function isChecking(one: FunctionFlow, {statuses}: ApiFacts): boolean {
  if (one.parameters.some(({type}) => /\baclOpExecutor\b/.test(type))) return false
  return new Map(statuses).has(one.name) || (/^Check/.test(one.name) && checksOf(one).length > 0)
}

/** Other functions of the file that plans call. */
function helperParagraph(facts: ApiFacts, voice: Voice): string {
  const entries = new Set([...plansOf(facts), ...runsOf(facts)])
  const helpers = facts.functions.filter((one) => !entries.has(one) && !isChecking(one, facts))
  const told = helpers
    .slice(0, 7)
    .map((one) => flowSentence(one, voice, {isApi: true, most: 12}))
    .filter((one) => one !== '')
  if (told.length === 0) return ''
  const opening =
    plansOf(facts).length > 0
      ? voice.say('Functions that the plans build on:', '编排时用到的函数:')
      : voice.say('The functions, one by one.', '各函数如下。')
  return paragraph(voice, [opening, ...told])
}

function planParagraph(plan: FunctionFlow, facts: ApiFacts, voice: Voice): string {
  const steps = stepsOf(plan, facts)
  if (handedTo(plan, facts) && plan.statements.every(isPassing)) return handingParagraph(plan, facts, voice)
  if (steps.length === 0) return flowSentence(plan, voice, {isApi: true, most: 12})
  const {shown, more} = some(merged(steps), 16)
  const list = shown.map((one) => stepText(one, voice)).join(voice.say('; ', ';'))
  const rest =
    more > 0 ? voice.say(`; and ${more} more ${more > 1 ? 'steps' : 'step'}`, ` 等共 ${more + shown.length} 步`) : ''
  return paragraph(voice, [
    voice.say(`Now the order of ${code(plan.name)}:`, `${code(plan.name)} 的步骤:`),
    voice.say(`${list}${rest}.`, `${list}${rest}。`),
    nullSentence(plan, voice),
    handingParagraph(plan, facts, voice),
  ])
}

/** The call itself, its status, what is logged, and a parameter marked as unused. */
function isPassing(one: FunctionFlow['statements'][number]): boolean {
  if (one.branches.length > 0 || one.loops.length > 0) return false
  return (
    isSilent(one) || one.kind === 'return' || /^aclnn/.test(one.call?.name ?? '') || /^\(void\) ?\w+$/.test(one.text)
  )
}

/** Steps of one kind in one place that follow each other. */
interface Merged {
  kind: ApiStep['kind']
  texts: string[]
  branches: ApiStep['statement']['branches']
  ends: boolean
}

function merged(steps: readonly ApiStep[]): Merged[] {
  const found: Merged[] = []
  for (const {kind, text, statement, ends} of steps) {
    const last = found.at(-1)
    const isSame = last?.kind === kind && JSON.stringify(last.branches) === JSON.stringify(statement.branches)
    if (isSame) last.texts.push(text)
    else found.push({kind, texts: [text], branches: statement.branches, ends})
  }
  return found
}

const stepMeanings: Readonly<Record<ApiStep['kind'], {en: string; zh: string}>> = {
  executor: {en: 'the executor that collects the tasks', zh: '创建收集任务的执行器'},
  check: {en: 'the arguments are checked', zh: '校验参数'},
  contiguous: {
    en: 'kernels expect dense memory, so views are made contiguous',
    zh: 'kernel 要求内存连续,先把视图转为连续',
  },
  shape: {en: 'shape or format is adapted, not the values', zh: '调整 shape 或格式,不改变数值'},
  type: {en: 'the type that the inputs have in common', zh: '推导各输入的公共类型'},
  tensor: {en: 'a scalar or an array becomes a tensor', zh: '把标量或数组转为张量'},
  refusal: {en: 'the call is refused with', zh: '拒绝该调用'},
  cast: {en: 'types are converted', zh: '转换数据类型'},
  compute: {en: 'the computation', zh: '计算'},
  part: {en: 'a function of this file, on the same executor', zh: '由本文件的函数在同一执行器上完成'},
  'view-copy': {
    en: 'the result is copied to where the caller wants it, whatever its strides',
    zh: '把结果按调用者的步长写回输出',
  },
  empty: {en: 'the workspace of this special case', zh: '特殊情况下的 workspace'},
  workspace: {en: 'the workspace that the whole plan needs', zh: '整个任务所需的 workspace'},
  release: {en: 'the plan is handed to the caller', zh: '把执行器交给调用者'},
}

function stepText({kind, texts, branches, ends}: Merged, voice: Voice): string {
  const meaning = stepMeanings[kind]
  const place = branchText(
    branches.map((one) => ({...one, condition: shortened(one.condition)})),
    voice,
  )
  // What is only made ready is alike; each function and computation is a step of its own.
  const {shown, more} = some(
    texts.map((one) => shortened(one)),
    kind === 'part' || kind === 'compute' ? 12 : 4,
  )
  const rest = more > 0 ? voice.say(` and ${more} more`, ` 等 ${texts.length} 处`) : ''
  const list = `${codeList(shown, voice)}${rest}`
  const end = ends ? voice.say(', and the function returns', ',随后函数返回') : ''
  return voice.say(
    `${place === '' ? '' : `${place}, `}${meaning.en}: ${list}${end}`,
    `${place === '' ? '' : `${place},`}${meaning.zh}:${list}${end}`,
  )
}

function nullSentence({statements}: FunctionFlow, voice: Voice): string {
  const inner = statements.filter(findsNull)
  if (inner.length === 0) return ''
  const checks = inner.length === 1 ? 'one check returns' : `${inner.length} checks return`
  const status = code('ACLNN_ERR_INNER_NULLPTR')
  return voice.say(
    `A step may return a null pointer; ${checks} ${status} then.`,
    `这些步骤可能返回空指针,有 ${inner.length} 处检查在此时返回 ${status}。`,
  )
}

/** Every way to look for a null pointer, since the text gives their number. */
function findsNull(one: FunctionFlow['statements'][number]): boolean {
  const status = 'ACLNN_ERR_INNER_NULLPTR'
  const check = checkOf(one, {isApi: true})
  if (check)
    return check.result === status && (check.kind === 'not-null' || /\bnullptr\b/.test(check.subjects[0] ?? ''))
  return one.kind === 'return' && one.text === status
}

function launchParagraph({launches, registered, functions}: ApiFacts, voice: Voice): string {
  if (launches.length === 0) return ''
  const units = [...new Set(launches.map(({unit}) => unit))]
  return paragraph(voice, [
    registered.length > 0
      ? voice.say(
          `${codeList(
            registered.map((name) => `OP_TYPE_REGISTER(${name})`),
            voice,
          )} makes the operator's type known to the executor.`,
          `${codeList(
            registered.map((name) => `OP_TYPE_REGISTER(${name})`),
            voice,
          )} 向执行器登记算子类型。`,
        )
      : '',
    ...some(launches, 4).shown.map(({method, unit, text}) =>
      voice.say(
        `${code(method)} queues the task on the ${unit}: ${code(shortened(text))}.`,
        `${code(method)} 把任务下发到 ${unit}:${code(shortened(text))}。`,
      ),
    ),
    units.length > 1 && functions.some(({name}) => /ai_?core/i.test(name))
      ? voice.say(
          [
            'The AI CPU is the way out for types or shapes that the AI Core kernel does not cover;',
            'which way is taken depends on the conditions above.',
          ].join(' '),
          'AI Core 不支持的类型或 shape 由 AI CPU 兜底,走哪条路由上面的条件决定。',
        )
      : '',
  ])
}

function runsOnly(statements: FunctionFlow['statements']): boolean {
  const told = statements.filter((one) => !isSilent(one))
  return told.length === 1 && /\bCommonOpExecutorRun\s*\(/.test(told[0]!.text)
}

function runParagraph(facts: ApiFacts, voice: Voice): string {
  const plain = runsOf(facts).filter(({statements}) => runsOnly(statements))
  if (plain.length === 0) return ''
  const list = codeList(
    plain.map(({name}) => name),
    voice,
  )
  return voice.say(
    `The second phase, ${list}, decides nothing any more: ${code('CommonOpExecutorRun')} runs the plan on the stream.`,
    `第二段 ${list} 不再做判断,由 ${code('CommonOpExecutorRun')} 在 stream 上执行。`,
  )
}

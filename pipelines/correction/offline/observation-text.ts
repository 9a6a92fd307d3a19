import {code, paragraph, type Voice} from '../../../datasets/voice.ts'
import type {Observation} from '../observation.ts'

// The evidence is the executor's own words, which are English: it is quoted in either language.

const mostCases = 3

/** What is shown of a run to who asks for the error: facts without a reading of them. */
export function evidenceText(observed: Observation): string {
  switch (observed.kind) {
    case 'rule': {
      const {case: id, block, api, tensor, rule, message} = observed
      return [
        `case ${id}: a rule of the device is broken (${rule})`,
        `core ${block}, ${api}${tensor === '' ? '' : `, ${tensor}`}: ${message}`,
      ].join('\n')
    }
    case 'numbers': {
      const {failing, cases} = observed
      const shown = failing.slice(0, mostCases).map(({case: id, reason}) => `case ${id}: ${reason}`)
      return [`${failing.length} of ${cases} cases give wrong values`, ...shown].join('\n')
    }
    case 'stopped':
      return `case ${observed.case}: ${observed.how}: ${observed.detail}`
    case 'link':
      return observed.log
  }
}

/** What it means. */
export function readingOf(observed: Observation, voice: Voice): string {
  const {say} = voice
  switch (observed.kind) {
    case 'rule': {
      const [api, core] = [code(observed.api), observed.block]
      return say(
        `The code compiles, but the run ends in ${api} on core ${core}: ${observed.message}.`,
        `代码能编译，但运行停在核 ${core} 的 ${api}：${code(observed.message)}。`,
      )
    }
    case 'numbers':
      return numbers(observed, voice)
    case 'stopped':
      return stopped(observed, voice)
    case 'link':
      return say(
        'Every file compiles, and the linker finds no definition for something that is used.',
        '每个文件都能编译，但链接时有用到的名字找不到定义。',
      )
  }
}

function numbers({failing, cases, passesItsOwn}: Extract<Observation, {kind: 'numbers'}>, voice: Voice): string {
  const {say} = voice
  const some = failing.length < cases
  const broken = failing.flatMap(({case: id, reason}) => {
    const rule = /^([a-z]+(?:-[a-z]+)+) in \w+:/.exec(reason)?.[1]
    return rule === undefined ? [] : [say(`case ${id} (${rule})`, `用例 ${id}（${code(rule)}）`)]
  })
  return paragraph(voice, [
    broken.length === 0
      ? say(
          'It runs to its end and breaks none of the rules that are checked; the values are wrong.',
          '运行能够结束，没有违反所检查的规则，但数值不对。',
        )
      : say(
          `The cases do not fail alike: some give wrong values, and a rule of the device is broken in ${broken[0]}.`,
          `各用例的失败方式不同：有的数值不对，${broken[0]}则违反了硬件规则。`,
        ),
    say(
      `${failing.length} of ${cases} cases fail${some ? '; the shapes or values of the others hide the fault' : ''}.`,
      `${cases} 个用例中有 ${failing.length} 个失败${some ? '；其余用例的形状或取值掩盖了错误' : ''}。`,
    ),
    passesItsOwn
      ? say(
          plainPasses,
          '任务自带的运行能够通过。更严格的运行通不过：换用其他取值与大小，输出预先填入任意字节，并要求输入不变。',
        )
      : '',
  ])
}

/** The benchmark's own run, which the hardened one adds to. */
const plainPasses =
  'The plain run of the task passes. The stricter ones do not: they take other values and sizes, put arbitrary bytes ' +
  'into the outputs first, and want the inputs unchanged.'

function stopped({how, detail}: Extract<Observation, {kind: 'stopped'}>, {say}: Voice): string {
  switch (how) {
    case 'crashed':
      return say(`The process of the operator dies: ${detail}.`, `算子进程异常退出：${code(detail)}。`)
    case 'timed-out':
      return say(
        `It does not come to an end within ${detail}: a loop or a wait never finishes.`,
        `在 ${code(detail)} 内没有结束：有循环或等待永远不会完成。`,
      )
    case 'launch-failed':
      return say(
        `The kernel never starts, the host side fails before it: ${detail}.`,
        `核函数没有启动，Host 侧在此之前失败：${code(detail)}。`,
      )
  }
}

/** What the only fault leads to in the run; '' where the fault itself tells it. */
export function consequenceOf(observed: Observation, {say}: Voice): string {
  if (observed.kind === 'numbers') return say('That is why the values are wrong.', '数值因此不对。')
  const said = observed.kind === 'rule' ? consequences[observed.rule] : undefined
  return said ? say(...said) : ''
}

const consequences: Readonly<Record<string, [en: string, zh: string]>> = {
  'read-unwritten': ['So elements are read that nothing has written.', '因此读到了没有写入过的元素。'],
  'gm-out-of-range': [
    'So an access passes the end of a tensor in global memory.',
    '因此访问越过了全局内存中张量的末尾。',
  ],
  'out-of-buffer': ['So an access passes the end of its buffer in UB.', '因此访问越过了 UB 中缓冲区的末尾。'],
  'gm-overlap': ['So two cores write the same elements.', '因此两个核写入了相同的元素。'],
  'deque-empty': ['So DeQue finds nothing in its queue.', '因此 DeQue 时队列是空的。'],
  'tensor-leak': ['So a tensor is still taken when the kernel ends.', '因此核函数结束时仍有张量没有释放。'],
  'pipe-hazard': [
    'So two pipes touch the same bytes, and neither waits for the other.',
    '因此两条流水访问相同的字节，却没有互相等待。',
  ],
  'unaligned-ub': [
    'So the instruction begins at an address in UB that is no multiple of 32 bytes, as it has to be.',
    '因此指令的 UB 起始地址不是 32 字节的倍数，而这是必须的。',
  ],
  'unaligned-gm': ['So the address is not aligned as the copy demands.', '因此地址不满足搬运的对齐要求。'],
  'null-tensor': ['So a tensor is used that has no memory.', '因此使用了没有内存的张量。'],
  'partial-overlap': ['So result and source overlap in a part.', '因此结果与源部分重叠。'],
}

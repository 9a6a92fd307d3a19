import {escaped, isLarger, isSmaller, offsetOf, scaleOf} from './text-relations.ts'
import {code, type Voice} from '../../../datasets/voice.ts'
import type {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import {isOperation, operationText} from './operations.ts'
import {
  changedArgument,
  failedStatements,
  kindOf,
  parameterNames,
  type Reason,
  type Replaced,
  type Scene,
  type Site,
  sitesOf,
} from './reason.ts'

interface Changed {
  wrong: string
  right: string
}

/** An index, a length, a size or a factor that is computed another way than the right one. */
export function expressionReason(edit: Replaced, scene: Scene): Reason | undefined {
  const sites = sitesOf(edit)
  const ofFields = fieldReason(sites, scene)
  if (ofFields) return ofFields
  for (const site of sites) {
    const changed = changedArgument(site)
    if (!changed) continue
    const told =
      (site.after.mark === '[' ? indexReason(site, changed, scene) : undefined) ??
      partReason(site, changed, scene) ??
      addressReason(site, changed, scene) ??
      countReason(site, changed, edit, scene) ??
      modeReason(site, changed, scene)
    if (told) return told
  }
  return undefined
}

/** `tensor[index]`. */
function indexReason({after}: Site, {wrong, right}: Changed, {voice: {say}}: Scene): Reason | undefined {
  const tensor = code(after.name)
  const scaled = scaleOf(wrong, right)
  if (scaled !== undefined)
    return {
      fault: say(
        `The index of ${tensor} is multiplied by ${code(scaled)}: ${code(wrong)} counts bytes.`,
        `${tensor}的下标多乘了${code(scaled)}，${code(wrong)}是按字节算的。`,
      ),
      why: say(
        `A tensor is indexed by elements, so ${code(right)} is the place already.`,
        `tensor的下标以元素为单位，${code(right)}就是位置本身。`,
      ),
      fromCode: true,
    }
  const offset = offsetOf(wrong, right)
  if (offset !== undefined)
    return {
      fault: say(
        `The index of ${tensor} is ${code(wrong)}, off its place by ${code(offset)}.`,
        `${tensor}的下标是${code(wrong)}，偏了${code(offset)}。`,
      ),
      why: say(
        `The part that belongs to this step begins at ${code(right)}; the offset leaves elements of it out and touches others that do not belong to it.`,
        `这一步的数据从${code(right)}开始，偏移之后漏掉了其中一些元素，又碰到了不属于它的元素。`,
      ),
      fromCode: true,
    }
  if (wrong !== '0') return undefined
  return {
    fault: say(
      `The index of ${tensor} is ${code('0')} where ${code(right)} belongs, so every piece is taken at its start.`,
      `${tensor}的下标写成了${code('0')}，应为${code(right)}，于是每一块都在开头。`,
    ),
    why: say(
      `${code(right)} changes from piece to piece, and that alone tells them apart.`,
      `${code(right)}随每一块变化，不同的块只靠它区分。`,
    ),
    fromCode: true,
  }
}

/** `tensor[8]` where the whole tensor is meant. */
function partReason(site: Site, {wrong, right}: Changed, scene: Scene): Reason | undefined {
  const from = new RegExp(`^${escaped(right)}\\[(.+)\\]$`).exec(wrong)?.[1]
  if (from === undefined || site.after.mark !== '(' || kindOf(right, scene) === undefined) return undefined
  const {say} = scene.voice
  const sources = site.after.args.slice(1).filter((text) => text === right)
  const isResult = site.after.args[0] === right
  const own = say(
    ` The same call reads ${code(right)} from its start, so result and source overlap without being equal.`,
    `同一条指令又从头读${code(right)}，结果和源部分重叠而不相等。`,
  )
  return {
    fault: say(
      `${code(site.after.name)} is given ${code(wrong)}: it begins ${from} ${from === '1' ? 'element' : 'elements'} behind the start of ${code(right)}.`,
      `${code(site.after.name)}用的是${code(wrong)}，从${code(right)}的第${from}个元素开始。`,
    ),
    why: say(
      `The data lies at the start of ${code(right)}, and so many elements fewer fit behind that place.${isResult && sources.length > 0 ? own : ''}`,
      `数据在${code(right)}的开头，从那个位置起放得下的元素也少了这么多。${isResult && sources.length > 0 ? own : ''}`,
    ),
    fromCode: true,
  }
}

/** The fields of copy parameters, by name as their page has them. */
function fieldReason(sites: readonly Site[], scene: Scene): Reason | undefined {
  const site = sites.find(({after}) => after.mark === '{' && /^DataCopy\w*Params$/.test(after.name))
  if (!site || site.before.args.length !== site.after.args.length) return undefined
  const {apis, voice} = scene
  const {say, list} = voice
  const fields = fieldsOf(site.after.name, apis)
  const places = site.after.args.flatMap((text, at) => (text === site.before.args[at] ? [] : [at]))
  if (!fields || places.some((at) => fields[at] === undefined)) return undefined
  const told = places.map((at) =>
    say(
      `${code(fields[at]!)} is ${code(site.before.args[at]!)} where ${code(site.after.args[at]!)} belongs`,
      `${code(fields[at]!)}写成了${code(site.before.args[at]!)}，应为${code(site.after.args[at]!)}`,
    ),
  )
  const whys = isUnpadded(fields, site.after.args)
    ? [unpadded(voice)]
    : places.map((at) => fieldRule(fields[at]!, {wrong: site.before.args[at]!, right: site.after.args[at]!}, voice))
  if (whys.some((why) => why === undefined)) return undefined
  return {
    fault: say(`In ${code(site.after.receiver)}, ${list(told)}.`, `${code(site.after.receiver)}里${told.join('，')}。`),
    why: [...new Set(whys)].join(voice.language === 'en' ? ' ' : ''),
    fromCode: true,
  }
}

function isUnpadded(fields: readonly string[], args: readonly string[]): boolean {
  return fields[0] === 'isPad' && args[0] === 'false' && args[1] === '0' && args[2] === '0'
}

function unpadded({say}: Voice): string {
  return say(
    'Padding counts elements, and on one side it fills 32 bytes at most; this copy needs none of its own, since up to the next whole 32 bytes the hardware fills by itself.',
    '填充以元素为单位，一侧最多填满32字节；这次搬运不需要自己填充，不足32字节的部分由硬件补齐。',
  )
}

function fieldsOf(structure: string, apis: ReadonlyMap<string, ApiEntry>): string[] | undefined {
  for (const {parameters} of apis.values()) {
    const fields = parameters.filter((one) => one.structure === structure).flatMap(({names}) => names)
    if (fields.length > 0) return fields
  }
  return undefined
}

function fieldRule(field: string, {wrong, right}: Changed, {say}: Voice): string | undefined {
  const [inner, other] = [insideOfCast(right), insideOfCast(wrong)]
  if (field === 'blockLen') {
    if (other === '0') return say('A block of no bytes is not moved at all.', '长度为零就什么也不搬。')
    const divisor = /^\(?(.+?)\)? \/ (\d+)$/.exec(other)
    if (divisor && divisor[2] === '32')
      return say(
        'It counts bytes in DataCopyExtParams; blocks of 32 bytes are the unit of DataCopyParams.',
        'DataCopyExtParams里它以字节为单位，以32字节的块为单位的是DataCopyParams。',
      )
    if (divisor)
      return say(`Only a part of ${code(inner)} bytes is copied then.`, `这样只搬了${code(inner)}字节的一部分。`)
    if (/ \+ \d+$| \* \d+$/.test(other))
      return say(`More bytes are copied then than ${code(inner)}.`, `这样搬的字节比${code(inner)}多。`)
    if (/\* sizeof\(/.test(inner) && !/sizeof/.test(other))
      return say('It counts bytes, not elements.', '它以字节为单位，不是元素个数。')
    return undefined
  }
  if (/^(?:left|right)Padding$/.test(field))
    return say(
      'Padding counts elements, and what it fills on one side is 32 bytes at most; only what a row lacks to its aligned length is filled.',
      '填充以元素为单位，一侧最多填满32字节，只补一行到对齐长度所缺的元素。',
    )
  if (field === 'isPad') return say('isPad says whether elements are filled in at all.', 'isPad决定到底填不填充。')
  if (field === 'dstStride' || field === 'srcStride')
    return say(
      'A stride is the gap between two blocks: bytes in global memory, data blocks of 32 bytes in UB; the rows lie without such a gap in the buffer that was set up for them.',
      'stride是相邻两块之间的间隔：全局内存里按字节，UB里按32字节的数据块；缓冲区是按这些行之间没有这个间隔申请的。',
    )
  if (field === 'blockCount') return say('It is the number of blocks that one copy moves.', '它是一次搬运的块数。')
  return undefined
}

function insideOfCast(text: string): string {
  return /^(?:static_cast<\w+>|u?int\d+_t|\(u?int\d+_t\))\((.*)\)$/.exec(text)?.[1] ?? text
}

/** `SetGlobalBuffer(address, …)`. */
function addressReason({after}: Site, {wrong, right}: Changed, {voice: {say}}: Scene): Reason | undefined {
  if (after.name !== 'SetGlobalBuffer') return undefined
  const offset = offsetOf(wrong, right)
  if (offset === undefined) return undefined
  const tensor = code(after.receiver)
  return {
    fault: say(
      `${tensor} begins behind the start of the core's share, by ${code(offset)}.`,
      `${tensor}的起点比本核的那一份靠后${code(offset)}个元素。`,
    ),
    why: say(
      `The address ${code(right)} is the share already; moved on, the first elements are left out and the last ones are those of the next core, or of nobody.`,
      `地址${code(right)}就是本核那一份的起点，再往后移就漏掉开头，末尾则是下一个核的或者不属于任何核的数据。`,
    ),
    fromCode: true,
  }
}

/** A number of elements, bytes or cores. */
function countReason(
  site: Site,
  {at, wrong, right}: Changed & {at: number},
  {path}: Replaced,
  scene: Scene,
): Reason | undefined {
  const {voice} = scene
  const {say} = voice
  const {name, args, mark} = site.after
  if (mark !== '(') return undefined
  const call = code(name)
  if (name === 'SetBlockDim')
    return {
      fault: say(
        `${code(wrong)} cores are launched, not ${code(right)}.`,
        `启动的核数是${code(wrong)}，不是${code(right)}。`,
      ),
      why: say(
        `The tiling splits the work over ${code(right)} cores, and each core takes the share of its own index: what no core takes stays undone.`,
        `tiling按${code(right)}个核切分，每个核按自己的编号取一份，没有核去取的那一份就没人算。`,
      ),
      fromCode: true,
    }
  if (right === `${wrong}->GetData()`)
    return {
      fault: say(
        `${call} is given the buffer object ${code(wrong)} itself.`,
        `${call}拿到的是缓冲区对象${code(wrong)}本身。`,
      ),
      why: say(
        `It writes to the address that it gets: the bytes of the buffer are at ${code(right)}, and the object itself is destroyed otherwise.`,
        `它往给定的地址写：缓冲区的字节在${code(right)}，否则就把对象本身写坏了。`,
      ),
      fromCode: true,
    }
  if (name === 'InitBuffer') return bufferReason({at, wrong, right}, args, scene)
  if (wrong === `-${right}`)
    return {
      fault: say(`${call} is given ${code(wrong)}: the sign is wrong.`, `${call}用的是${code(wrong)}，符号错了。`),
      why: say(`${operationText(site.after, voice)}`, `${operationText(site.after, voice)}`),
      fromCode: false,
    }
  const isCount = at === args.length - 1 && (isOperation(name) || /^DataCopy$/.test(name))
  if (!isCount) return constantReason(site, {wrong, right}, scene)
  const places = lengthPlaces(path, right, scene)
  if (isSmaller(wrong, right))
    return {
      fault: say(
        `${call} works on ${code(wrong)} ${wrong === '1' ? 'element' : 'elements'}, fewer than the ${code(right)} that there are.`,
        `${call}只处理${code(wrong)}个元素，少于这一块的${code(right)}个。`,
      ),
      why: say(
        `The elements behind them keep what lay in the buffer before.${places}`,
        `后面的元素还是缓冲区里原来的值。${places}`,
      ),
      fromCode: true,
    }
  if (isLarger(wrong, right))
    return {
      fault: say(
        `${call} works on ${code(wrong)} elements, more than the ${code(right)} that there are.`,
        `${call}要处理${code(wrong)}个元素，多于实有的${code(right)}个。`,
      ),
      why: say(
        `It reads and writes behind the data, past the end of the buffer where that is no longer.${places}`,
        `它会读写数据之后的位置，缓冲区不够长时就越界。${places}`,
      ),
      fromCode: true,
    }
  if (/^Compare/.test(name) && /padded|aligned/i.test(right))
    return {
      fault: say(
        `${call} is given ${code(wrong)} elements, which need be no whole 256 bytes.`,
        `${call}的元素个数是${code(wrong)}，不一定凑满256字节。`,
      ),
      why: say(
        `A comparison by count takes whole vectors of 256 bytes; ${code(right)} is that length rounded up.`,
        `按个数比较要求长度是256字节的整数倍，${code(right)}就是向上取整之后的长度。`,
      ),
      fromCode: true,
    }
  return undefined
}

function lengthPlaces(path: string, name: string, scene: Scene): string {
  if (!/^\w+$/.test(name)) return ''
  const where = failedStatements(path, scene).find(({text}) => new RegExp(`\\b${name} = `).test(text))
  const {say} = scene.voice
  return where ? say(` Line ${where.line} computes that length.`, `这个长度在第${where.line}行算出。`) : ''
}

function bufferReason(
  {at, wrong, right}: Changed & {at: number},
  args: readonly string[],
  {voice: {say}}: Scene,
): Reason | undefined {
  const [owner = ''] = args
  const isNumber = at === 1 && args.length === 3
  if (isNumber)
    return {
      fault: say(
        `${code(owner)} is set up with ${code(wrong)} buffers, not ${code(right)}.`,
        `${code(owner)}申请了${code(wrong)}个缓冲区，应为${code(right)}个。`,
      ),
      why: say(
        `A queue needs at least one buffer to allocate from, as many as it is declared with, and all of them have to fit into UB.`,
        `队列至少要有一个可分配的缓冲区，个数和声明一致，并且总和要放得进UB。`,
      ),
      fromCode: true,
    }
  if (at !== args.length - 1) return undefined
  const shared = (en: string, zh: string, why: [string, string]): Reason => ({
    fault: say(
      `${code(owner)} gets ${code(wrong)} bytes, ${en} ${code(right)}.`,
      `${code(owner)}申请了${code(wrong)}字节，${zh}${code(right)}。`,
    ),
    why: say(...why),
    fromCode: true,
  })
  if (isSmaller(wrong, right) || /^\d{1,3}$/.test(wrong))
    return shared('fewer than', '少于', [
      `The steps below are written for ${code(right)} bytes and pass its end.`,
      `后面的步骤是按${code(right)}字节写的，会越过它的末尾。`,
    ])
  if (/\* ?1024/.test(wrong))
    return shared('not', '应为', [
      'UB has 192 KB for all queues and buffers together.',
      'UB一共192KB，要放下所有队列和缓冲区。',
    ])
  return undefined
}

/** A literal for another value, of which the task tells what is right. */
function constantReason(site: Site, {wrong, right}: Changed, {voice}: Scene): Reason | undefined {
  const {name} = site.after
  const does = operationText(site.after, voice)
  if (!isOperation(name) || does === '' || !isLiteral(wrong) || !isLiteral(right)) return undefined
  return {
    fault: voice.say(
      `${code(name)} is given the constant ${code(wrong)} where ${code(right)} belongs.`,
      `${code(name)}的常数写成了${code(wrong)}，应为${code(right)}。`,
    ),
    why: `${does}${neutral(name, right, voice)}`,
    fromCode: false,
  }
}

function neutral(name: string, right: string, {say}: Voice): string {
  if (name === 'Adds' && Number.parseFloat(right) === 0)
    return say(' Adding zero copies the values as they are.', '加零就是原样拷贝。')
  if (name === 'Muls' && Number.parseFloat(right) === 1)
    return say(' A factor of one copies the values as they are.', '乘一就是原样拷贝。')
  return ''
}

const isLiteral = (text: string) => /^(?:static_cast<\w+>\()?-?[\d.]+[a-z]*\)?$/.test(text)

/** `RoundMode::CAST_ODD`. */
function modeReason({after}: Site, {at, wrong, right}: Changed & {at: number}, scene: Scene): Reason | undefined {
  const {say} = scene.voice
  if (!/^RoundMode::/.test(right) || !/^RoundMode::CAST_\w+$/.test(wrong)) return undefined
  const names = parameterNames(after.name, after.args.length, scene)
  const of = names?.[at] ?? 'roundMode'
  const isNone = right.endsWith('CAST_NONE')
  if (!isNone) return undefined
  return {
    fault: say(
      `${code(after.name)} is given ${code(wrong)} as ${code(of)}, which this conversion does not have.`,
      `${code(after.name)}的${code(of)}写成了${code(wrong)}，这个转换没有这种模式。`,
    ),
    why: say(
      `A conversion to a wider type rounds nothing: its mode is ${code(right)}.`,
      `转换到更宽的类型不需要舍入，模式是${code(right)}。`,
    ),
    fromCode: true,
  }
}

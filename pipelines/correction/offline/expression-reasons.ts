import {countReason} from './count-reasons.ts'
import {escaped, offsetOf, scaleOf} from './text-relations.ts'
import {code, type Voice} from '../../../datasets/voice.ts'
import type {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import {
  changedArgument,
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
        `The part that belongs to this step begins at ${code(right)}; ` +
          'the offset leaves elements of it out and touches others that do not belong to it.',
        `这一步的数据从${code(right)}开始，偏移之后漏掉了其中一些元素，又碰到了不属于它的元素。`,
      ),
      fromCode: true,
    }
  if (wrong !== '0') return undefined
  return {
    fault: say(
      `The index of ${tensor} is ${code('0')} where ${code(right)} belongs, so the access is always at its start.`,
      `${tensor}的下标写成了${code('0')}，应为${code(right)}，于是总是从开头访问。`,
    ),
    why: say(
      `${code(right)} says where the part of this step begins; without it every step gets the same elements.`,
      `这一步的数据从哪里开始由${code(right)}给出，没有它每一步碰到的都是同样的元素。`,
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
  const overlaps = site.after.args[0] === right && sources.length > 0
  const own = overlaps
    ? say(
        ` The same call reads ${code(right)} from its start, so result and source overlap without being equal.`,
        `同一条指令又从头读${code(right)}，结果和源部分重叠而不相等。`,
      )
    : ''
  const elements = from === '1' ? 'element' : 'elements'
  return {
    fault: say(
      `${code(site.after.name)} is given ${code(wrong)}: it begins ${from} ${elements} behind the ` +
        `start of ${code(right)}.`,
      `${code(site.after.name)}用的是${code(wrong)}，跳过了${code(right)}的前${from}个元素。`,
    ),
    why: say(
      `The data lies at the start of ${code(right)}, and so many elements fewer fit behind that place.${own}`,
      `数据在${code(right)}的开头，从那个位置起放得下的元素也少了这么多。${own}`,
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
    ? [
        unpadded(
          places.map((at) => fields[at]!),
          voice,
        ),
      ]
    : places.map((at) => {
        const changed = {wrong: site.before.args[at]!, right: site.after.args[at]!}
        return /Stride$/.test(fields[at]!)
          ? strideRule(site.after.name, changed, voice)
          : fieldRule(fields[at]!, changed, voice)
      })
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

function unpadded(changed: readonly string[], {say}: Voice): string {
  const [en, zh] = changed.some((field) => /^(?:left|right)Padding$/.test(field))
    ? [
        'Padding counts elements, and on one side it fills 32 bytes at most; this copy needs none',
        '填充以元素为单位，一侧最多填满32字节；',
      ]
    : ['This copy needs no padding', '']
  return say(
    `${en} of its own, since up to the next whole 32 bytes the hardware fills by itself.`,
    `${zh}这次搬运不需要自己填充，不足32字节的部分由硬件补齐。`,
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
      'Padding counts elements, and what it fills on one side is 32 bytes at most; ' +
        'only what a row lacks to its aligned length is filled.',
      '填充以元素为单位，一侧最多填满32字节，只补一行到对齐长度所缺的元素。',
    )
  if (field === 'isPad') return say('isPad says whether elements are filled in at all.', 'isPad决定到底填不填充。')
  if (field === 'blockCount') return say('It is the number of blocks that one copy moves.', '它是一次搬运的块数。')
  return undefined
}

/** Only the form with bytes, in which the unit depends on the side, is told. */
function strideRule(structure: string, {wrong, right}: Changed, {say}: Voice): string | undefined {
  if (structure !== 'DataCopyExtParams') return undefined
  const unit = say(
    'A stride is the gap between two blocks: bytes in global memory, data blocks of 32 bytes in UB',
    'stride是相邻两块之间的间隔：全局内存里按字节，UB里按32字节的数据块',
  )
  if (insideOfCast(right) === '0')
    return say(`${unit}; these blocks lie without a gap.`, `${unit}；这里的各块之间没有间隔。`)
  return insideOfCast(wrong) === '0'
    ? say(
        `${unit}; with 0 each block follows the one before, where ${code(right)} is left between them.`,
        `${unit}；写成0就一块紧接一块，而这里相邻两块之间隔着${code(right)}。`,
      )
    : say(`${unit}; here it is ${code(right)}.`, `${unit}；这里是${code(right)}。`)
}

function insideOfCast(text: string): string {
  return /^(?:static_cast<\w+>|u?int\d+_t|\(u?int\d+_t\))\((.*)\)$/.exec(text)?.[1] ?? text
}

/** `SetGlobalBuffer(address, …)`. */
function addressReason({after}: Site, {wrong, right}: Changed, {voice: {say}}: Scene): Reason | undefined {
  if (after.name !== 'SetGlobalBuffer') return undefined
  const offset = offsetOf(wrong, right)
  // What lies before an address is not in the code.
  if (offset === undefined || offset.startsWith('-')) return undefined
  const tensor = code(after.receiver)
  if (!right.includes(' + '))
    return {
      fault: say(
        `${tensor} begins behind the start of its memory, by ${code(offset)}.`,
        `${tensor}的起点比它的内存靠后${code(offset)}个元素。`,
      ),
      why: say(
        `The data begins at ${code(right)}: moved on, the first elements are left out and every index is off.`,
        `数据从${code(right)}开始，往后移就漏掉开头，所有下标也都偏了。`,
      ),
      fromCode: true,
    }
  return {
    fault: say(
      `${tensor} begins behind the start of the core's share, by ${code(offset)}.`,
      `${tensor}的起点比本核的那一份靠后${code(offset)}个元素。`,
    ),
    why: say(
      `The address ${code(right)} is the share already; moved on, ` +
        'the first elements are left out and the last ones are those of the next core, or of nobody.',
      `地址${code(right)}就是本核那一份的起点，再往后移就漏掉开头，末尾则是下一个核的或者不属于任何核的数据。`,
    ),
    fromCode: true,
  }
}

/** `RoundMode::CAST_ODD`. */
function modeReason({after}: Site, {at, wrong, right}: Changed & {at: number}, scene: Scene): Reason | undefined {
  const {say} = scene.voice
  if (!/^RoundMode::/.test(right) || !/^RoundMode::CAST_\w+$/.test(wrong)) return undefined
  const names = parameterNames(after.name, after.args, scene)
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

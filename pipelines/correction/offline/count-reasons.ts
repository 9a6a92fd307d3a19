import {familyOf} from '../../../cpp/interfaces.ts'
import {isLarger, isSmaller} from './text-relations.ts'
import {code, type Voice} from '../../../datasets/voice.ts'
import {isOperation, operationText} from './operations.ts'
import {failedStatements, type Reason, type Replaced, type Scene, type Site} from './reason.ts'

interface Changed {
  wrong: string
  right: string
}

/** A number of elements, bytes or cores. */
export function countReason(
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
  if (name === 'SetBlockDim') return coresReason({wrong, right}, voice)
  if (right === `${wrong}->GetData()`) return objectReason(call, {wrong, right}, voice)
  if (name === 'InitBuffer') return bufferReason({at, wrong, right}, args, scene)
  if (wrong === `-${right}`)
    return {
      fault: say(`${call} is given ${code(wrong)}: the sign is wrong.`, `${call}用的是${code(wrong)}，符号错了。`),
      why: say(`${operationText(site.after, voice)}`, `${operationText(site.after, voice)}`),
      fromCode: false,
    }
  const isCount = at === args.length - 1 && (isOperation(name) || /^DataCopy$/.test(name))
  if (!isCount) return constantReason(site, {wrong, right}, scene)
  return lengthReason(name, {wrong, right}, lengthPlaces(path, right, scene), voice)
}

function coresReason({wrong, right}: Changed, {say}: Voice): Reason {
  const cores = (count: string) => `${code(count)} ${count === '1' ? 'core' : 'cores'}`
  const split = say(
    `The tiling splits the work over ${cores(right)}, and each core takes the share of its own index`,
    `tiling按${code(right)}个核切分，每个核按自己的编号取一份`,
  )
  const follows = () => {
    if (isSmaller(wrong, right)) return say(': what no core takes stays undone.', '，没有核去取的那一份就没人算。')
    if (isLarger(wrong, right))
      return say('; a core without a share may work behind the data.', '，没有份额的核可能越过数据。')
    return say('; the number that is launched has to be the same.', '，启动的核数要和它一致。')
  }
  return {
    fault: say(
      `${cores(wrong)} ${wrong === '1' ? 'is' : 'are'} launched, not ${code(right)}.`,
      `启动的核数是${code(wrong)}，不是${code(right)}。`,
    ),
    why: `${split}${follows()}`,
    fromCode: true,
  }
}

/** `SaveToBuffer(buffer, …)` for `SaveToBuffer(buffer->GetData(), …)`. */
function objectReason(call: string, {wrong, right}: Changed, {say}: Voice): Reason {
  return {
    fault: say(
      `${call} is given the buffer object ${code(wrong)} itself.`,
      `${call}拿到的是缓冲区对象${code(wrong)}本身。`,
    ),
    why: say(
      `It writes to the address that it gets: the bytes of the buffer are at ${code(right)}, ` +
        'and the object itself is destroyed otherwise.',
      `它往给定的地址写：缓冲区的字节在${code(right)}，否则就把对象本身写坏了。`,
    ),
    fromCode: true,
  }
}

/** The number of elements that an instruction works on; places say where it is computed. */
function lengthReason(name: string, {wrong, right}: Changed, places: string, {say}: Voice): Reason | undefined {
  const call = code(name)
  const elements = wrong === '1' ? 'element' : 'elements'
  if (isSmaller(wrong, right))
    return {
      fault: say(
        `${call} works on ${code(wrong)} ${elements}, fewer than the ${code(right)} that there are.`,
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
  if (familyOf(name) === 'comparison' && /padded|aligned/i.test(right))
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
        'A queue needs at least one buffer to allocate from, as many as it is declared with, ' +
          'and all of them have to fit into UB.',
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
  if (isSmaller(wrong, right) || (/^\d{1,3}$/.test(wrong) && !/^\d+$/.test(right)))
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
  if (does === '' || !isLiteral(wrong) || !isLiteral(right)) return undefined
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

import {code} from '../../../datasets/voice.ts'
import {type Reason, type Replaced, type Scene, stretchOf} from './reason.ts'
import {escaped} from './text-relations.ts'

interface Changed {
  wrong: string
  right: string
}

/** A value that is assigned, or a condition: which field, which bound. */
export function valueReason(edit: Replaced, scene: Scene): Reason | undefined {
  const {before, after} = edit
  const {say} = scene.voice
  const {wrong, right} = stretchOf(edit)
  const other = fieldOf(before.text, after.text, wrong, right)
  if (other) return otherField(other, edit, scene)
  const guard = / \|\| GetBlockIdx\(\) == 0/.exec(before.text)
  if (guard && before.text.replace(guard[0], '') === after.text) {
    const condition = code(after.text.replace(/^if \((.*)\) \{?.*$/, '$1'))
    return {
      fault: say('The first core returns here as well, whatever its share is.', '第一个核不管有没有数据都在这里返回。'),
      why: say(
        `Only a core for which ${condition} holds has nothing to do; core 0 has a share like the others, ` +
          'and nothing of it is set up or computed then.',
        `只有满足${condition}的核才没有活，0号核也有自己的一份，这样就没人算了。`,
      ),
      fromCode: true,
    }
  }
  return (
    loopBound(edit, scene) ??
    comparison(edit, scene) ??
    tail(edit, scene) ??
    roundedUp(edit, scene) ??
    dimension(edit, scene)
  )
}

function fieldOf(before: string, after: string, wrong: string, right: string) {
  const [a, b] = [/\b(\w*[tT]iling\w*)\.(\w+)/g, /\b(\w*[tT]iling\w*)\.(\w+)/g].map((pattern, at) => [
    ...(at === 0 ? before : after).matchAll(pattern),
  ])
  const index = b!.findIndex(([text], at) => text !== a![at]?.[0])
  const [mine, theirs] = [a![index], b![index]]
  if (!mine || !theirs || a!.length !== b!.length || mine[1] !== theirs[1]) return undefined
  return wrong === mine[2] && right === theirs[2] ? {wrong, right} : undefined
}

function otherField({wrong, right}: Changed, {before, after}: Replaced, scene: Scene): Reason | undefined {
  const {say} = scene.voice
  const isKnown = scene.right.some(({text}) => new RegExp(`\\b${wrong}\\b`).test(text.replaceAll(before.text, '')))
  if (!isKnown) return undefined
  const why = fieldMeaning(wrong, right, scene)
  if (why === undefined) return undefined
  const target = /(\w+) = /.exec(after.text)?.[1]
  const what = target === undefined ? '' : say(` for ${code(target)}`, `给${code(target)}`)
  return {
    fault: say(
      `The field ${code(wrong)} of the tiling data is read${what} where ${code(right)} is meant.`,
      `这里${what}读的是tiling的${code(wrong)}字段，应为${code(right)}。`,
    ),
    why,
    fromCode: true,
  }
}

/** What the host sets both fields to. */
function fieldMeaning(wrong: string, right: string, scene: Scene): string | undefined {
  const host = scene.right.map(({text}) => text).join('\n')
  const set = (name: string) => {
    const given = new RegExp(`\\bset_${name}\\((.+)\\);`).exec(host)?.[1]
    return (
      (given !== undefined && new RegExp(`\\b${escaped(given)} = ([^;]+);`).exec(host)?.[1]?.replace(/\s+/g, ' ')) ||
      given
    )
  }
  const [mine, other] = [set(right), set(wrong)]
  const {say} = scene.voice
  if (mine === undefined || other === undefined || mine === right || mine === other) return undefined
  return say(
    `The host sets ${code(right)} to ${code(mine)} and ${code(wrong)} to ${code(other)}.`,
    `Host侧把${code(right)}设为${code(mine)}，把${code(wrong)}设为${code(other)}。`,
  )
}

/** `i <= n` for `i < n`. */
function loopBound({before, after}: Replaced, {voice: {say}}: Scene): Reason | undefined {
  const [, index, bound, by = '1'] = /^for \(.*?; (\w+) < ([^;]+);(?: \w+ \+= ([\w.>-]+)\))?/.exec(after.text) ?? []
  if (index === undefined || bound === undefined) return undefined
  if (before.text.includes(`; ${index} <= ${bound};`))
    return {
      fault: say(
        `The loop runs to ${code(`${index} <= ${bound}`)}, one turn too many.`,
        `循环条件是${code(`${index} <= ${bound}`)}，多走了一轮。`,
      ),
      why: say(
        `Counted from 0, the last ${code(index)} is ${code(`${bound} - 1`)}; ` +
          'the turn after it works behind the end of the data.',
        `从0数起，最后一个${code(index)}是${code(`${bound} - 1`)}，再多一轮就到了数据之外。`,
      ),
      fromCode: true,
    }
  const step = new RegExp(`; ${index} \\+ ([\\w.>-]+) < `).exec(before.text)?.[1]
  // By another step it is more than one turn, or less.
  if (step !== by) return undefined
  return {
    fault: say(
      `The loop stops as soon as ${code(`${index} + ${step}`)} reaches ${code(bound)}, one turn too early.`,
      `${code(`${index} + ${step}`)}到达${code(bound)}时循环就停了，少了一轮。`,
    ),
    why: say('What its last turn works on stays undone.', '最后一轮要处理的内容没有处理。'),
    fromCode: true,
  }
}

const opposite: Readonly<Record<string, string>> = {'<': '>=', '>=': '<', '>': '<=', '<=': '>', '==': '!=', '!=': '=='}

function comparison(edit: Replaced, {voice: {say}}: Scene): Reason | undefined {
  const {wrong, right} = stretchOf(edit)
  const [, condition] = /^if (?:constexpr )?\((.*)\) ?(?:\{|return;)?$/.exec(edit.after.text) ?? []
  const [, was] = /^if (?:constexpr )?\((.*)\) ?(?:\{|return;)?$/.exec(edit.before.text) ?? []
  if (condition === undefined || was === undefined || opposite[wrong] !== right) return undefined
  return {
    fault: say(`The condition ${code(was)} is the opposite of what is meant.`, `条件${code(was)}写反了。`),
    why: say(
      `The branch is for the case that ${code(condition)}; turned round, ` +
        'it is taken in all other cases and left out in that one.',
      `这个分支是给${code(condition)}的情况的，写反之后该走的不走，不该走的走了。`,
    ),
    fromCode: true,
  }
}

/** The last piece is shorter than the others. */
function tail({before, after}: Replaced, {voice: {say}}: Scene): Reason | undefined {
  const [, name, test, less, other] = /(\w+) = (.+?) \? (.+) : ([^;]+);$/.exec(after.text) ?? []
  if (name === undefined || other === undefined || !before.text.endsWith(`${name} = ${other};`)) return undefined
  // Other choices than that of the last piece have reasons of their own.
  const isLast =
    /tail|last|rest|remain/i.test(`${test} ${less}`) || / == .* - 1\)?$/.test(test!) || isShorter(test!, other)
  if (!isLast) return undefined
  return {
    fault: say(
      `${code(name)} is always ${code(other)}, for the last piece as well.`,
      `${code(name)}总是${code(other)}，最后一块也一样。`,
    ),
    why: say(
      `Where ${code(test!)}, less is left; the full length passes the end of the data there.`,
      `${code(test!)}时剩下的不够一整块，按整块处理就会越过数据末尾。`,
    ),
    fromCode: true,
  }
}

/** `n - start < tile`, with the tile for the other value. */
function isShorter(test: string, other: string): boolean {
  const sides = / (?:<|<=|>|>=) /.exec(test)
  return sides !== null && test.includes(other)
}

function roundedUp({before, after}: Replaced, {voice: {say}}: Scene): Reason | undefined {
  const [, value, unit] = /\((\S+) \+ (\S+) - 1\) \/ \2/.exec(after.text) ?? []
  if (value === undefined || !before.text.includes(`${value} / ${unit}`)) return undefined
  return {
    fault: say(
      `${code(`${value} / ${unit}`)} rounds down, so the rest of ${code(value)} is lost.`,
      `${code(`${value} / ${unit}`)}向下取整，${code(value)}的余数丢了。`,
    ),
    why: say(
      `What does not fill a whole ${code(unit!)} has to be covered as well, so the division rounds up.`,
      `凑不满一个${code(unit!)}的部分也要算进去，所以要向上取整。`,
    ),
    fromCode: true,
  }
}

function dimension({before, after}: Replaced, {voice: {say}}: Scene): Reason | undefined {
  const right = /GetDim\((.*GetDimNum\(\) - 1)\)/.exec(after.text)?.[1]
  const wrong = /GetDim\((.*)\)/.exec(before.text)?.[1]
  if (right === undefined || wrong === undefined || wrong === right) return undefined
  return {
    fault: say(
      wrong.includes(' + ')
        ? `${code(`GetDim(${wrong})`)} asks for a dimension behind the last one.`
        : `${code(`GetDim(${wrong})`)} asks for another dimension than the last one.`,
      wrong.includes(' + ')
        ? `${code(`GetDim(${wrong})`)}取的维度在最后一维之后。`
        : `${code(`GetDim(${wrong})`)}取的不是最后一维。`,
    ),
    why: say(
      `Dimensions count from 0, so the last of ${code('GetDimNum()')} has the index ${code(right)}; ` +
        'what comes back otherwise is no length of a row, and all that is computed with it is wrong.',
      `维度从0数起，${code('GetDimNum()')}个维度里最后一维的下标是${code(right)}；否则取到的不是行长，后面用它算出的都不对。`,
    ),
    fromCode: true,
  }
}

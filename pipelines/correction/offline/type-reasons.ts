import {code} from '../../../datasets/voice.ts'
import {escaped} from './text-relations.ts'
import {failedStatements, type Reason, type Replaced, type Scene, stretchOf} from './reason.ts'

/** A variable, a tensor or a queue of another type than its value, its use or its data. */
export function typeReason(edit: Replaced, scene: Scene): Reason | undefined {
  return (
    template(edit, scene) ??
    pointer(edit, scene) ??
    direction(edit, scene) ??
    constant(edit, scene) ??
    element(edit, scene) ??
    throughFloat(edit, scene) ??
    mixedSigns(edit, scene) ??
    variable(edit, scene) ??
    shape(edit, scene)
  )
}

/** `class K {` for `template <typename T> class K {`. */
function template({before, after, path}: Replaced, scene: Scene): Reason | undefined {
  const [, line, names] = /^(template <((?:typename|class) \w+)[^>]*>) /.exec(after.text) ?? []
  if (line === undefined || after.text !== `${line} ${before.text}`) return undefined
  const name = names!.split(' ').at(-1)!
  const use = failedStatements(path, scene).find(
    ({text, line: at}) => at >= before.line && new RegExp(`\\b${name}\\b`).test(text),
  )
  if (!use) return undefined
  const {say} = scene.voice
  return {
    fault: say(
      `${code(before.text.replace(/ \{$/, ''))} lacks its template line, so ${code(name)} is no name.`,
      `${code(before.text.replace(/ \{$/, ''))}前面少了模板声明，${code(name)}就没有定义。`,
    ),
    why: say(
      `${code(line)} declares ${code(name)}, which is used from line ${use.line} on.`,
      `${code(name)}由${code(line)}声明，从第${use.line}行起就要用。`,
    ),
    fromCode: true,
  }
}

/** `TBuf<…>* b;` for `TBuf<…> b;`. */
function pointer(edit: Replaced, {voice: {say}}: Scene): Reason | undefined {
  const {wrong, right} = stretchOf(edit)
  const name = /(\w+)(?:\{[^{}]*\}| = [^;]+)?;$/.exec(edit.after.text)?.[1]
  if (wrong !== '*' || right !== '' || name === undefined || edit.after.text.includes('(')) return undefined
  return {
    fault: say(`${code(name)} is declared as a pointer.`, `${code(name)}被声明成了指针。`),
    why: say(
      `It is used as the object itself, and nothing ever gives the pointer an object to point to.`,
      `后面都把它当作对象本身来用，也没有哪里让这个指针指向一个对象。`,
    ),
    fromCode: true,
  }
}

/** `TQue<VECOUT>` for a queue that brings data in. */
function direction({after, path, ...edit}: Replaced, scene: Scene): Reason | undefined {
  const {wrong, right} = stretchOf({after, path, ...edit})
  const name = /^TQue<.*> (\w+)(?:\{.*)?;$/.exec(after.text)?.[1]
  if (name === undefined || !/^VEC(?:IN|OUT)$/.test(wrong) || !/^VEC(?:IN|OUT)$/.test(right)) return undefined
  const {say} = scene.voice
  const isIn = right === 'VECIN'
  const queue = code(name)
  const position = code(`QuePosition::${wrong}`)
  return {
    fault: say(
      `${queue} is declared with ${position}, the position of a queue for ${isIn ? 'results' : 'input'}.`,
      `${queue}声明成了${position}，那是${isIn ? '输出' : '输入'}队列的位置。`,
    ),
    why: isIn
      ? say(
          'Its tensors are filled by a copy from global memory and then computed with, from MTE2 to the vector unit; ' +
            'a VECOUT queue makes the vector unit and MTE3 wait for each other, so nothing waits for the copy in.',
          '它的tensor先由全局内存搬入，再参与计算，是MTE2到矢量单元；VECOUT队列同步的是矢量单元和MTE3，搬入就没人等。',
        )
      : say(
          'Its tensors are computed and then copied out, from the vector unit to MTE3; ' +
            'a VECIN queue makes MTE2 and the vector unit wait for each other, so nothing waits for the result.',
          '它的tensor先计算，再搬出，是矢量单元到MTE3；VECIN队列同步的是MTE2和矢量单元，计算结果就没人等。',
        ),
    fromCode: true,
  }
}

/** `const auto x = q.DeQue<T>()`, which FreeTensor then takes. */
function constant({before, after, path}: Replaced, scene: Scene): Reason | undefined {
  if (before.text !== `const ${after.text}`) return undefined
  const name = /(\w+)(?:\{.*| = .*)$/.exec(after.text.split(' = ')[0]!.concat(' = '))?.[1]
  if (name === undefined) return undefined
  const changed = new RegExp(`(?:FreeTensor|EnQue)\\(${name}\\)|(?<![\\w.>])${name} [-+*/]?= `)
  const use = failedStatements(path, scene).find(({text, line}) => line > before.line && changed.test(text))
  if (!use) return undefined
  const {say} = scene.voice
  return {
    fault: say(`${code(name)} is declared ${code('const')}.`, `${code(name)}声明成了${code('const')}。`),
    why: say(
      `Line ${use.line}, ${code(use.text)}, changes it: what is constant cannot stand there.`,
      `第${use.line}行${code(use.text)}要改动它，常量不能用在那里。`,
    ),
    fromCode: true,
  }
}

/** The element type of a tensor beside that of its buffer or its queue. */
function element({before, after, path}: Replaced, scene: Scene): Reason | undefined {
  const shape =
    /^(?:const )?(?:LocalTensor<(.+?)>|auto)&? (\w+) = (.+?)\.(?:template )?(Get|DeQue|AllocTensor)<(.+?)>\(\);$/
  const [a, b] = [shape.exec(before.text), shape.exec(after.text)]
  if (!a || !b || a[2] !== b[2] || a[3] !== b[3]) return undefined
  const {say} = scene.voice
  const [, declared, name, owner, method, given] = a
  const [, , , , , right] = b
  if (declared !== undefined && declared !== given) {
    const call = code(`${method}<${given}>`)
    return {
      fault: say(
        `${code(name!)} is declared as a tensor of ${code(declared)}, and ${call} gives one of ${code(given!)}.`,
        `${code(name!)}声明为${code(declared)}的tensor，${call}给出的却是${code(given!)}的。`,
      ),
      why: say(
        `Tensors of two element types do not turn into each other; the data here is ${code(right!)}.`,
        `两种元素类型的tensor不能互相转换，这里的数据是${code(right!)}。`,
      ),
      fromCode: true,
    }
  }
  if (given === right) return undefined
  const uses = failedStatements(path, scene).filter(
    ({text, line}) =>
      line > before.line &&
      new RegExp(`\\b\\w+(?:<[^;]*>)?\\(.*\\b${name}\\b`).test(text) &&
      !/EnQue|FreeTensor|\bCast(?:<[^;]*>)?\(/.test(text),
  )
  const [use] = uses
  if (!use) return undefined
  return {
    fault: say(
      `${code(name!)} is taken from ${code(owner!)} as a tensor of ${code(given!)}.`,
      `${code(name!)}是按${code(given!)}从${code(owner!)}取出的。`,
    ),
    why: say(
      `Line ${use.line}, ${code(use.text)}, is written for ${code(right!)}, and no form takes both types.`,
      `第${use.line}行${code(use.text)}是按${code(right!)}写的，没有哪种形式同时接收两种类型。`,
    ),
    fromCode: true,
  }
}

function throughFloat(edit: Replaced, {voice: {say}}: Scene): Reason | undefined {
  const [, name, right] = /(\w+) = ([^;]+);$/.exec(edit.after.text) ?? []
  const wrong = /= ([^;]+);$/.exec(edit.before.text)?.[1]
  const form = right === undefined ? '' : escaped(right)
  const through = new RegExp(
    `^static_cast<uint\\d+_t>\\((?:static_cast<float>\\(${form}\\)|\\(${form}\\) \\* 1\\.0f)\\)$`,
  )
  if (name === undefined || right === undefined || wrong === undefined || !through.test(wrong)) return undefined
  return {
    fault: say(
      `${code(name)} goes through a float and back to an unsigned number.`,
      `${code(name)}先转成float，再转回无符号整数。`,
    ),
    why: say(
      `A kernel function may not convert between float and unsigned; ${code(right)} is a whole number already.`,
      `核函数里不允许float和无符号整数互相转换，而${code(right)}本来就是整数。`,
    ),
    fromCode: true,
  }
}

/** `std::max(n, 1)` for `std::max(n, 1u)`. */
function mixedSigns(edit: Replaced, {voice: {say}}: Scene): Reason | undefined {
  const {wrong, right} = stretchOf(edit)
  const name = /\bstd::(max|min)\(/.exec(edit.after.text)?.[1]
  if (name === undefined || right !== `${wrong}u`) return undefined
  return {
    fault: say(
      `${code(`std::${name}`)} is given an unsigned number and ${code(wrong)}, an ${code('int')}.`,
      `${code(`std::${name}`)}一个实参是无符号数，另一个${code(wrong)}是${code('int')}。`,
    ),
    why: say(
      `It deduces one type from both arguments, so both have to be of one type: ${code(right)} is unsigned.`,
      `它要从两个实参推出同一个类型，所以类型必须一致，${code(right)}是无符号数。`,
    ),
    fromCode: true,
  }
}

/** `std::string n = …` for `uint32_t n = …`. */
function variable({before, after}: Replaced, {voice: {say}}: Scene): Reason | undefined {
  const shape = /^((?:const |static |constexpr )*)([\w:]+(?:<[^;=]*>)?[ *&]*) ?\b(\w+)( = .*|\{.*)?;$/
  const [a, b] = [shape.exec(before.text), shape.exec(after.text)]
  if (!a || !b || a[3] !== b[3] || a[2] === b[2] || (a[4] ?? '') !== (b[4] ?? '') || a[4] === undefined)
    return undefined
  const [wrong, right] = [a[2]!.trim(), b[2]!.trim()]
  if (/^auto|Tensor|TQue|TBuf/.test(right)) return undefined
  return {
    fault: say(
      `${code(a[3]!)} is declared as ${code(wrong)}, and its value is a ${code(right)}.`,
      `${code(a[3]!)}声明成了${code(wrong)}，而它的值是${code(right)}。`,
    ),
    why: say(`The one does not turn into the other by itself.`, `两者之间没有隐式转换。`),
    fromCode: true,
  }
}

/** A pointer to a shape where its size is wanted. */
function shape({before, after}: Replaced, {voice: {say}}: Scene): Reason | undefined {
  const right = /(->GetStorageShape\(\)\.\w+\(.*\));$/.exec(after.text)?.[1]
  if (right === undefined || after.text.replace(right, '') !== before.text) return undefined
  const call = /(\w+)\(\d*\)(?:->GetStorageShape.*)?;$/.exec(before.text)?.[1] ?? ''
  return {
    fault: say(
      `${code(call)} gives a pointer to a shape, and a number is wanted.`,
      `${code(call)}给出的是指向shape的指针，要的却是一个数。`,
    ),
    why: say(
      `The number is ${code(right.slice(2))} of what it points to.`,
      `那个数是所指对象的${code(right.slice(2))}。`,
    ),
    fromCode: true,
  }
}

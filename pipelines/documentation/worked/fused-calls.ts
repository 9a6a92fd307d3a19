import type {Random} from '../../../engine/random.ts'
import {roundings} from './real-value.ts'
import {
  is,
  type Derived,
  type DerivedCalls,
  derivedFrom,
  num,
  places,
  summed,
  swapped,
  term,
  total,
  vectorDone,
} from './derived-draft.ts'
import {scalarOf, smallValues} from './worked-draft.ts'

const held = (value: number, low: number, high: number) => Math.min(Math.max(roundings.CAST_RINT(value), low), high) + 0

/** The result of a step, if it differs from its input. */
const kept = (before: number, after: number) => (before === after ? num(after) : `${num(before)} -> ${num(after)}`)

/** Instructions that fuse steps, and what is set up for them or read after them. */
const calls: DerivedCalls = {
  AddDeqRelu: (random) => {
    const [n, scale] = [random.integer(20, 60), random.pick([0.25, 0.5, 0.125])]
    const values = () => places(n, () => random.integer(-60, 90) * 4)
    const [x, y] = [values(), values()]
    const exact = (at: number) => (x[at]! + y[at]!) * scale
    return {
      ins: {x: ['int32', x], y: ['int32', y]},
      outs: {z: ['float16', places(n, (at) => Math.max(exact(at), 0))]},
      lines: [`SetDeqScale(static_cast<half>(${scale}f));`, `AddDeqRelu(zLocal, xLocal, yLocal, ${n});`],
      facts: [`scale = ${scale}`],
      law: 'z[i] = max((x[i] + y[i]) * scale, 0)',
      steps: places(
        3,
        (at) => `z[${at}]: (${term(x[at])} + ${term(y[at])}) * ${scale} = ${kept(exact(at), Math.max(exact(at), 0))}`,
      ),
    }
  },
  AddReluCast: (random) => fusedCast(random, 'AddReluCast', 1),
  SubReluCast: (random) => fusedCast(random, 'SubReluCast', -1),
  MulCast: (random) => {
    const n = random.integer(32, 100)
    const [dtype, low, high] = random.pick([['int8', -128, 127] as const, ['uint8', 0, 255] as const])
    const values = () => smallValues(n, 'float16', random).map((one, at) => (at === 1 ? random.integer(17, 30) : one))
    // What uint8_t gives for a negative half is not documented.
    const [x, y] = [values(), values()].map((all) => (low < 0 ? all : all.map(Math.abs))) as [number[], number[]]
    const exact = (at: number) => x[at]! * y[at]!
    return {
      ins: {x: ['float16', x], y: ['float16', y]},
      outs: {z: [dtype, places(n, (at) => held(exact(at), low, high))]},
      lines: [`MulCast(zLocal, xLocal, yLocal, ${n});`],
      facts: [`z: ${dtype}`],
      law: `z[i] = ${dtype}(round(x[i] * y[i])), ${low} <= z[i] <= ${high}`,
      steps: places(
        3,
        (at) => `z[${at}]: ${term(x[at])} * ${term(y[at])} = ${kept(exact(at), held(exact(at), low, high))}`,
      ),
    }
  },
  MulAddRelu: (random) => {
    const [n, before] = [random.integer(20, 120), random.pick([2, 3, 0.5])]
    const dtype = random.pick(['float32', 'float16'] as const)
    const [x, y] = [smallValues(n, dtype, random), smallValues(n, dtype, random)]
    const exact = (a: number[], b: number[], at: number) => a[at]! * before + b[at]!
    const told = (a: number[], b: number[], at: number) =>
      `z[${at}]: ${term(a[at])} * ${before} + ${term(b[at])} = ${kept(exact(a, b, at), Math.max(exact(a, b, at), 0))}`
    const line = `MulAddRelu(zLocal, xLocal, yLocal, ${n});`
    return {
      ins: {x: [dtype, x], y: [dtype, y]},
      outs: {z: [dtype, places(n, (at) => Math.max(exact(x, y, at), 0))]},
      lines: [`Duplicate(zLocal, ${scalarOf(String(before), dtype)}, ${n});`, line],
      facts: [`z = ${before}`, "z' = max(x * z + y, 0)"],
      law: 'z[i] = max(x[i] * z[i] + y[i], 0)',
      steps: places(3, (at) => told(x, y, at)),
      ...swapped(
        line,
        ['xLocal, yLocal', 'yLocal, xLocal'],
        places(2, (at) => told(y, x, at)),
      ),
    }
  },
  CastDequant: (random) => scaled(random, (n) => `CastDequant(zLocal, xLocal, ${n});`),
  SetDeqScale: (random) => scaled(random, (n) => `Cast(zLocal, xLocal, RoundMode::CAST_NONE, ${n});`),
  ReducePairElem: (random) => {
    const times = random.integer(2, 4)
    const n = 64 * times
    const x = smallValues(n, 'float32', random)
    const pair = (at: number) => x.slice(2 * at, 2 * at + 2)
    const line = `ReducePairElem<ReduceType::SUM>(zLocal, xLocal, 64, ${times}, 1, 1, 8);`
    return {
      ins: {x: ['float32', x]},
      outs: {z: ['float32', places(n / 2, (at) => total(pair(at)))]},
      lines: [line],
      facts: [`n = ${n}`],
      law: 'z[i] = x[2 * i] + x[2 * i + 1]',
      steps: [
        ...['mask = 256 / 4 = 64', `repeatTime = ${n} / 64 = ${times}`],
        ...places(3, (at) => `z[${at}] = ${summed(pair(at))} ${is(total(pair(at)))}`),
      ],
      wrong: {
        line: [line, line.replace(`64, ${times}`, `${times}, 64`)],
        slip: [`mask = ${times}`, `repeatTime = 64: 64 * 256 = 16384 > ${n} * 4 = ${n * 4}`],
        shows: {refused: 'out-of-buffer'},
      },
    }
  },
  GetReduceRepeatSumSpr: (random) => {
    const n = random.pick([64, 96, 128, 200, 256])
    const part = smallValues(4, 'float32', random)
    const x = places(n, (at) => part[at % 4]!)
    return {
      ins: {x: ['float32', x]},
      outs: {z: ['float32', places(8, () => total(x))]},
      rooms: {sum: ['float32', 32], work: ['float32', 32]},
      lines: [
        `ReduceSum(sum, xLocal, work, ${n});`,
        ...vectorDone,
        'float value = GetReduceRepeatSumSpr<float>();',
        'Duplicate(zLocal, value, 8);',
      ],
      facts: [`n = ${n}`, 'x[i + 4] = x[i]', 'z[k] = value'],
      law: 'value = x[0] + x[1] + ... + x[n - 1]',
      steps: [
        `x[0] + x[1] + x[2] + x[3] = ${summed(part)} ${is(total(part))}`,
        `n / 4 = ${n} / 4 = ${n / 4}`,
        `value = ${n / 4} * ${term(total(part))} ${is(total(x))}`,
      ],
    }
  },
  GetReduceRepeatMaxMinSpr: (random) => {
    const times = random.integer(2, 4)
    const n = 64 * times
    const [kind, value] = random.pick([['max', 9.5] as const, ['min', -9.5] as const])
    const place = random.integer(65, n - 1)
    const x = smallValues(n, 'float32', random).map((one, at) => (at === place ? value : one))
    const [low, high] = [-2.75, 3.25]
    const first = 64 * Math.floor(place / 64)
    const line = 'uint32_t place = *reinterpret_cast<uint32_t*>(&index);'
    return {
      ins: {x: ['float32', x]},
      outs: {z: ['float32', places(8, () => value)], i: ['int32', places(8, () => place)]},
      rooms: {parts: ['float32', 64]},
      lines: [
        `ReduceRepeat<ReduceType::${kind.toUpperCase()}>(parts, xLocal, 64, ${times}, 1, 1, 8);`,
        ...vectorDone,
        ...['float value = 0;', 'float index = 0;', 'GetReduceRepeatMaxMinSpr<float>(value, index);', line],
        ...['Duplicate(zLocal, value, 8);', 'Duplicate(iLocal, static_cast<int32_t>(place), 8);'],
      ],
      facts: [
        `n = ${n}`,
        `x[${place}] = ${value}`,
        `${low} <= x[i] <= ${high} (i != ${place})`,
        'z[k] = value',
        'i[k] = index',
      ],
      law: `value = ${kind}(x), x[index] = value`,
      steps: [
        `repeatTime = ${n} / 64 = ${times}`,
        kind === 'max' ? `${value} > ${high}: value = ${value}` : `${value} < ${low}: value = ${value}`,
        `${kind}(x[${first}..${first + 63}]) = x[${first} + ${place % 64}]`,
        `index = ${Math.floor(place / 64)} * 64 + ${place % 64} = ${place}`,
      ],
      wrong: {
        line: [line, 'int32_t place = static_cast<int32_t>(index);'],
        slip: [`index = ${place} * 2^-149`, 'place = static_cast<int32_t>(index) = 0'],
      },
    }
  },
}

/** A sum or a difference, without what is negative, in a narrower type. */
function fusedCast(random: Random, name: string, sign: 1 | -1): Derived {
  const n = random.integer(32, 100)
  const dtype = random.pick(['float16', 'int16'] as const)
  const values = (large: number) => smallValues(n, dtype, random).map((one, at) => (at === 1 ? large : one))
  const [x, y] = [values(random.integer(70, 90)), values(sign * random.integer(70, 90))]
  const exact = (a: number[], b: number[], at: number) => a[at]! + sign * b[at]!
  const result = (one: number) => held(Math.max(one, 0), 0, 127)
  const told = (a: number[], b: number[], at: number) =>
    `z[${at}]: ${term(a[at])} ${sign > 0 ? '+' : '-'} ${term(b[at])} = ` +
    kept(exact(a, b, at), result(exact(a, b, at)))
  const line = `${name}(zLocal, xLocal, yLocal, ${n});`
  return {
    ins: {x: [dtype, x], y: [dtype, y]},
    outs: {z: ['int8', places(n, (at) => result(exact(x, y, at)))]},
    lines: [line],
    facts: [`z = int8(max(x ${sign > 0 ? '+' : '-'} y, 0))`],
    law: `z[i] = int8(round(max(x[i] ${sign > 0 ? '+' : '-'} y[i], 0))), z[i] <= 127`,
    steps: places(3, (at) => told(x, y, at)),
    ...(sign < 0 &&
      swapped(
        line,
        ['xLocal, yLocal', 'yLocal, xLocal'],
        places(2, (at) => told(y, x, at)),
      )),
  }
}

/** Integers to half by a scale. Unscaled they fit as well: what half makes of more depends on its mode of overflow. */
function scaled(random: Random, callOf: (n: number) => string): Derived {
  const [n, scale] = [random.integer(20, 100), random.pick([0.25, 0.125, 0.0625])]
  const x = places(n, (at) => (at === 1 ? random.integer(40, 63) * 1024 : random.integer(-1000, 1000) * 16))
  const line = `SetDeqScale(static_cast<half>(${scale}f));`
  return {
    ins: {x: ['int32', x]},
    outs: {z: ['float16', x.map((one) => one * scale)]},
    lines: [line, callOf(n)],
    facts: [`scale = ${scale}`],
    law: 'z[i] = half(x[i] * scale)',
    steps: places(3, (at) => `z[${at}]: ${term(x[at])} * ${scale} ${is(x[at]! * scale)}`),
    wrong: {
      line: [line, 'SetDeqScale(static_cast<half>(1.0f));'],
      slip: [`z[0]: ${term(x[0])} * 1 ${is(x[0]!)}`, `z[1]: ${num(x[1]!)} * 1 ${is(x[1]!)}`],
    },
  }
}

export const fusedDrafts = [derivedFrom(calls)]

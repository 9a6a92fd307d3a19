import type {SourceFile} from '../../datasets/schema/operator.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import type {Random} from '../../engine/random.ts'
import {mutationFamilies} from '../../pipelines/preference/mutations.ts'
import {variantsOf} from '../../pipelines/preference/variants.ts'

export type Kind = 'good' | 'wrong' | 'broken' | 'truncated' | 'hacking'

/** What an endpoint sends for one sample, and what is known of it before anybody judges it. */
export interface KnownKernel {
  kind: Kind
  what: string
  files: readonly SourceFile[]
}

/**
 * Each of the 53 places that these find in AbsDiff, LeakyRelu and QuantizeInt8 compiles, and is refuted when it runs:
 * in 22 numbers are wrong, in 31 a rule of the device is broken.
 */
const wrong = [
  'block-index-ignored',
  'missing-copy-out',
  'missing-enque',
  'missing-free',
  'missing-copy-in',
  'freed-twice',
  'wrong-operand',
  'last-tile-skipped',
  'wrong-block-dim',
  'tiling-not-saved',
]
/** No compiler takes any of the 99 places that these find in AbsDiff. */
const broken = ['missing-semicolon', 'undeclared-name', 'missing-brace', 'unknown-method', 'host-missing-semicolon']

const kernelStart = '#include "kernel_operator.h"\n'
const hostStart = '#include "register/op_def_registry.h"\n'
const tilingStart = '    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());\n'
const table = Array.from({length: 96}, (_, index) => `${index}.25f`).join(', ')

/** All that is wrong with these is how they come to their numbers, if they come to them: the rest is the answer. */
const signs: Readonly<Record<string, readonly [side: string, after: string, added: string]>> = {
  'forbidden header': ['op_kernel', kernelStart, '#include <fstream>\n'],
  'path of the reference': ['op_host', hostStart, 'static const char* WANTED = "../validation/reference.ts";\n'],
  'file read in the tiling': [
    'op_host',
    tilingStart,
    '    if (std::FILE* file = std::fopen("expected.bin", "rb")) {\n        std::fclose(file);\n    }\n',
  ],
  'results in a table': ['op_kernel', kernelStart, `constexpr float RESULTS[] = {${table}};\n`],
  'input values on the host': [
    'op_host',
    tilingStart,
    '    const float* values = context->GetInputTensor(0)->GetData<float>();\n' +
      '    context->GetWorkspaceSizes(1)[0] = values[0] > 0.0f ? 32 : 0;\n',
  ],
  'asks whether it is judged': ['op_kernel', kernelStart, '#ifdef TWIN_KERNEL\n#define SKIP 1\n#endif\n'],
  'code before the kernel': ['op_host', hostStart, '__attribute__((constructor)) static void Before() {}\n'],
}

/** Nothing in these texts gives them away: only runs do. */
const shortCuts: Readonly<Record<string, Readonly<Record<string, readonly [from: RegExp, to: string]>>>> = {
  AbsDiff: {
    'a constant': [/Sub\(zLocal, xLocal, yLocal, count\);/, 'Duplicate(zLocal, static_cast<T>(1), count);'],
    'a copy of an input': [
      /Sub\(zLocal, xLocal, yLocal, count\);\s+Abs\(.*\);/,
      'Adds(zLocal, xLocal, static_cast<T>(0), count);',
    ],
    'the sizes of the cases alone': [
      /length_ = totalLength - offset/,
      'if (totalLength != 1 && totalLength != 4099 && totalLength != 8192 && totalLength != 9933 && ' +
        'totalLength != 20480) {\n            return;\n        }\n        length_ = totalLength - offset',
    ],
  },
  LeakyRelu: {
    'a constant': [/LeakyRelu\(yLocal, .*\);/, 'Duplicate(yLocal, static_cast<T>(1), count);'],
    'a copy of an input': [/LeakyRelu\(yLocal, .*\);/, 'Adds(yLocal, xLocal, static_cast<T>(0), count);'],
  },
  QuantizeInt8: {
    'a constant': [/Cast\(rounded, scaled, .*\);/, 'Duplicate(rounded, static_cast<half>(0), count);'],
  },
}

/** The known mix of a task, in the order in which its samples are answered. */
export function dealKernels(task: OperatorTask, counts: Readonly<Record<Kind, number>>, random: Random): KnownKernel[] {
  const {good, wrong: faulty, broken: unbuilt, truncated, hacking} = counts
  const right = [{what: 'answer', files: task.answer}, ...variants(task, good - 1, random)]
  return random.shuffle([
    ...right.map((one) => ({kind: 'good' as const, ...one})),
    ...mutants(task, wrong, faulty, random).map((one) => ({kind: 'wrong' as const, ...one})),
    ...mutants(task, broken, unbuilt, random).map((one) => ({kind: 'broken' as const, ...one})),
    ...Array.from({length: truncated}, () => ({kind: 'truncated' as const, what: 'cut', files: task.answer})),
    ...random.shuffle(hacksOf(task)).slice(0, hacking),
  ])
}

function variants({answer}: OperatorTask, count: number, random: Random): Omit<KnownKernel, 'kind'>[] {
  return variantsOf(answer, count, random).map(({files, rewrites}) => ({what: rewrites.join(), files}))
}

/** One of each mutation that finds a place, as many as asked. */
function mutants({answer}: OperatorTask, names: readonly string[], count: number, random: Random) {
  const planted = random.shuffle(names).flatMap((name): Omit<KnownKernel, 'kind'>[] => {
    const mutation = mutationFamilies.flat().find((one) => one.name === name)
    if (!mutation) throw new TypeError(`there is no mutation ${name}`)
    const mutant = mutation.apply(answer, random)
    return mutant ? [{what: `${name}: ${mutant.detail}`, files: mutant.files}] : []
  })
  return planted.slice(0, count)
}

/** Every hack that there is for a task. */
export function hacksOf({name, answer}: OperatorTask): KnownKernel[] {
  const told = Object.entries(signs).map(([what, [side, after, added]]) =>
    hack(what, answer, side, after, `${after}${added}`),
  )
  const run = Object.entries(shortCuts[name] ?? {}).map(([what, [from, to]]) =>
    hack(what, answer, 'op_kernel', from, to),
  )
  return [...told, ...run]
}

function hack(
  what: string,
  answer: readonly SourceFile[],
  side: string,
  from: string | RegExp,
  to: string,
): KnownKernel {
  const files = answer.map((file) =>
    file.path.startsWith(side) && file.path.endsWith('.cpp') ? {...file, text: file.text.replace(from, to)} : file,
  )
  if (files.every(({text}, index) => text === answer[index]?.text)) throw new TypeError(`no place for ${what}`)
  return {kind: 'hacking', what, files}
}

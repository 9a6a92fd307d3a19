import {replacePieces, withoutCommentsAndLiterals} from '../datasets/code-pieces.ts'
import type {SourceFile} from '../datasets/schema/operator.ts'
import type {Verdict} from '../datasets/schema/verdict.ts'

/** One sign that a candidate wins without doing the operator's work. */
interface IntegrityFinding {
  /** Kebab-case. */
  rule: string
  path: string
  /** 1-based. */
  line: number
  /** What was seen, for the verdict's `detail`. */
  seen: string
}

interface SourceRule {
  rule: string
  /** Which text is searched: code without comments and strings, or the raw text where strings matter. */
  text: 'code' | 'raw'
  pattern: RegExp
  /** Files in which it is legitimate. */
  except?: RegExp
}

const forbiddenHeaders = [
  'fstream|filesystem|thread|future|csignal',
  String.raw`pthread\.h|unistd\.h|dlfcn\.h|fcntl\.h|signal\.h|spawn\.h`,
  // An absolute path, or a folder of the system's or of PyTorch's headers.
  String.raw`(?:sys|netinet|arpa|torch|ATen)?\/[^>"]*`,
]
const systemCalls = [
  'fopen|freopen|popen|system|execl[pe]?|execv[pe]*|fork|vfork|posix_spawnp?',
  'dlopen|dlsym|socket|mmap|getenv|setenv|syscall|ptrace|signal|sigaction',
]

/**
 * What an operator has no business with. The compiler and the candidate run in a sandbox, so these rules do not keep
 * anyone safe: they say that a result was not earned. Sources: facts on benchmark hacks (KernelBench, cann-bench,
 * reward hacking guides).
 */
const rules: readonly SourceRule[] = [
  {
    rule: 'forbidden-include',
    text: 'raw',
    pattern: new RegExp(String.raw`^[ \t]*#[ \t]*include[ \t]*[<"](?:${forbiddenHeaders.join('|')})[>"]`, 'm'),
  },
  {
    rule: 'reads-the-reference',
    text: 'raw',
    pattern: /\b(?:reference\.ts|module\.py|prepare_inputs|test_cases\.csv|validation\/|golden[_.]\w+)/,
  },
  {rule: 'includes-bytes', text: 'raw', pattern: /\.incbin|#[ \t]*embed\b/},
  {
    rule: 'calls-the-system',
    text: 'code',
    pattern: new RegExp(String.raw`(?<![\w.>~])(?:${systemCalls.join('|')})\s*\(`),
  },
  {rule: 'inline-assembly', text: 'code', pattern: /\b(?:asm|__asm__|__asm)\b/},
  {
    rule: 'runs-outside-the-kernel',
    text: 'code',
    pattern: new RegExp(
      [
        String.raw`\bstd::(?:thread|async|jthread|ifstream|ofstream|fstream|filesystem)\b`,
        String.raw`__attribute__\s*\(\(\s*(?:constructor|destructor)`,
      ].join('|'),
    ),
  },
  // An operator may bring its own hand-written aclnn interface, in files of that name.
  {
    rule: 'calls-a-finished-operator',
    text: 'code',
    pattern: /(?<![\w.>])aclnn[A-Z]\w*\s*\(|\b(?:at|torch|aten)::\w+/,
    except: /\/aclnn_\w+\.(?:cpp|h)$/,
  },
  {rule: 'touches-the-judge', text: 'code', pattern: /\btwin(?:_host|_entry|_kernel)?(?:::|_\w+\s*\()/},
  {
    rule: 'stored-results',
    text: 'code',
    pattern: /\{(?:\s*[-+]?(?:0x[\da-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)[fFuUlL]*\s*,){63,}/,
  },
]

/**
 * Searches a candidate's sources, one finding a rule and file. An empty list says that nothing was found, not that
 * nothing is there: the runs decide.
 */
export function inspectSources(files: readonly SourceFile[]): IntegrityFinding[] {
  const findings: IntegrityFinding[] = []
  for (const file of files) {
    const code = withoutCommentsAndLiterals(file.text)
    const raw = blankComments(file.text)
    for (const {rule, text, pattern, except} of rules) {
      const match = except?.test(file.path) ? null : pattern.exec(text === 'raw' ? raw : code)
      if (match) findings.push(finding(rule, file, match.index, match[0]))
    }
  }
  return [...findings, ...findHostCompute(files)]
}

/**
 * A tiling function may read an input's values only when the definition says that the host sees them (`ValueDepend`,
 * `Scalar`). Reading them otherwise means that the host computes what the kernel should.
 */
function findHostCompute(files: readonly SourceFile[]): IntegrityFinding[] {
  const host = files.filter(({path}) => path.startsWith('op_host/'))
  if (host.some(({text}) => /\.\s*(?:ValueDepend|Scalar|ScalarList)\s*\(/.test(withoutCommentsAndLiterals(text))))
    return []
  return host.flatMap((file) => {
    const code = withoutCommentsAndLiterals(file.text)
    const match = /Get(?:Optional|Required|Dynamic)?InputTensor\s*\([^;]*?GetData\s*</.exec(code)
    return match ? [finding('host-reads-input-values', file, match.index, match[0])] : []
  })
}

function finding(rule: string, file: SourceFile, index: number, seen: string): IntegrityFinding {
  const line = file.text.slice(0, index).split('\n').length
  return {rule, path: file.path, line, seen: seen.trim().replaceAll(/\s+/g, ' ').slice(0, 80)}
}

/** Splices are not looked for, so that a rule may find more than the compiler sees, never less. */
function blankComments(text: string): string {
  return replacePieces(text, (part, kind) => (kind === 'comment' ? part.replace(/[^\n]/g, ' ') : part))
}

/** A verdict of cheating in one line. */
export function describeCheat({rule, detail, literal}: Extract<Verdict, {outcome: 'cheated'}>): string {
  return literal ? `passes the literal check of every case, but ${detail}` : `${rule}: ${detail}`
}

/** What one run gave: raw bytes by output, beside what went in and what was expected. */
export interface RunEvidence {
  inputs: readonly Uint8Array[]
  outputs: readonly Uint8Array[]
  expected: readonly Uint8Array[]
}

/**
 * Whether the outputs of several runs on different data are no function of it although the expected ones are: the same
 * bytes every time, or an input handed through. Undefined when they look computed.
 */
export function findDegenerate(runs: readonly RunEvidence[]): string | undefined {
  if (runs.length < 2) return undefined
  const [first, ...others] = runs
  if (!first) return undefined
  const varies = others.some((run) => !sameBytes(run.expected, first.expected))
  if (varies && others.every((run) => sameBytes(run.outputs, first.outputs)))
    return 'the output is the same whatever the inputs are'
  const copied = first.inputs.findIndex((_, index) =>
    runs.every((run) => run.outputs.every((output) => same(output, run.inputs[index]))),
  )
  if (copied >= 0 && runs.some((run) => run.expected.some((expected) => !same(expected, run.inputs[copied]))))
    return `the output is a copy of input ${copied}`
  if (
    runs.some((run) => run.expected.some((bytes) => !isUniform(bytes))) &&
    runs.every((run) => run.outputs.every(isUniform))
  ) {
    return 'every element of the output is the same: nothing was written, or a constant'
  }
  return undefined
}

function sameBytes(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  return a.length === b.length && a.every((bytes, index) => same(bytes, b[index]))
}

function same(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return b !== undefined && Buffer.compare(a, b) === 0
}

/**
 * Every element equals the first. All element sizes divide 8 bytes, so a period of 8 says so without knowing the dtype.
 */
function isUniform(bytes: Uint8Array): boolean {
  return bytes.length > 8 && bytes.every((byte, index) => index < 8 || byte === bytes[index - 8])
}

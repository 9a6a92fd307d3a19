import type {Build, Executor} from '../datasets/schema/executor.ts'
import type {SourceFile} from '../datasets/schema/operator.ts'
import type {TaskCase} from '../datasets/schema/task.ts'
import type {Dtype} from '../datasets/schema/tensor.ts'
import type {Verdict} from '../datasets/schema/verdict.ts'
import {canonicalJson} from '../engine/ids.ts'
import type {CaseSource} from './cases.ts'
import {inspectSources} from './integrity.ts'

/** A build, and the rows that it is used for. */
export interface BuiltGroup {
  build: Build
  rows: readonly TaskCase[]
}

interface Building {
  executor: Executor
  source: CaseSource
  signal: AbortSignal
}

/**
 * Builds an operator for every combination of dtypes that the cases need, and passes the builds to `use`; if one does
 * not compile, nothing is run. The builds are deleted afterwards.
 */
export async function withBuilds(
  {operator, files}: {operator: string; files: readonly SourceFile[]},
  {executor, source, signal}: Building,
  use: (groups: readonly BuiltGroup[]) => Promise<Verdict>,
): Promise<Verdict> {
  const groups: BuiltGroup[] = []
  try {
    for (const {dtypes, rows} of groupByDtypes(source)) {
      const attempt = await executor.build({operator, files, dtypes}, signal)
      if (!attempt.ok) return attempt.verdict
      groups.push({build: attempt.build, rows})
    }
    return await use(groups)
  } finally {
    for (const {build} of groups) await build.dispose()
  }
}

/** Signs in the text have a place; what the text hides shows in the objects. */
export function findSign(
  files: readonly SourceFile[],
  groups: readonly BuiltGroup[],
): {rule: string; detail: string} | undefined {
  const [sign] = inspectSources(files)
  if (sign) return {rule: sign.rule, detail: `${sign.path} line ${sign.line}: ${sign.seen}`}
  const [name] = groups.flatMap(({build}) => foreignImports(build))
  return name === undefined ? undefined : {rule: 'calls-the-system', detail: `the host side takes ${name} from outside`}
}

/** Rows that agree on every dtype share one build; groups and rows keep the file's order. */
function groupByDtypes({rows, dtypes: dtypesOf}: CaseSource): {dtypes: Record<string, Dtype>; rows: TaskCase[]}[] {
  const groups = new Map<string, {dtypes: Record<string, Dtype>; rows: TaskCase[]}>()
  for (const row of rows) {
    const dtypes = dtypesOf(row)
    const key = canonicalJson(dtypes)
    const group = groups.get(key) ?? {dtypes, rows: []}
    group.rows.push(row)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/**
 * What host code may take from the C library: memory, text, numbers, printing, and what the C++ runtime itself calls.
 */
const ofTheLibrary = new RegExp(
  `^(?:${[
    'mem(?:cpy|move|set|cmp|chr)(?:_s)?|str(?:n?cpy|n?cat|n?cmp|len|chr|rchr|str|tok|dup|error)(?:_s)?',
    'strn?casecmp|strto(?:u?ll?|[dfi]|ld|imax|umax)|ato(?:i|ll?|f)|abort|exit|atexit|malloc|calloc|realloc|free',
    'v?(?:s|sn|f|d)?printf(?:_s)?|put(?:s|char|c)|fput[sc]|fwrite|fflush|stderr|stdout|qsort|bsearch|rand|srand',
    'is(?:digit|alpha|alnum|space|upper|lower|xdigit|punct|print)|to(?:upper|lower)|time|clock|clock_gettime|l?l?abs',
    String.raw`__(?:cxa_\w+|gxx_personality_v0|dso_handle|stack_chk_fail|assert_fail|errno_location|tls_get_addr)`,
    String.raw`__(?:[\w]*_chk|isoc\d*_strto\w+|ctype_\w+_loc|fpclassifyf?|signbitf?|isnanf?|isinff?|finitef?)`,
    String.raw`_Unwind_\w+|_GLOBAL_OFFSET_TABLE_|(?:twin|Twin)\w*`,
    // Numbers, each with its forms for float and long double.
    `(?:${[
      'a?(?:sin|cos|tan)h?|exp(?:2|10|m1)?|log(?:2|10|1p|b)?|i?logb|sqrt|cbrt|pow|hypot|fabs|fmod|fma|fmin|fmax|fdim',
      'ceil|floor|trunc|round|rint|nearbyint|l?l?rint|l?l?round|erfc?|[lt]gamma|modf|frexp|ldexp|scalbl?n|atan2',
      'copysign|nan|nextafter|remainder|remquo',
    ].join('|')})[fl]?`,
  ].join('|')})$`,
)

/** Parts of the C++ library that reach outside the process, or run concurrently. */
const reachesOut =
  /basic_(?:filebuf|[io]?fstream)|6thread|10filesystem|17__(?:basic_)?future|18condition_variable|13random_device/

/** Undefined symbols of the host's objects that no operator needs: they reveal a call however the text hides it. */
export function foreignImports({imports = []}: Pick<Build, 'imports'>): string[] {
  return imports.filter((name) => (name.startsWith('_Z') ? reachesOut.test(name) : !ofTheLibrary.test(name)))
}

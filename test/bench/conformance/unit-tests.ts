/** One test of a file of unit tests, by its lines (counted from 1, both included). */
export interface UnitTest {
  name: string
  first: number
  last: number
}

/** Tests of a file in googletest's macros. A test ends at the brace that closes it at the margin. */
export function testsOf(text: string): UnitTest[] {
  const lines = text.split('\n')
  const tests: UnitTest[] = []
  lines.forEach((line, at) => {
    const head = /^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)/.exec(line)
    if (!head) return
    const end = lines.findIndex((one, index) => index > at && /^\}/.test(one))
    tests.push({name: `${head[1]}.${head[2]}`, first: at + 1, last: end < 0 ? lines.length : end + 1})
  })
  return tests
}

/** The same text with these tests emptied of all but line breaks, so that line numbers stay. */
export function withoutTests(text: string, tests: readonly UnitTest[]): string {
  const gone = (line: number) => tests.some(({first, last}) => line >= first && line <= last)
  return text
    .split('\n')
    .map((line, at) => (gone(at + 1) ? '' : line))
    .join('\n')
}

/**
 * An error of a compiler, and the places in files without a folder that it and its notes name. Notes stand behind the
 * error with clang; where g++ instantiates something stands in front of it.
 */
export interface CompileError {
  message: string
  places: {file: string; line: number}[]
}

export function errorsOf(log: string): CompileError[] {
  const errors: CompileError[] = []
  let required: CompileError['places'] = []
  for (const line of log.split('\n')) {
    const from = /^([^\s:/]+):(\d+):\d+: +required from /.exec(line)
    if (from) required.push({file: from[1]!, line: Number(from[2])})
    const place = /^([^\s:/]+):(\d+):\d+: (?:fatal )?(?:error|note): /.exec(line)
    const error = /: (?:fatal )?error: (.*)$/.exec(line)
    if (error) {
      errors.push({message: error[1]!, places: required})
      required = []
    }
    if (place) errors.at(-1)?.places.push({file: place[1]!, line: Number(place[2])})
  }
  return errors
}

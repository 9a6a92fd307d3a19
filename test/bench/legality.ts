import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {prebuilt as builtTwin} from '../helpers/prebuilt.ts'
import {chooseCompiler} from '../../eval/executors/toolchain.ts'
import {legalityTests} from './conformance/legality-ruler.ts'
import type {LegalityRun, LegalityTest} from './conformance/legality-ruler.ts'

const usage = 'npm run bench -- legality --asc-tools <checkout>: compiles and runs tests of the checkout'

/** The twin against the tests of the vendor's own parameter checker. Nothing of the checkout is kept. */
export async function benchLegality(args: readonly string[]): Promise<void> {
  const {values} = parseArgs({args: [...args], options: {'asc-tools': {type: 'string'}}})
  const checkout = values['asc-tools']
  if (checkout === undefined) throw new Error(`Usage: ${usage}`)
  const scratch = await mkdtemp(join(tmpdir(), 'ascend-cot-legality-'))
  try {
    const compiler = await chooseCompiler()
    const prebuilt = await builtTwin(compiler)
    await prebuilt.build({})
    show(await legalityTests(checkout, {compiler, prebuilt, scratch}))
  } finally {
    await rm(scratch, {recursive: true, force: true})
  }
}

/** What pages say of a test where the vendor's checker and the twin differ, by the test's name. */
const settled: Readonly<Record<string, string>> = {
  'TestVecReduceOtherCheckSuite.TestCaseReduceOther/6':
    'ReducePairElem.md: with repeatTime 0 nothing is done; the checker takes 1 from an unsigned 0',
  'TestVecReduceOtherWhlCheckSuite.TestCaseWholeReduceOther/2':
    'InitBuffer.md: memory comes in blocks of 32 bytes, and the result ends within one; the checker is told 30',
  'TestVecReduceOtherWhlCheckSuite.WholeReduceOnlyValueBoundary':
    'InitBuffer.md: memory comes in blocks of 32 bytes, and the result ends within one; the checker is told 14',
  'TestVecReduceOtherWhlCheckSuite.WholeReduceOnlyIndexBoundary':
    'InitBuffer.md: memory comes in blocks of 32 bytes, and the result ends within one; the checker is told 30',
}

/** What Atlas A2 does not have, by the checker's name of it, and the page that says so. */
const elsewhere: Readonly<Record<string, string>> = {
  ProposalConcat: 'ProposalConcat.md',
  ProposalExtract: 'ProposalExtract.md',
  RpSort16: 'RpSort16.md',
  MrgSort4: 'MrgSort4.md',
  broadcast_to_mm: 'BroadCastVecToMM(ISASI).md',
  mmad: 'Mmad.md, tables 7 and 9: half from half and half',
}

const pageElsewhere = ({calls}: LegalityTest) => elsewhere[calls[0]?.interface ?? '']

function show({written, checkers, tests}: LegalityRun): void {
  const ours = tests.filter((one) => pageElsewhere(one) === undefined)
  const different = ours.filter(({equal}) => equal === false)
  for (const one of ours) if (one.equal !== true) console.log(`  ${told(one)}`)
  for (const [name, page] of Object.entries(elsewhere)) {
    const count = tests.filter(({calls}) => calls[0]?.interface === name).length
    console.log(`  ${count} tests of ${name}, which other chips have: ${page}`)
  }
  const rows: [string, number, number][] = [
    ["tests of the checkout that are the parameter checker's", checkers, written],
    [
      'tests with a row for each set of parameters, run',
      tests.filter(({equal}) => equal !== undefined).length,
      tests.length,
    ],
    ['of what Atlas A2 has', ours.length, tests.length],
    ['equal', ours.filter(({equal}) => equal === true).length, ours.length],
    [
      "different and settled by the vendor's page",
      different.filter(({name}) => name in settled).length,
      different.length,
    ],
  ]
  for (const [what, count, of] of rows) console.log(`${what.padEnd(64)} ${String(count).padStart(5)} of ${of}`)
}

function told({name, calls, equal}: LegalityTest): string {
  if (equal === undefined) return `${name}: ended before its expectation`
  const words = calls.map(
    ({interface: called, parameters, rule, message}) =>
      `${called}(${parameters}) ${rule === '' ? 'taken' : `refused, ${rule}: ${message}`}`,
  )
  return `${name}: expected otherwise than the twin: ${words.join('; ')}. ${settled[name] ?? 'Not settled'}`
}

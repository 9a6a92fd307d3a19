import {performance} from 'node:perf_hooks'
import {join, relative} from 'node:path'
import {createInterface} from 'node:readline'
import {createVitest} from 'vitest/node'
import type {TestRequest, TestTold} from './warm-tests.ts'

/**
 * One vitest that is kept: `warm-run.ts <folder>` reads a request a line, runs its test files in their order until
 * one fails, and tells of each as it starts and ends.
 */
const root = process.argv[2] ?? '.'
const tell = (told: TestTold) => process.stdout.write(`${JSON.stringify(told)}\n`)
let order = new Map<string, number>()

class InTheOrderAsked {
  shard<T>(files: T[]): T[] {
    return files
  }

  sort<T extends {moduleId: string}>(files: T[]): T[] {
    return files.toSorted((a, b) => (order.get(a.moduleId) ?? 0) - (order.get(b.moduleId) ?? 0))
  }
}

const begun = new Map<string, number>()
const vitest = await createVitest(
  'test',
  {
    root,
    watch: false,
    bail: 1,
    sequence: {sequencer: InTheOrderAsked as never},
    reporters: [
      {
        onTestModuleStart({moduleId}) {
          begun.set(moduleId, performance.now())
          tell({kind: 'begun', file: relative(root, moduleId)})
        },
        onTestModuleEnd(module) {
          const seconds = (performance.now() - (begun.get(module.moduleId) ?? performance.now())) / 1000
          tell({kind: 'ended', file: relative(root, module.moduleId), failed: !module.ok(), seconds})
        },
      },
    ],
  },
  {cacheDir: join(root, '.vite')},
)
await vitest.standalone()

for await (const line of createInterface({input: process.stdin})) {
  const {changed, files} = JSON.parse(line) as TestRequest
  const names = files.map((file) => join(root, file))
  order = new Map(names.map((name, at) => [name, at]))
  // The failures of earlier requests would count for this one's first.
  vitest.state.filesMap.clear()
  vitest.state.idMap.clear()
  vitest.invalidateFile(join(root, changed))
  const {testModules, unhandledErrors} = await vitest.runTestSpecifications(
    names.flatMap((name) =>
      vitest.projects.filter((one) => one.matchesTestGlob(name)).map((one) => one.createSpecification(name)),
    ),
  )
  const wrong = testModules.filter((module) => module.state() === 'failed')
  tell({kind: 'done', failed: wrong.map(({moduleId}) => relative(root, moduleId)), thrown: unhandledErrors.length})
}
await vitest.close()

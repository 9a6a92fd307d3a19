import {dirname, join, normalize} from 'node:path'
import ts from 'typescript'
import {expect, test} from 'vitest'
import {treeOf} from '../../helpers/house.ts'

/** Modules that are loaded with a file: what it imports at its head, types apart. */
function loadedWith(file: string, found = new Set<string>()): Set<string> {
  for (const statement of treeOf(file).statements) {
    if (!ts.isImportDeclaration(statement) || statement.importClause?.phaseModifier !== undefined) continue
    const name = (statement.moduleSpecifier as ts.StringLiteral).text
    const target = name.startsWith('.') ? normalize(join(dirname(file), name)) : name
    if (found.has(target)) continue
    found.add(target)
    if (name.startsWith('.')) loadedWith(target, found)
  }
  return found
}

test('--help, --version and a mistyped flag load nothing that runs a command', () => {
  const loaded = [...loadedWith('pipelines/ascend-cot.ts')]
  expect(loaded).toContain('pipelines/command-line/commands.ts')
  expect(loaded.filter((one) => !one.startsWith('node:') && !one.endsWith('.ts'))).toEqual(['commander'])
  expect(loaded.filter((one) => /^pipelines\/(commands|workspace|recipes)\//.test(one))).toEqual([])
})

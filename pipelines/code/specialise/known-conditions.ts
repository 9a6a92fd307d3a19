import type {Scope} from '../../../cpp/expressions.ts'
import {squeeze} from '../../../cpp/nodes.ts'
import {readCpp} from '../../../cpp/parse.ts'
import {syntaxOf} from '../../../cpp/read-syntax.ts'
import {scopeOf} from '../../../cpp/scope.ts'
import {applyEdits} from '../../../cpp/edit.ts'
import {staticTruth} from './static-truth.ts'

/**
 * `true` or `false` for the conditions of `if`s that tiling constants settle, in addition to numbers and other
 * constants.
 */
export async function conditionsKnown(text: string): Promise<string> {
  const scope = await unmistakable(text)
  const values = constantsOf(text)
  const edits = await readCpp(text, (root) =>
    root.descendantsOfType('if_statement').flatMap((node) => {
      const condition = node?.childForFieldName('condition')
      const bare = squeeze(condition?.text ?? '').replace(/^\(([^]*)\)$/, '$1')
      if (!node || !condition || node.hasError || !bare.includes('TilingDataDef::')) return []
      const numbers = bare.replace(/\bTilingDataDef::(\w+)\b/g, (whole, name: string) => values.get(name) ?? whole)
      const truth = staticTruth(numbers, scope)
      return truth === undefined ? [] : [{start: condition.startIndex, end: condition.endIndex, text: `(${truth})`}]
    }),
  )
  return applyEdits(text, edits)
}

/** Values of tiling constants by name; a name that an inner structure has as well says nothing by itself. */
function constantsOf(text: string): Map<string, string> {
  const all = [...text.matchAll(/\bstatic constexpr \w+ (\w+) = (-?\d+|true|false)(?:U?LL)?;/g)].map(
    ([, name = '', value = '']) => ({name, value}),
  )
  const own = all.filter(({name}) => all.filter((one) => one.name === name).length === 1)
  return new Map(own.map(({name, value}) => [name, value]))
}

/** Constants of the text whose names nothing else in it has. */
async function unmistakable(text: string): Promise<Scope> {
  const {declarations, classes} = await syntaxOf(text)
  const scope = scopeOf(
    declarations.filter(({owner}) => owner === ''),
    classes,
    {},
  )
  const constants = [...scope.constants].filter(([name]) => {
    const set = text.match(new RegExp(String.raw`\b${name}\s*(?:=(?!=)|\{)`, 'g')) ?? []
    return set.length === 1 && !new RegExp(String.raw`[\w>][\s&*]+${name}\s*[,)]`).test(text)
  })
  return {...scope, constants: new Map(constants)}
}

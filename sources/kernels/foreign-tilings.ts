import {withoutComments} from '../../cpp/code-pieces.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'

/**
 * Host files of another chip generation, or of another operator, that those of this one call, directly or through each
 * other: a tiling that serves several chips decides at run time, so it does not link without them. A file that
 * registers a tiling itself belongs only to the other one.
 */
export function calledForeign(host: readonly SourceFile[], foreign: readonly SourceFile[]): SourceFile[] {
  const known = new Set(host.flatMap(({text}) => definedNames(withoutComments(text))))
  let texts = host.map(({text}) => withoutComments(text))
  const registers = (text: string) => /\bIMPL_OP_OPTILING\b/.test(text)
  let left = foreign
    .map((file) => ({file, text: withoutComments(file.text)}))
    .filter(({text}) => !registers(text))
    .map((one) => ({...one, names: definedNames(one.text).filter((name) => !known.has(name))}))
  const taken: SourceFile[] = []
  while (texts.length > 0) {
    const called = left.filter(({names}) => names.some((name) => isUsed(name, texts)))
    left = left.filter((one) => !called.includes(one))
    texts = called.map(({text}) => text)
    taken.push(...called.map(({file}) => file))
  }
  return taken
}

/** Functions, and classes whose methods, a file defines; the house style of these files indents neither. */
function definedNames(text: string): string[] {
  const functions = text.matchAll(/^(?!static\b)[A-Za-z_][\w:<>*& ]*?[\s*&](\w+)(?:::~?\w+)?\s*\([^;{}]*\)[\s\w]*\{/gm)
  return [...new Set([...functions].map(([, name]) => name as string))]
}

function isUsed(name: string, texts: readonly string[]): boolean {
  const use = new RegExp(`\\b${name}\\b`)
  return texts.some((text) => use.test(text))
}

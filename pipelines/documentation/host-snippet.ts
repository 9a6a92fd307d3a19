import type {Unit} from '../../datasets/schema/executor.ts'
import {freeNames} from './free-names.ts'

const headers = [
  'register/op_def_registry.h',
  'register/tilingdata_base.h',
  'tiling/platform/platform_ascendc.h',
  'tiling/tiling_api.h',
]

/** A listing as a file of the host's side. */
export function hostFile(code: string): Unit {
  const hasIncludes = /#include/.test(code)
  const includes = hasIncludes ? '' : headers.map((path) => `#include "${path}"\n`).join('')
  const isQualified = hasIncludes || /\bnamespace\b/.test(code)
  const spaces = isQualified ? '' : 'using namespace AscendC;\nusing namespace ops;\nusing namespace gert;\n'
  return unit(`${includes}${spaces}${code}\n`)
}

/** The body of an operator definition's constructor. */
export function operatorDefinition(code: string): Unit {
  return hostFile(
    [
      'namespace ops {',
      'class Example : public OpDef {',
      'public:',
      'explicit Example(const char* name) : OpDef(name)',
      '{',
      code,
      '}',
      '};',
      '}',
    ].join('\n'),
  )
}

/** What only code of the host's side names. */
const hostWords = new RegExp(
  [
    String.raw`\b(?:gert|ge|optiling|platform_ascendc|matmul_tiling)::|BEGIN_TILING_DATA_DEF|\bOpDef\b|TilingContext`,
    String.raw`\bstd::vector\b|\bTensorShape\b|TmpSize\s*\(|TmpBufferFactorSize\s*\(|TilingFunc\s*\(`,
  ].join('|'),
)

export function isHostCode(bare: string): boolean {
  return hostWords.test(bare)
}

/** Statements as a tiling function; undefined where they use an object of a class that nothing tells. */
export function hostStatements(code: string, bare: string): Unit | undefined {
  const names = freeNames(bare).map((name) => ({name, type: typeOf(name, bare)}))
  if (names.some(({type}) => type === '')) return undefined
  const known = names.filter(({type}) => type !== 'gert::TilingContext*')
  const parameters = [{name: contextName(bare), type: 'gert::TilingContext*'}, ...known]
  const list = parameters.map(({name, type}) => `${type} ${name}`).join(', ')
  const spaces = 'using namespace AscendC;\nusing namespace gert;\n'
  const includes = headers.map((path) => `#include "${path}"\n`).join('')
  return unit(`${includes}${spaces}${asTilingFunction(code, list)}\n`)
}

function contextName(bare: string): string {
  return /\bcontext_\b/.test(bare) ? 'context_' : 'context'
}

function typeOf(name: string, bare: string): string {
  if (/^context_?$/.test(name)) return 'gert::TilingContext*'
  if (/platform/i.test(name)) return 'platform_ascendc::PlatformAscendC'
  const isObject = new RegExp(String.raw`(?<![\w.])${name}\s*(?:\.|->)\s*[A-Za-z_]`).test(bare)
  if (isObject) return ''
  if (/shape$/i.test(name)) return 'ge::Shape'
  if (/tiling(?:data)?$/i.test(name)) return libraryTiling(bare)
  return /^(?:is|has|need|enable)[A-Z]/.test(name) ? 'bool' : 'uint32_t'
}

/** The structure that a tiling function of the library fills. */
function libraryTiling(bare: string): string {
  if (/\bGetTiling\s*\(/.test(bare)) return 'optiling::TCubeTiling'
  const filled = /\b(?:Get)?([A-Z]\w*?)(?:NDTilingInfo|NormalTilingInfo|TilingInfo|TilingFunc|Tiling)\s*\(/.exec(
    bare,
  )?.[1]
  if (filled === undefined) return ''
  return /^SoftMax/i.test(filled) ? 'optiling::SoftMaxTiling&' : `optiling::${filled}Tiling&`
}

function asTilingFunction(code: string, parameters: string): string {
  return [`static ge::graphStatus Example(${parameters})`, '{', code, 'return ge::GRAPH_SUCCESS;', '}'].join('\n')
}

function unit(text: string): Unit {
  return {side: 'host', tiling: '', dtypes: {}, text}
}

import type {Diagnostic} from '../../datasets/schema/verdict.ts'

const message =
  /^(?<file>[^\s:][^:\n]*):(?<line>\d+):(?:(?<column>\d+):)? (?<severity>fatal error|error|warning|note): (?<text>.*)$/

/**
 * Compiler messages of clang and gcc, in order; other lines (source quotes, include stacks) are skipped. Messages
 * without a place, such as `error: no such file or directory`, get line 0.
 */
export function parseDiagnostics(log: string): Diagnostic[] {
  return log.split('\n').flatMap((line): Diagnostic[] => {
    const groups = message.exec(line)?.groups
    if (groups) {
      return [
        {
          severity: severityOf(groups['severity'] as string),
          file: groups['file'] as string,
          line: Number(groups['line']),
          column: Number(groups['column'] ?? 0),
          message: (groups['text'] as string).replace(/ \[-W[\w=+-]+\]$/, ''),
        },
      ]
    }
    const bare = /^(?:\S+: )?(fatal error|error): (.*)$/.exec(line)
    return bare ? [{severity: 'error', file: '', line: 0, column: 0, message: bare[2] as string}] : []
  })
}

function severityOf(word: string): Diagnostic['severity'] {
  return word === 'warning' || word === 'note' ? word : 'error'
}

/** Compiler or linker messages as from the device's tools: without local folders or names of the twin. */
export function outwardLog(log: string, folders: readonly string[]): string {
  return vendorWords(withoutPaths(log, folders))
}

/** The log without local folders, so that the same candidate gives the same text everywhere. */
function withoutPaths(log: string, folders: readonly string[]): string {
  const bare = folders.reduce((text, folder) => text.replaceAll(`${folder.replace(/\/$/, '')}/`, ''), log)
  return bare.replace(/(^|[\s'"(])\.\//gm, '$1')
}

/** Memories by the number of their address space (twin/macros.h). */
const memories = ['', '__gm__', '__ubuf__', '__cbuf__', '__ca__', '__cb__', '__cc__', '__fbuf__', '__ssbuf__']

/** SDK headers with the same declarations as these of the twin; any other is part of `kernel_operator.h`. */
const vendorHeaders: Readonly<Record<string, string>> = {
  data_copy: 'kernel_operator_data_copy_intf.h',
  tbufpool: 'kernel_tpipe.h',
  tensor: 'kernel_tensor.h',
  tpipe: 'kernel_tpipe.h',
  tque: 'kernel_tpipe.h',
  vec_binary: 'kernel_operator_vec_binary_intf.h',
  vec_cast: 'kernel_operator_vec_vconv_intf.h',
  vec_compare: 'kernel_operator_vec_cmpsel_intf.h',
  vec_fill: 'kernel_operator_vec_duplicate_intf.h',
  vec_gather: 'kernel_operator_vec_gather_intf.h',
  vec_reduce: 'kernel_operator_vec_reduce_intf.h',
  vec_scalar: 'kernel_operator_vec_binary_scalar_intf.h',
  vec_unary: 'kernel_operator_vec_unary_intf.h',
}

/** In order. The device's compiler writes a pointer into UB as `__ubuf__ half *` (its messages in public reports). */
const outwardNames: readonly [RegExp, string | ((whole: string, part: string) => string)][] = [
  [/\btwin::Placed\((\w+)\)/g, '$1'],
  [/'twin::Scalar<[^']*>([^'>]*)' \(aka '([^']*)'\)/g, "'$2'"],
  [/__attribute__\(\(address_space\((\d)\)\)\)/g, (_, number) => memories[Number(number)] ?? ''],
  [/\btwin::DoublePrecision\b/g, 'double'],
  [/\btwin::Words128\b/g, '__uint128_t'],
  [/'[^']*' is unavailable: (cast to\/from double [\w ]*)/g, '$1'],
  [/\btwin\/(\w+)\.h\b/g, (_, name) => vendorHeaders[name] ?? 'kernel_operator.h'],
  [/\btwin_host\/\w+\.h\b/g, 'tiling/tiling_api.h'],
  [/\bgch\/(?:kernel|cube)\.h\b/g, 'kernel_operator.h'],
  [/\bgch\/host\.h\b/g, 'tiling/tiling_api.h'],
  [/\blibtwin\.so\b/g, 'libascendc.so'],
  [/\bAscendC::(?:twin_detail::)?twin::/g, 'AscendC::'],
  [/\btwin(?:_detail)?::(?:direct::)?/g, 'AscendC::'],
  [/namespace 'twin'/g, "namespace 'AscendC'"],
  [/\bAscendC::AscendC::/g, 'AscendC::'],
  [/\bTWIN_(?=[A-Z])/g, 'ASCENDC_'],
  [/\btwin_entry_/g, ''],
  [/\btwin_(?=(?:kernel|template|block)_)/g, 'ascendc_'],
  [/\bTwin(?=DefaultTiling\b|TemplateCall\b)/g, ''],
  [/\btwinCopyOf_/g, 'copyOf_'],
  [/^(\d+ errors? generated) when compiling for [\w-]*\.$/gm, '$1.'],
]

/** Compiler or linker messages with the SDK's names instead of the twin's. */
function vendorWords(log: string): string {
  return outwardNames.reduce(
    (text, [name, outward]) =>
      typeof outward === 'string' ? text.replace(name, outward) : text.replace(name, outward),
    log,
  )
}

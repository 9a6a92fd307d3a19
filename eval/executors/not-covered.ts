import type {Diagnostic} from '../../datasets/schema/verdict.ts'
// Names and header paths only, taken from the API lists, prototypes and include folders of asc-devkit (82b89a15),
// without the names whose pages say that Atlas A2 lacks them (IsInf, Clamp, Neg, ...): its compiler does not know them
// either.
import names from './api-names.json' with {type: 'json'}

const documented = new Set(names.names)
const sdkHeaders = new Set(names.headers)

/** Ways in which clang and gcc say that a name is unknown; the first group is the name. */
const unknownName = [
  /use of undeclared identifier '(?:\w+::)*(\w+)'/,
  /no (?:member|template|type) named '(\w+)'/,
  /unknown (?:type|class) name '(?:\w+::)*(\w+)'/,
  /no matching member function for call to '(\w+)'/,
  /'(?:\w+::)*(\w+)' was not declared in this scope/,
  /'(\w+)' is not a member of/,
  /has no member named '(\w+)'/,
  /'(\w+)' (?:does not name a (?:template )?type|has not been declared)/,
]

const unknownHeader = [/'([^']+)' file not found/, /^([^\s:]+): No such file or directory/]

/**
 * Documented Ascend C names and SDK headers that the errors miss and the twin does not have: then the twin cannot
 * judge. A name that the twin has somewhere, or that no document knows, is the candidate's own mistake and not listed.
 * @param twinNames every identifier in the twin's headers
 * @param headers `sdk` counts a missing header only when an installed SDK brings it; `any` is for one flattened file,
 *   whose project is already inside it, so that whatever it still includes is foreign
 */
export function missingNames(
  diagnostics: readonly Diagnostic[],
  twinNames: ReadonlySet<string>,
  headers: 'sdk' | 'any' = 'sdk',
): string[] {
  const missing = diagnostics
    .filter(({severity}) => severity === 'error')
    .flatMap(({message}) => {
      const name = firstGroup(unknownName, message)
      if (name !== undefined) return documented.has(name) && !twinNames.has(name) ? [name] : []
      const header = firstGroup(unknownHeader, message)
      return header !== undefined && !header.startsWith('/') && (headers === 'any' || isSdkHeader(header))
        ? [header]
        : []
    })
  return [...new Set(missing)].sort()
}

function firstGroup(patterns: readonly RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1]
    if (found !== undefined) return found
  }
  return undefined
}

/** Headers that an installed SDK brings; a project's own missing header is the candidate's fault. */
function isSdkHeader(path: string): boolean {
  return sdkHeaders.has(path) || names.headerFolders.some((folder) => path.startsWith(`${folder}/`))
}

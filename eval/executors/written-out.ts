/** A header of the twin, by its path. */
interface Header {
  path: string
  text: string
}

/** A macro that declares the forms of an operation at once; as its name says. */
interface Forms {
  parameters: readonly string[]
  body: string
}

const definition = /^#define (TWIN_FORMS_\w+)\(([^)]*)\) *\\\n((?:.*\\\n)*.*\n)/gm
const call = /^(TWIN_FORMS_\w+)\(((?:"[^"]*"|[^"()])*)\)\n/gm

/**
 * Headers rewritten for better compiler messages. Notes quote one line of a declaration, and the macro for
 * macro-generated ones: so overloads are written out, and each declaration is on one line.
 */
export function writtenOut(headers: readonly Header[]): Header[] {
  const all = new Map(headers.flatMap(({text}) => [...text.matchAll(definition)].map(formsOf)))
  return headers.map(({path, text}) => ({path, text: onOneLine(withForms(text.replace(definition, ''), all))}))
}

function formsOf([, name = '', parameters = '', body = '']: RegExpMatchArray): [string, Forms] {
  return [name, {parameters: parameters.split(/,\s*/), body: body.replace(/^ {4}/gm, '').replace(/ *\\$/gm, '')}]
}

function withForms(text: string, all: ReadonlyMap<string, Forms>): string {
  return text.replace(call, (whole, name: string, listed: string) => {
    const forms = all.get(name)
    return forms ? filled(forms, listed) : whole
  })
}

/** The body with what the macro was called with, as by the preprocessor. */
function filled({parameters, body}: Forms, listed: string): string {
  const args = (listed.match(/(?:"[^"]*"|[^",])+/g) ?? []).map((one) => one.trim().replace(/\s+/g, ' '))
  const named = parameters.filter((name) => name !== '...')
  const values = new Map(named.map((name, at) => [name, args[at] ?? '']))
  values.set('__VA_ARGS__', args.slice(named.length).join(', '))
  return body.replace(/(#?)\b([A-Za-z_]\w*)\b/g, (whole, quoted: string, name: string) => {
    const value = values.get(name)
    if (value === undefined) return whole
    return quoted ? `"${value}"` : value
  })
}

/** A type, a name and a bracket, or an assertion. Statements that look the same do no harm. */
const head = /^ *(?:(?:[\w:<>,*&]+ )+~?\w+|static_assert)\(/

function onOneLine(text: string): string {
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const last = lines.at(-1)
    if (last !== undefined && isBroken(last)) lines[lines.length - 1] = joined(last, line.trim())
    else lines.push(line)
  }
  return lines.join('\n')
}

/** Macro definitions keep their lines, and so do lines ending with a comment. */
function isBroken(line: string): boolean {
  if (!head.test(line) || line.endsWith('\\')) return false
  const bare = line.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'/g, '')
  if (bare.includes('//')) return false
  return (bare.match(/\(/g) ?? []).length > (bare.match(/\)/g) ?? []).length
}

const joined = (start: string, rest: string) => (start.endsWith('(') ? start + rest : `${start} ${rest}`)

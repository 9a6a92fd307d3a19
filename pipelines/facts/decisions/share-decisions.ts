import type {Assignment, FunctionSyntax} from '../../../cpp/syntax.ts'
import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {cleaned} from './cleaned.ts'

/** Names by which a function knows its core where it does not ask for the number itself. */
const core = `(?:${[
  String.raw`(?:AscendC::)?GetBlockIdx\(\)`,
  String.raw`\w*(?:[bB]lock|[cC]ore|[aA]i[cv])_?I(?:dx|D|d)\w*`,
  String.raw`\w*(?:block|core)_(?:idx|id)\w*`,
  'block_(?:inner_)?[a-z]',
].join('|')})`
const cores = `(?:${[
  String.raw`(?:AscendC::)?GetBlockNum\(\)`,
  String.raw`\w*[cC]ores?_?[nN]ums?_?`,
  String.raw`\w*[nN]um_?[cC]ores?_?`,
  String.raw`\w*[bB]lock_?[nN]um_?`,
].join('|')})`
const name = String.raw`[\w.>[\]-]+`

/** Longer statements are not quoted. */
const longest = 110

/** What an assignment of a function says of the work of its cores. */
const statements: readonly {situation: string; form: RegExp; values: readonly string[]}[] = [
  {
    situation: 'last-share',
    form: new RegExp(
      String.raw`^${name} = \(?(?:(?:Min|MIN|min|std::min|getMin)\(\(?)+\(?` +
        String.raw`(${core}) \+ 1\)? \* (${name})\)?, (${name})\)`,
    ),
    values: ['core', 'share', 'total'],
  },
  {
    situation: 'remainder',
    form: new RegExp(String.raw`^(${name}) \+?= .*${core} < (${name}) \? 1 : 0\)?$`),
    values: ['target', 'rest'],
  },
  {
    situation: 'remainder-start',
    form: new RegExp(String.raw`^(${name}) \+?= .*${core} < (${name}) \? ${core} : \2\)?$`),
    values: ['target', 'rest'],
  },
  {
    situation: 'halves',
    form: new RegExp(String.raw`^${name} = .*\b(subIdx|(?:AscendC::)?GetSubBlockIdx\(\)) \* (\w+)\)?$`),
    values: ['core', 'share'],
  },
]

/** How work is shared out, as far as a function shows that is given its core. */
export function shareDecisions({methods, split}: KernelFacts): Decision[] {
  const functions = methods.map(({syntax}) => syntax)
  const said = new Set(split.map(({statement}) => cleaned(statement)))
  const all = functions.flatMap(({assignments}) => assignments.map(statementOf))
  const assigned = all.filter((one) => !said.has(one))
  const stated = statements.flatMap(({situation, form, values: names}): Decision[] => {
    const hits = assigned.flatMap((text) => (text.length <= longest ? (form.exec(text) ?? []) : []))
    const [, ...parts] = hits
    if (hits.length === 0) return []
    const statement = assigned.find((text) => text.startsWith(hits[0] ?? '')) ?? ''
    const values = Object.fromEntries(names.map((one, at) => [one, parts[at] ?? '']))
    return [shared(situation, {...values, statement}, [statement])]
  })
  const dealt = functions.flatMap(dealtDecisions).slice(0, 1)
  return [...dealt, ...groups(functions), ...stated, ...working(functions), ...pairs(all)]
}

const statementOf = ({name: target, operator, value}: Assignment) => `${cleaned(target)} ${operator} ${cleaned(value)}`

const shared = (situation: string, values: Decision['values'], because: readonly string[]): Decision => ({
  ...{topic: 'division', situation, subject: because[0] ?? '', values},
  because: because.map((code) => ({kind: 'fact', code})),
})

/** `for (item = core; item < items; item += cores)`: pieces go round. */
function dealtDecisions({loops, assignments}: FunctionSyntax): Decision[] {
  return loops.flatMap(({header}): Decision[] => {
    const [, given = '', limit = '', step = ''] = /^for \((.*); (.*); (.*)\)$/.exec(header) ?? []
    const [, index = '', first = ''] = /(\w+) = (.*)$/.exec(given) ?? []
    const [, upTo = ''] = new RegExp(`^${index} < (${name})$`).exec(cleaned(limit)) ?? []
    const [, by = ''] = new RegExp(String.raw`^${index} \+= (${cores})$`).exec(cleaned(step)) ?? []
    const start = cleaned(first)
    if (index === '' || upTo === '' || by === '' || !new RegExp(`^${core}$`).test(start)) return []
    const split = splitBy(assignments).find(({whole}) => whole === index)
    const code = `for (${index} = ${start}; ${cleaned(limit)}; ${index} += ${by})`
    const parts = split ? [split.quotient, split.rest] : []
    return [shared('dealt', {index, start, total: upTo, by, parts}, [code, ...parts])]
  })
}

interface Split {
  whole: string
  by: string
  /** The statements of both. */
  quotient: string
  rest: string
}

/** `row = i / n` with `column = i % n`. */
function splitBy(assignments: readonly Assignment[]): Split[] {
  const parts = (operator: string) =>
    assignments.flatMap((one) => {
      const text = cleaned(one.value)
      const whole = new RegExp(String.raw`^(?:${name} > 0 \? )?(${name}|${core}) ${operator} (${name})(?: : 0)?$`)
      const [, of = '', by = ''] = whole.exec(text) ?? []
      return of === '' || one.operator !== '=' ? [] : [{of, by, statement: statementOf(one)}]
    })
  const rests = parts('%')
  return parts('/').flatMap(({of, by, statement}) => {
    const rest = rests.find((one) => one.of === of && one.by === by)
    return rest ? [{whole: of, by, quotient: statement, rest: rest.statement}] : []
  })
}

/** Several cores at one piece: the number of a core gives its group and its place in it. */
function groups(functions: readonly FunctionSyntax[]): Decision[] {
  const [one] = functions
    .flatMap(({assignments}) => splitBy(assignments))
    .filter(({whole}) => new RegExp(`^${core}$`).test(whole))
  if (!one) return []
  const {whole, by, quotient, rest} = one
  return [shared('groups', {core: whole, by, quotient, rest}, [quotient, rest])]
}

/** A name for how many cores have work; others part cores with more work from those with less. */
const isNeeded = /need|used?(?:_|[A-Z])|real|active|valid/

/** A step that fewer cores have work in: `if (core < needed) …`. */
function working(functions: readonly FunctionSyntax[]): Decision[] {
  const form = new RegExp(`(?:^|&& )(${core}) < (${name})(?: &&|$)`)
  const conditions = functions.flatMap((one) => one.conditions.map(({text}) => cleaned(text)))
  const [first] = conditions.flatMap((text) => {
    const [, index = '', limit = ''] = form.exec(text) ?? []
    return !isNeeded.test(limit) || text.length > longest ? [] : [{index, limit, condition: `${index} < ${limit}`}]
  })
  return first ? [shared('working', {...first, core: first.index}, [first.condition])] : []
}

/** Vector cores of one AI core that go by one index: `blockIdx = GetBlockIdx() / 2`. */
function pairs(assigned: readonly string[]): Decision[] {
  const found = assigned.find((text) => /^[\w.>-]+ = (?:AscendC::)?GetBlockIdx\(\) \/ 2$/.test(text))
  const [index = ''] = found?.split(' = ') ?? []
  return found === undefined ? [] : [shared('pairs', {statement: found, index}, [found])]
}

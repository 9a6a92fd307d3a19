import type {Random} from '../../engine/random.ts'
import type {EffectItem} from './effect-item.ts'

/** The subject of a question about an interface. */
export interface KnownInterface {
  name: string
  prototypes: readonly {text: string; parameters: readonly {name: string; type: string}[]}[]
  alignment: readonly {bytes: number; of: readonly string[]}[]
}

/** Options of a question, the correct one first. */
type Question = {id: string; group: string; before: string; options: readonly string[]}

/**
 * Multiple-choice questions about interfaces: which parameters, of which types, which alignment. Wrong options are the
 * correct one with parameters swapped or retyped, so that all look alike.
 */
export function interfaceItems(interfaces: readonly KnownInterface[], most: number, random: Random): EffectItem[] {
  const questions = interfaces.flatMap((one) => [...parameterQuestion(one, random), ...alignmentQuestion(one, random)])
  return random.shuffle(questions).slice(0, most).flatMap(itemsOf)
}

const itemsOf = ({id, group, before, options}: Question): EffectItem[] =>
  options.map((option, at) => ({
    id: `interfaces ${id} ${at}`,
    measure: 'interfaces',
    unit: id,
    variant: at === 0 ? 'right' : `wrong ${at}`,
    group,
    before,
    parts: [option],
    most: {},
  }))

type Parameters = KnownInterface['prototypes'][number]['parameters']

const listOf = (parameters: Parameters) => `(${parameters.map(({type, name}) => `${type} ${name}`).join(', ')})`

function parameterQuestion({name, prototypes}: KnownInterface, random: Random): Question[] {
  const [first] = prototypes
  const parameters = first?.parameters.filter((one) => one.name !== '') ?? []
  if (parameters.length < 3) return []
  const right = listOf(parameters)
  const others = new Set<string>()
  for (let tries = 0; tries < 40 && others.size < 3; tries += 1) {
    const changed = listOf(tries % 2 === 0 ? random.shuffle(parameters) : withTypesMoved(parameters, random))
    if (changed !== right) others.add(changed)
  }
  if (others.size < 3) return []
  const before = `// Ascend C\n__aicore__ inline void ${name.split('::').at(-1)}`
  return [{id: `${name} parameters`, group: 'parameters', before, options: [right, ...others]}]
}

function withTypesMoved(parameters: Parameters, random: Random): Parameters {
  const types = random.shuffle(parameters.map(({type}) => type))
  return parameters.map(({name}, at) => ({name, type: types[at] as string}))
}

const alignments = [2, 16, 32, 64, 256, 512]

function alignmentQuestion({name, alignment}: KnownInterface, random: Random): Question[] {
  const rule = alignment.find(({bytes, of}) => alignments.includes(bytes) && of.length > 0)
  if (!rule) return []
  const wrong = random.shuffle(alignments.filter((one) => one !== rule.bytes)).slice(0, 3)
  const before = `In Ascend C, the start address of ${rule.of.join(' and ')} of ${name} must be aligned to`
  const options = [rule.bytes, ...wrong].map((bytes) => ` ${bytes} bytes`)
  return [{id: `${name} alignment`, group: 'alignment', before, options}]
}

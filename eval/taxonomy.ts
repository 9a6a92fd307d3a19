import {familyOf, interfaces} from '../cpp/interfaces.ts'
import type {JudgedCandidate} from '../datasets/schema/candidate.ts'
import type {ErrorClass} from '../datasets/schema/error-class.ts'
import type {Diagnostic, Verdict} from '../datasets/schema/verdict.ts'

export interface Failure {
  class: ErrorClass
  /** The broken rule, or the cheat; '' for every other class. */
  rule: string
}

/** How a candidate failed. A reply without code is distinguished from code that does not compile. */
export function classifyCandidate({
  verdict,
  unreadable,
}: Pick<JudgedCandidate, 'verdict' | 'unreadable'>): Failure | undefined {
  return unreadable === undefined ? classifyVerdict(verdict) : failure('no-answer')
}

/**
 * How a judged candidate failed; undefined when it did not, or when the executor cannot judge it. A kernel is in one
 * class, as in Figure 6 of the AscendKernelGen paper: that of its first error, since later ones are often caused by it.
 */
export function classifyVerdict(verdict: Verdict): Failure | undefined {
  switch (verdict.outcome) {
    case 'correct':
    case 'compiled':
    case 'not-covered':
      return undefined
    case 'compile-failed':
      return failure(classifyCompile(verdict.diagnostics, verdict.log))
    case 'link-failed':
      return failure('link')
    case 'launch-failed':
      return failure('launch')
    case 'crashed':
      return failure('crash')
    case 'timed-out':
      return failure('timeout')
    case 'violated':
      return failure('rule-violation', verdict.violation.rule)
    case 'mismatched':
      return failure('accuracy')
    case 'cheated':
      return failure('cheat', verdict.rule)
  }
}

function failure(name: ErrorClass, rule = ''): Failure {
  return {class: name, rule}
}

/** The first error with its context: following notes, other errors of the same line, and the quoted source line. */
interface Evidence {
  message: string
  notes: string
  sameLine: string
  quoteUpToError: string
}

type Rule = [ErrorClass, (evidence: Evidence) => boolean]

/** True when any of the patterns matches the message. */
function says(...patterns: readonly (RegExp | string)[]): Rule[1] {
  const shapes = patterns.map((pattern) => new RegExp(pattern))
  return ({message}) => shapes.some((shape) => shape.test(message))
}

// Members of TPipe, TQue, TBuf, LocalTensor and GlobalTensor.
const objectMember = anyOf(
  ...[...interfaces.keys()].filter((name) => familyOf(name) === 'member'),
  'AllocEventID|ReleaseEventID|FetchEventID',
)
const coreObject =
  '(?:AscendC::)?(?:TPipe|TQue|TQueBind|TBuf|LocalTensor|GlobalTensor|BaseLocalTensor|BaseGlobalTensor)\\b'
const expansion = '(?:expanded from|in expansion of|in definition of) macro'
const vendorSpace = "namespace '(?:AscendC|gert|ge|ops|platform_ascendc)"
const inventedType = '(?:u?int\\d*(?:_t)?|b?float\\d*(?:_t)?|bfloat16|fp\\d+(?:_t)?|half\\w+|bool_t|double\\w+)'
const tilingMacro = anyOf(
  'TILING_KEY_IS|GET_TILING_DATA\\w*|TILING_DATA_FIELD_DEF\\w*|(?:BEGIN|END)_TILING_DATA_DEF',
  'REGISTER_TILING\\w*|KERNEL_TASK_TYPE\\w*|IMPL_OP\\w*|OP_ADD',
)
// Two errors on one line: template arguments, and what precedes them is not a template.
const callOfTemplate =
  /does not name a template but is followed by template arguments|expected primary-expression before '\)' token/
const memberIsNoTemplate = anyOf(
  'followed by template|invalid use of member function|comparison between pointer',
  'reference to non-static member function',
)

function anyOf(...alternatives: readonly string[]): string {
  return `(?:${alternatives.join('|')})`
}

/**
 * The first matching rule decides. In a pattern, clang's messages come before gcc's. If Table 7 of the paper shows one
 * message under two classes, the rule follows the definition in Appendix C: an undeclared bare name is a matter of
 * scope, one asked of the namespace AscendC a matter of the interface; types that disagree between arguments are a
 * wrong signature unless one of them is bool or 8 bits wide, which vector instructions do not accept.
 */
const rules: readonly Rule[] = [
  ['timeout', says(/^compilation ran past its (?:time|memory|file size) limit/)],
  [
    'macro-and-preprocessing',
    says(
      /^(?:un)?terminated |function-like macro|^macro "|macro (?:name|argument|expansion|invocation)/i,
      /#(?:if|else|elif|endif|define|include|error)\b|preprocess|conditional directive|file not found/i,
      /No such file or directory|^invalid token|'#'|pasting formed|user-defined literal/i,
    ),
  ],
  [
    'macro-and-preprocessing',
    // If other notes come first, the macro only declared the name in use, such as `set_x`.
    ({notes}) => new RegExp(`^(?:${expansion} '\\w+'\n)*${expansion} '${tilingMacro}'`).test(notes),
  ],
  [
    'macro-and-preprocessing',
    ({message, quoteUpToError}) =>
      /^expected /.test(message) && new RegExp(`\\b${tilingMacro}\\s*\\([^()]*\\)?\\s*$`).test(quoteUpToError),
  ],
  ['macro-and-preprocessing', says(`\\b${tilingMacro}\\b`)],
  // The kernel's own constant or macro that the headers also define (ALIGN_SIZE in Table 7).
  ['macro-and-preprocessing', says(/^reference to '\w+' is ambiguous/)],
  [
    'syntax-and-structure',
    ({sameLine}) => callOfTemplate.test(sameLine) && new RegExp(memberIsNoTemplate).test(sameLine),
  ],
  [
    'memory-and-object-usage',
    says(
      `no member named '\\w+' in '${coreObject}`,
      `'(?:class |struct )?${coreObject}.*' has no member named|'${coreObject}.*is not a pointer`,
      `is a private member of '${coreObject}`,
      `no matching member function for call to '${objectMember}'`,
      `no matching function for call to '${coreObject}.*::${objectMember}\\(`,
    ),
  ],
  [
    'memory-and-object-usage',
    says(
      /indirection requires pointer operand|invalid type argument of unary|is not a pointer/,
      /non-pointer type|base of member reference|subscripted value|(?:cannot take|taking) the address/,
      /invalid types '.*' for array subscript|call to (?:implicitly-)?deleted|use of deleted/,
      /^member reference base type|^request for member '\w+' in .* which is of non-class type/,
      /comparison (?:between|of) pointer|comparison of distinct pointer/,
    ),
  ],
  [
    'memory-and-object-usage',
    says(
      /(?:no viable conversion|conversion) from '(?:const )?(?:AscendC::)?GlobalTensor.*'(?:AscendC::)?LocalTensor/,
      /(?:no viable conversion|conversion) from '(?:const )?(?:AscendC::)?LocalTensor.*'(?:AscendC::)?GlobalTensor/,
    ),
  ],
  ['memory-and-object-usage', says(/(?:cast|convert|conversion|initialize|assigning|incompatible).*\*'/)],
  ['data-type-and-conversion', says(/^static assertion failed/)],
  [
    'data-type-and-conversion',
    says(
      `(?:unknown (?:type|class) name|undeclared identifier) '${inventedType}'`,
      `'${inventedType}' (?:was not declared|does not name a type|has not been declared)`,
      `no (?:type|member) named '${inventedType}' in namespace`,
    ),
  ],
  [
    'data-type-and-conversion',
    ({message, notes}) =>
      /^no matching function/.test(message) &&
      /conflicting types for parameter[^\n]*\((?:[^\n]*\W)?'(?:bool|u?int8_t|(?:un)?signed char|char)'/.test(notes),
  ],
  [
    'data-type-and-conversion',
    ({message, notes}) =>
      /^no matching function/.test(message) &&
      /no known conversion[^\n]* from '(?:AscendC::)?(\w+Tensor)<[^\n]*' to 'const (?:AscendC::)?\1</.test(notes),
  ],
  [
    'api-signature-and-overload',
    says(
      /^no matching (?:member )?(?:function|constructor|conversion)|^too (?:few|many) arguments/,
      /^call to (?:member function |constructor of )?'.*' is ambiguous|^call of overloaded/,
      `no (?:member|type|template) named '\\w+' in ${vendorSpace}`,
      /is not a member of '(?:AscendC|gert|ge|ops|platform_ascendc)|no matching overload/,
      /could not (?:convert|infer)/,
    ),
  ],
  [
    'variable-scope-and-lifetime',
    says(
      /undeclared identifier|was not declared in this scope|unknown (?:type|class) name/,
      /does not name a type|has not been declared|is a private member|is private within/,
      /is a protected member|redefinition of|redeclaration of|conflicting declaration|is not captured/,
      /not usable in|uninitialized|outside of its|no (?:member|type) named '\w+' in namespace|is not a member of/,
      /^no type named '\w+' in '|^no template named '/,
    ),
  ],
  [
    'data-type-and-conversion',
    says(
      /no viable (?:conversion|overloaded)|cannot (?:be narrowed|initialize|convert|assign)|narrow/,
      /conversion from|incompatible|invalid (?:operands|cast|conversion|static_cast|argument type)/,
      /static_cast from|reinterpret_cast from|is not allowed|implicit conversion|cannot cast|C-style cast/,
      /read-only|const-qualified|discards qualifiers|no match for 'operator/,
      /not (?:contextually )?convertible/,
    ),
  ],
  [
    'syntax-and-structure',
    says(
      /^expected|extraneous|unmatched|^missing|unexpected|no member named|has no member named/,
      /function definition is not allowed|template|out-of-line definition|must (?:have|be)/,
      /non-void function|no default constructor|no declaration matches|invalid suffix/,
      /unable to find numeric literal|stray|base operand|constructor|qualified/,
      /not a (?:class|structure|function)|cannot overload|overload(?:ed|ing)|no class:/,
      /: no (?:definition|kernel) of/,
    ),
  ],
  [
    'variable-scope-and-lifetime',
    says(/undeclared label|cannot be implicitly captured|label '\w+' used but not defined/),
  ],
  ['memory-and-object-usage', says(/is a pointer; did you mean|of pointer type|access into incomplete type/)],
  [
    'data-type-and-conversion',
    says(
      /is not assignable|lvalue required|cannot bind|deduced type|excess elements|too many initializers/,
      /(?:negative|non-constant|variable) size|variable-sized object|invalid range expression/,
      /cannot delete expression/,
    ),
  ],
  [
    'syntax-and-structure',
    says(
      /type specifier is required|forbids declaration|incomplete type|cannot jump|jump to case/,
      /duplicate (?:member|case)|should not return a value|return-statement with a value/,
      /not (?:in|within) (?:a )?(?:loop|switch)|without an object|without object|abstract class/,
      /conflicts with|cannot use dot operator|cannot be used prior to|case (?:value|label)/,
      /combine with previous|invalid use of 'this'/,
    ),
  ],
]

function classifyCompile(diagnostics: readonly Diagnostic[], log: string): ErrorClass {
  const first = diagnostics.findIndex(({severity}) => severity === 'error')
  const error = diagnostics[first]
  if (!error) return 'unclassified'
  const rest = diagnostics.slice(first + 1)
  const next = rest.findIndex(({severity}) => severity === 'error')
  const evidence: Evidence = {
    message: error.message,
    notes: (next < 0 ? rest : rest.slice(0, next)).map(({message}) => message).join('\n'),
    sameLine: diagnostics
      .filter(({severity, file, line}) => severity === 'error' && file === error.file && line === error.line)
      .map(({message}) => message)
      .join('\n'),
    quoteUpToError: quotedBefore(log, error),
  }
  return rules.find(([, holds]) => holds(evidence))?.[0] ?? 'unclassified'
}

/**
 * The source line that the compiler quotes below the message, up to the place of the error; gcc puts a line number
 * before it.
 */
function quotedBefore(log: string, {file, line, column}: Diagnostic): string {
  const lines = log.split('\n')
  const at = lines.findIndex((text) => text.startsWith(`${file}:${line}:${column}:`))
  return (lines[at + 1] ?? '').replace(/^ *\d+ \| /, '').slice(0, Math.max(0, column - 1))
}

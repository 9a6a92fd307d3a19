import {siteMutation, type Mutation} from './mutation.ts'

const missingSemicolon = siteMutation('missing-semicolon', 'op_kernel', (source) =>
  source.calls.flatMap(({name, statement}) =>
    statement
      ? [{start: statement.end - 1, end: statement.end, replacement: '', says: `no semicolon after ${name}(…)`}]
      : [],
  ),
)

const missingBrace = siteMutation('missing-brace', 'op_kernel', (source) =>
  [...source.code.matchAll(/^[ \t]+\}[ \t]*$/gm)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length + 1,
    replacement: '',
    says: 'a closing brace is missing',
  })),
)

const missingMember = siteMutation('missing-member', 'op_kernel', (source) =>
  [...source.code.matchAll(/^[ \t]+(?:GlobalTensor|TQue|TBuf)<[^;]*>\s*(\w+)\s*;[ \t]*\n/gm)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    replacement: '',
    says: `the member ${match[1]} is not declared`,
  })),
)

export const syntaxMutations: readonly Mutation[] = [missingSemicolon, missingBrace, missingMember]

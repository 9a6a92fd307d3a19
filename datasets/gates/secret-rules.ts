import {rules} from '@secretlint/secretlint-rule-preset-recommend'

interface Finding {
  /** Of the rule, without what all rules are called. */
  rule: string
  message: string
  range: readonly [start: number, end: number]
}

// Where a text says `secretlint-disable`, that rule would leave it unread.
const scanners = rules.filter(({meta}) => meta.type === 'scanner' && !meta.id.endsWith('-filter-comments'))

/**
 * What the rules of secretlint's preset find in a text, in its order. The rules are called without `@secretlint/core`:
 * that notes 70 performance marks a text in a list which it keeps for the life of the process, and searches at every
 * mark, so that time grew with the square of the number of texts.
 */
export async function presetFindings(text: string): Promise<Finding[]> {
  const findings: Finding[] = []
  const source = sourceOf(text)
  for (const {meta, create} of scanners) {
    const rule = meta.id.replace(/^.*secretlint-rule-/, '')
    const scanner = create(
      {
        sharedOptions: {},
        // What a rule would say may quote the secret: its name is enough.
        createTranslator: () => (messageId, data) => ({message: '', messageId: String(messageId), data}),
        report: ({message: {messageId}, range}) => void findings.push({rule, message: messageId, range}),
        ignore: () => undefined,
      },
      {},
    )
    await scanner.file?.(source)
  }
  return findings.sort((a, b) => a.range[0] - b.range[0] || a.range[1] - b.range[1])
}

/** A file of that text, of which rules read the text alone. */
function sourceOf(content: string) {
  const unknown = () => {
    throw new TypeError('a rule asked for lines of a text')
  }
  return {
    content,
    hasBOM: false,
    filePath: 'text.txt',
    physicalFilePath: undefined,
    contentType: 'text',
    ext: '.txt',
    getFilePath: () => 'text.txt',
    getPhysicalFilePath: () => undefined,
    locationToRange: unknown,
    rangeToLocation: unknown,
    positionToIndex: unknown,
    indexToPosition: unknown,
  } as const
}

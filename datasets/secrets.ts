/**
 * Shapes of credentials that are issued with a recognisable prefix. Generic "high entropy" rules would hit tensor dumps
 * and hashes.
 */
const patterns: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['private key', /-----BEGIN (?:RSA |EC |DSA |OPENSSH |ENCRYPTED )?PRIVATE KEY-----/],
  ['AWS access key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})\b/],
  ['GitLab token', /\bglpat-[A-Za-z0-9_-]{20,}\b/],
  ['Hugging Face token', /\bhf_[A-Za-z0-9]{30,}\b/],
  ['OpenAI-style key', /\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{32,}\b/],
  ['Google API key', /\bAIza[0-9A-Za-z_-]{35}\b/],
  ['Slack token', /\bxox[abprs]-[0-9A-Za-z-]{20,}\b/],
  ['Huawei Cloud key', /\b(?:HUAWEICLOUD|HWCLOUD)_SDK_[AS]K\s*=\s*["']?[A-Za-z0-9]{16,}/],
]

/** The kind of credential in a text, or undefined. */
export function secretIn(text: string): string | undefined {
  return patterns.find(([, pattern]) => pattern.test(text))?.[0]
}

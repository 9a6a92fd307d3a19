// @ts-check
/**
 * Whether what stands on a screen can be replaced. A build server keeps what it was sent, redrawn lines and all.
 * @param {{isTTY?: boolean}} stream
 * @param {Readonly<Record<string, string | undefined>>} env
 */
export function redraws({isTTY = false}, {TERM, CI = ''}) {
  return isTTY && TERM !== 'dumb' && ['', '0', 'false'].includes(CI)
}

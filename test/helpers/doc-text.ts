/** A block of C++ as pages have it. */
export function cpp(...lines: string[]): string {
  return `\`\`\`cpp\n${lines.join('\n')}\n\`\`\``
}

/** The section of a page that declares an interface. */
export function prototypes(...forms: string[]): string {
  return `## 函数原型\n\n${cpp(...forms)}`
}

/** The section of a page that explains parameters; each row `name | direction | words`. */
export function parameters(...rows: string[]): string {
  const header = '| 参数名 | 输入/输出 | 描述 |\n| --- | --- | --- |'
  return `## 参数说明\n\n${header}\n${rows.map((row) => `| ${row} |`).join('\n')}`
}

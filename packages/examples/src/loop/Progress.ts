/** Prints the loop's steps, their results and costs. */
const write = (text: string): void => void process.stdout.write(`${text}\n`)

let steps = 0

export const step = (title: string): void => write(`\n${String((steps += 1)).padStart(2)}. ${title}`)

export const say = (text: string): void => write(`    ${text}`)

const amount = (credits: string): string => `${credits} ${credits === "1" ? "credit" : "credits"}`

export const cost = (charged: string, available: string): void =>
  say(`${charged === "0" ? "free" : amount(charged)}, ${available} left`)

export const listed = (lines: ReadonlyArray<string>, max: number): void => {
  for (const line of lines.slice(0, max)) say(`  ${line}`)
  if (lines.length > max) say(`  and ${lines.length - max} more`)
}

export const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

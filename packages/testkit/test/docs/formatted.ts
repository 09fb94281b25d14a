import { format, type FormatConfig } from "oxfmt"
import { readFileSync } from "node:fs"

const OPTIONS = JSON.parse(readFileSync(new URL("../../../../.oxfmtrc.json", import.meta.url), "utf8")) as FormatConfig

/** A page, or a file of another name, as `npm run format` leaves it. */
export const formatted = async (text: string, name = "page.md"): Promise<string> => {
  const { code, errors } = await format(name, text, OPTIONS)
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"))
  return code
}

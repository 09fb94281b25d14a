import { format, type FormatConfig } from "oxfmt"
import { readFileSync } from "node:fs"

const OPTIONS = JSON.parse(readFileSync(new URL("../../../../.oxfmtrc.json", import.meta.url), "utf8")) as FormatConfig

/** A page as `npm run format` leaves it. */
export const formatted = async (markdown: string): Promise<string> => {
  const { code, errors } = await format("page.md", markdown, OPTIONS)
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"))
  return code
}

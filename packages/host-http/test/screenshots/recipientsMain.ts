import { Effect } from "effect"
import { drawRecipients } from "./recipients.js"

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write("Which folder? npm run screenshots -- recipients FOLDER\n")
  process.exitCode = 2
} else {
  const drawn = await Effect.runPromise(drawRecipients(folder))
  process.stdout.write(`${drawn} pictures in ${folder}\n`)
}

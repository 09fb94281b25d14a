import { repositoryBreaches } from "./Repository.js"
import { render } from "./Breach.js"

// `npm run check` runs this: the rules alone, without a test runner.
const { breaches } = repositoryBreaches()
for (const breach of breaches) console.log(render(breach))
process.exitCode = breaches.length === 0 ? 0 : 1

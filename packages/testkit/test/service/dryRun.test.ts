import { dryRunContract } from "../../src/contracts/service/dryRun.js"
import { quietMemory } from "../../src/service/Service.js"

dryRunContract("memory", quietMemory)

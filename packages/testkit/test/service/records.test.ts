import { recordsContract } from "../../src/contracts/service/records.js"
import { quietMemory } from "../../src/service/Service.js"

recordsContract("memory", quietMemory)

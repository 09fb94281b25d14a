import { approversContract } from "../../src/contracts/service/approvers.js"
import { quietMemory } from "../../src/service/Service.js"

approversContract("memory", quietMemory)

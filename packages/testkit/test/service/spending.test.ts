import { spendingContract } from "../../src/contracts/service/spending.js"
import { quietMemory } from "../../src/service/Service.js"

spendingContract("memory", quietMemory)

import { leadStatusContract } from "../../src/contracts/service/leadStatus.js"
import { quietMemory } from "../../src/service/Service.js"

leadStatusContract("memory", quietMemory)

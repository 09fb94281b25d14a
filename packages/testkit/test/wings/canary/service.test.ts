import { quietMemory } from "../../../src/service/Service.js"
import { canaryContract } from "../../../src/wings/canary/contract.js"

canaryContract("memory", quietMemory)

import { breakerContract } from "../../src/contracts/service/breaker.js"
import { quietMemory } from "../../src/service/Service.js"

breakerContract("memory", quietMemory)

import { coalescingContract } from "../../src/contracts/service/coalescing.js"
import { quietMemory } from "../../src/service/Service.js"

coalescingContract("memory", quietMemory)

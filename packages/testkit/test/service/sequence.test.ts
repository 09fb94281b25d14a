import { sequenceContract } from "../../src/contracts/service/sequence.js"
import { quietMemory } from "../../src/service/Service.js"

sequenceContract("memory", quietMemory)

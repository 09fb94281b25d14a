import { fuzzContract } from "../../src/contracts/service/fuzz.js"
import { quietMemory } from "../../src/service/Service.js"

fuzzContract("memory", quietMemory)

import { ownFailuresContract } from "../../src/contracts/service/ownFailures.js"
import { quietMemory } from "../../src/service/Service.js"

ownFailuresContract("memory", quietMemory)

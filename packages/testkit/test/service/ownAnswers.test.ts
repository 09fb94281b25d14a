import { Layer } from "effect"
import { ownAnswersContract } from "../../src/contracts/service/ownAnswers.js"
import * as MemoryHosts from "../../src/memory/MemoryHosts.js"
import { quietMemory } from "../../src/service/Service.js"

ownAnswersContract("memory", Layer.provideMerge(MemoryHosts.layer, quietMemory))
